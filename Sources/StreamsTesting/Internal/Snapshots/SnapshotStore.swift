import Foundation

/// Compares texts with the references of one test file, and writes the files that the mode allows.
///
/// ```
/// <folder of the test file>/Snapshots/<name>.txt       the reference, committed
/// <package>/.build/snapshots/<path of reference>       a text that differs, ignored by git
/// ```
///
/// It gets the environment and the test file as arguments, so tests can check each mode in a
/// temporary folder.
package struct SnapshotStore {
  /// Which references may be written.
  package let mode: SnapshotRecordMode
  /// The folder `Snapshots`.
  package let references: URL
  /// The package's folder, or `nil` if the test file isn't in a package.
  private let root: URL?

  /// Makes a store with the settings of an environment.
  ///
  /// - Parameters:
  ///   - environment: `SNAPSHOT_RECORD` and `CI` as in ``SnapshotRecordMode``. `SNAPSHOT_DIRECTORY`
  ///     is the package's folder, for sources that were moved or are read-only.
  ///   - testFile: The path of the test's source file when it was compiled.
  package init(environment: [String: String], testFile: String) throws(SnapshotSetupError) {
    mode = try SnapshotRecordMode(environment: environment)
    let file = URL(fileURLWithPath: testFile)
    let directory = environment["SNAPSHOT_DIRECTORY"] ?? ""
    let folder: URL
    if directory.isEmpty {
      folder = file.deletingLastPathComponent()
      guard isFolder(folder) else {
        throw SnapshotSetupError(
          "The snapshots of \(testFile) can't be found, because its folder doesn't exist here. If "
            + "you moved the sources, set SNAPSHOT_DIRECTORY to the folder of the package.")
      }
      root = Self.package(of: folder)
    } else {
      let newRoot = URL(fileURLWithPath: directory, isDirectory: true)
      guard let moved = Self.folder(of: file, movedTo: newRoot) else {
        throw SnapshotSetupError(
          "SNAPSHOT_DIRECTORY is \"\(directory)\", which has no folder for \(testFile). Set it to "
            + "the folder of the package.")
      }
      folder = moved
      root = newRoot
    }
    references = folder.appendingPathComponent("Snapshots", isDirectory: true)
  }

  /// A folder for what a test writes and git ignores: in the package, or among temporary files.
  package func output(in folder: String) -> URL {
    root?.appendingPathComponent(".build/\(folder)")
      ?? FileManager.default.temporaryDirectory.appendingPathComponent(folder)
  }

  /// The reference with a name.
  package func reference(of name: SnapshotName) -> URL {
    references.appendingPathComponent("\(name).txt")
  }

  /// Compares a text with its reference.
  ///
  /// - Returns: `nil` if they're equal and nothing was written, or else the failure's text.
  package func failure(of text: String, _ name: SnapshotName) -> String? {
    let subject = "Snapshot \(name)"
    let reference = reference(of: name)
    let actual = output(in: "snapshots").appendingPathComponent(path(of: reference))
    let expected = try? Data(contentsOf: reference)

    let isEqual = expected == Data(text.utf8)
    if isEqual { try? FileManager.default.removeItem(at: actual) }
    if isEqual && mode != .all { return nil }

    let isWritten =
      switch mode {
      case .check: false
      case .missing: expected == nil
      case .failed, .all: true
      }
    if isWritten {
      return "\(subject): \(recording(of: text, at: reference, insteadOf: actual))"
    }
    let problem = write(text, to: actual)
    return SnapshotFailure(
      subject: subject,
      reference: path(of: reference),
      expected: expected.map { String(decoding: $0, as: UTF8.self) },
      actual: path(of: actual), text: text, problem: problem
    ).description
  }

  /// The path relative to the package's folder. You run the commands in messages from there.
  package func path(of file: URL) -> String {
    guard let root else { return file.path }
    let prefix = root.path + "/"
    return file.path.hasPrefix(prefix) ? String(file.path.dropFirst(prefix.count)) : file.path
  }

  /// Writes a reference, and returns a failure's text, because a run that records must not pass.
  private func recording(of text: String, at reference: URL, insteadOf actual: URL) -> String {
    if let problem = write(text, to: reference) {
      return """
        not recorded.
          reference: \(path(of: reference)) can't be written: \(problem)
        """
    }
    try? FileManager.default.removeItem(at: actual)
    return """
      recorded, because SNAPSHOT_RECORD is \(mode.rawValue).
        reference: \(path(of: reference))
      Review it with git diff, then run again without SNAPSHOT_RECORD.
      """
  }

  /// Writes a whole file or nothing, because other processes may run tests at the same time.
  ///
  /// - Returns: Why the file couldn't be written, or `nil`.
  private func write(_ text: String, to file: URL) -> String? {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
      return nil
    } catch {
      return error.localizedDescription
    }
  }

  /// The nearest folder with a manifest, at the folder or above it.
  private static func package(of folder: URL) -> URL? {
    var folder = folder.standardizedFileURL
    while folder.path != "/" {
      let manifest = folder.appendingPathComponent("Package.swift").path
      if FileManager.default.fileExists(atPath: manifest) { return folder }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }

  /// The folder of a source file after its package was moved: the one that has most of its path.
  private static func folder(of file: URL, movedTo root: URL) -> URL? {
    var path = file.deletingLastPathComponent().pathComponents.dropFirst()
    while !path.isEmpty {
      let folder = root.appendingPathComponent(path.joined(separator: "/"), isDirectory: true)
      if isFolder(folder) { return folder }
      path = path.dropFirst()
    }
    return nil
  }
}

private func isFolder(_ url: URL) -> Bool {
  var isFolder: ObjCBool = false
  return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    && isFolder.boolValue
}
