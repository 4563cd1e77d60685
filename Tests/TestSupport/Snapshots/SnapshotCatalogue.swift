import Foundation
import StreamsTesting

extension SnapshotStore {
  /// Compares the existing references with the declared ones.
  ///
  /// It doesn't depend on which tests ran, so filtered, skipped or failed tests raise no false
  /// alarm. In the mode `all` it removes obsolete files, but only in the target's `Snapshots`.
  ///
  /// - Parameter catalogue: Each id with the kinds it has.
  /// - Returns: `nil` if they match, or else the failure's text, which lists files by name.
  /// - Throws: An error if an id can't name a folder.
  package func failure(
    ofCatalogue catalogue: [(id: String, kinds: [SnapshotKind])]
  ) throws(SnapshotSetupError) -> String? {
    var problems: [String] = []
    var declared = Set<String>()
    for (id, kinds) in catalogue {
      for kind in kinds {
        let name = try SnapshotName(folder: id, parts: [kind.rawValue])
        if declared.insert("\(name).txt").inserted { continue }
        problems.append("  \(name): declared twice.")
      }
    }
    let existing = existingFiles()
    problems += existing.subtracting(declared).sorted().map { file in
      "  \(path(of: references))/\(file): obsolete\(removal(of: file))."
    }
    // In the other modes, the run writes missing references.
    if mode == .check {
      problems += declared.subtracting(existing).sorted().map { file in
        "  \(path(of: references))/\(file): missing."
      }
    }
    guard !problems.isEmpty else { return nil }
    let advice =
      mode == .check ? ["SNAPSHOT_RECORD=all swift test writes and removes references."] : []
    return (["The snapshots differ from the catalogue."] + problems + advice)
      .joined(separator: "\n")
  }

  /// The paths of all files below the target's `Snapshots`, except hidden ones.
  private func existingFiles() -> Set<String> {
    let files = FileManager.default.enumerator(atPath: references.path)
    var paths = Set<String>()
    while let path = files?.nextObject() as? String {
      let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
      var isDirectory: ObjCBool = false
      let file = references.appendingPathComponent(path).path
      let exists = FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory)
      if exists && !isDirectory.boolValue && !isHidden { paths.insert(path) }
    }
    return paths
  }

  private func removal(of file: String) -> String {
    guard mode == .all else { return "" }
    let file = references.appendingPathComponent(file)
    do {
      try FileManager.default.removeItem(at: file)
    } catch {
      return ", and can't be removed: \(error.localizedDescription)"
    }
    // Removes the folder only if it's empty.
    rmdir(file.deletingLastPathComponent().path)
    return ", removed"
  }
}
