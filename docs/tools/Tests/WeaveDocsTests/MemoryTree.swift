@testable import weave_docs

/// Files in memory, which can refuse to be written.
final class MemoryTree: FileTree {
  var files: [String: String]
  var unwritable: [String: String] = [:]
  /// The paths that were written, one array a call.
  private(set) var writes: [[String]] = []

  init(_ files: [String: String]) { self.files = files }

  func text(of path: String) -> String? { files[path] }

  func kind(of path: String) -> FileKind? {
    if files[path] != nil { return .file }
    return path.isEmpty || files.keys.contains { $0.hasPrefix(path + "/") } ? .folder : nil
  }

  func names(in folder: String) -> [String] {
    let prefix = folder.isEmpty ? "" : folder + "/"
    let names = files.keys.filter { $0.hasPrefix(prefix) }
      .map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }
    return Set(names).sorted()
  }

  func write(_ texts: [String: String]) throws(Problem) {
    for path in texts.keys.sorted() {
      if let reason = unwritable[path] { throw Location(path: path, line: 1).problem(reason) }
    }
    files.merge(texts) { $1 }
    writes.append(texts.keys.sorted())
  }

  func remove(_ path: String) throws(Problem) { files[path] = nil }
}
