import Foundation

/// A folder that is removed when this object is released.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("snapshot-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to path: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The text of each file below the folder, by its path.
  var files: [String: String] {
    let enumerator = FileManager.default.enumerator(atPath: url.path)
    var files: [String: String] = [:]
    while let path = enumerator?.nextObject() as? String {
      files[path] = try? String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
    }
    return files
  }
}
