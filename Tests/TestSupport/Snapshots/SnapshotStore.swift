import Foundation

/// Compares texts with the references of one test target, and writes the files that the mode
/// allows.
///
/// ```
/// <root>/Tests/<Target>/Snapshots/<id>/<kind>.txt    the reference, committed
/// <root>/.build/snapshots/<id>/<kind>.txt            a text that differs, ignored by git
/// ```
///
/// It gets the environment and the folders as arguments, so tests can check each mode in a
/// temporary folder.
package struct SnapshotStore {
  let mode: SnapshotRecordMode
  let references: URL
  private let actuals: URL
  private let root: URL

  /// Makes a store with the settings of an environment.
  ///
  /// - Parameters:
  ///   - environment: `SNAPSHOT_RECORD` and `CI` as in ``SnapshotRecordMode``. `SNAPSHOT_DIRECTORY`
  ///     replaces the root, for sources that were moved or are read-only.
  ///   - root: The package's folder.
  ///   - target: The name of the test target, which is also its folder under `Tests`.
  package init(
    environment: [String: String], root: URL, target: String
  ) throws(SnapshotSetupError) {
    mode = try SnapshotRecordMode(environment: environment)
    let directory = environment["SNAPSHOT_DIRECTORY"] ?? ""
    self.root = directory.isEmpty ? root : URL(fileURLWithPath: directory, isDirectory: true)
    references = self.root.appendingPathComponent("Tests/\(target)/Snapshots")
    actuals = self.root.appendingPathComponent(".build/snapshots")
  }

  /// Compares a text with its reference.
  ///
  /// - Returns: `nil` if they're equal and nothing was written, or else the failure's text.
  package func failure(of text: String, id: String, kind: SnapshotKind) -> String? {
    let subject = "Snapshot \(id), \(kind.rawValue)"
    if let problem = Self.problem(withID: id) ?? Self.problem(with: text) {
      return "\(subject): \(problem)"
    }
    let reference = file(id, kind, in: references)
    let actual = file(id, kind, in: actuals)
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

  private func file(_ id: String, _ kind: SnapshotKind, in folder: URL) -> URL {
    folder.appendingPathComponent(id).appendingPathComponent("\(kind.rawValue).txt")
  }

  /// The path relative to the root. You run the commands in messages from there.
  func path(of file: URL) -> String {
    let prefix = root.path + "/"
    return file.path.hasPrefix(prefix) ? String(file.path.dropFirst(prefix.count)) : file.path
  }

  /// The problem with an id, or `nil`. An id is in lower case, so a file system that ignores case
  /// can't mix up two of them.
  static func problem(withID id: String) -> String? {
    let isValid =
      !id.isEmpty
      && id.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) }
    return isValid ? nil : "the id may contain only a-z, 0-9 and -."
  }

  private static func problem(with text: String) -> String? {
    if text.utf8.contains(UInt8(ascii: "\r")) {
      return "the text contains a carriage return, but its lines must end in a newline alone."
    }
    let newline = UInt8(ascii: "\n")
    guard text.utf8.last == newline, text.utf8.dropLast().last != newline else {
      return "the text must end in exactly one newline."
    }
    return nil
  }
}
