@testable import weave_docs

/// Files in memory, which can refuse to be read or written.
final class MemoryTree: FileTree {
  var files: [String: String]
  /// Links and their targets. Each also needs an entry in `files`.
  var links: [String: String] = [:]
  var unreadable: [String: String] = [:]
  var unwritable: [String: String] = [:]
  /// The paths that were written, one array a call.
  private(set) var writes: [[String]] = []

  init(_ files: [String: String]) { self.files = files }

  func text(of path: String) throws(FileFailure) -> String? {
    if let reason = unreadable[path] { throw FileFailure(path: path, reason: reason) }
    return files[path]
  }

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

  func target(ofLink path: String) -> String? { links[path] }

  func write(_ texts: [String: String]) throws(FileFailure) {
    for path in texts.keys.sorted() {
      if let reason = unwritable[path] { throw FileFailure(path: path, reason: reason) }
    }
    files.merge(texts) { $1 }
    writes.append(texts.keys.sorted())
  }

  func remove(_ paths: [String]) throws(FileFailure) {
    for path in paths { files[path] = nil }
  }
}
