import Foundation

/// The files of a folder on disk.
struct DiskTree: FileTree {
  let root: URL

  func text(of path: String) -> String? {
    (try? Data(contentsOf: url(of: path))).flatMap { String(data: $0, encoding: .utf8) }
  }

  func kind(of path: String) -> FileKind? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url(of: path).path)
    return switch attributes?[.type] as? FileAttributeType {
    case .typeDirectory?: .folder
    case .typeRegular?: .file
    default: nil
    }
  }

  func names(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: url(of: folder).path)
    return (names ?? []).sorted()
  }

  func write(_ texts: [String: String]) throws(Problem) {
    for (path, text) in texts.sorted(by: { $0.key < $1.key }) {
      try attempt(path) {
        let file = url(of: path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
      }
    }
  }

  func remove(_ path: String) throws(Problem) {
    try attempt(path) { try FileManager.default.removeItem(at: url(of: path)) }
  }

  private func attempt(_ path: String, _ body: () throws -> Void) throws(Problem) {
    do {
      try body()
    } catch {
      throw Location(path: path, line: 1).problem(error.localizedDescription)
    }
  }

  private func url(of path: String) -> URL {
    path.isEmpty ? root : root.appendingPathComponent(path)
  }
}
