import Foundation

/// A folder that is removed when this object is released.
package final class TemporaryFolder: Sendable {
  /// The folder.
  package let url: URL

  /// Makes the folder, which is empty.
  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("stream-scenarios-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file, and makes the folders that it needs.
  package func write(_ text: String, to path: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The text of each file below the folder, by its path.
  package var files: [String: String] {
    let enumerator = FileManager.default.enumerator(atPath: url.path)
    var files: [String: String] = [:]
    while let path = enumerator?.nextObject() as? String {
      files[path] = try? String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
    }
    return files
  }
}
