import Foundation

/// The files of a folder on disk.
struct DiskTree: FileTree {
  let root: URL

  func text(of path: String) throws(FileFailure) -> String? {
    guard kind(of: path) == .file else { return nil }
    let data: Data
    do {
      data = try Data(contentsOf: url(of: path))
    } catch {
      throw FileFailure(path: path, reason: error.localizedDescription)
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw FileFailure(path: path, reason: "it isn't UTF-8")
    }
    return text
  }

  func kind(of path: String) -> FileKind? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url(of: path).path, isDirectory: &isFolder) else {
      return nil
    }
    return isFolder.boolValue ? .folder : .file
  }

  func names(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: url(of: folder).path)
    return (names ?? []).sorted()
  }

  func target(ofLink path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: url(of: path).path)
  }

  /// First writes each text next to its file, and renames only after all of them are written.
  func write(_ texts: [String: String]) throws(FileFailure) {
    var newFolders: [URL] = []
    let staged = texts.sorted { $0.key < $1.key }.map { path, text in
      let file = url(of: path)
      let name = ".\(file.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)"
      let draft = file.deletingLastPathComponent().appendingPathComponent(name)
      return (path: path, text: text, file: file, draft: draft)
    }
    // Drafts that were renamed are gone. A folder is only removed if nothing is in it.
    defer {
      for page in staged { try? FileManager.default.removeItem(at: page.draft) }
      for folder in newFolders.reversed() { rmdir(folder.path) }
    }
    for page in staged {
      do {
        newFolders += try Self.makeFolder(page.file.deletingLastPathComponent())
        try Data(page.text.utf8).write(to: page.draft)
      } catch {
        throw FileFailure(path: page.path, reason: error.localizedDescription)
      }
    }
    for page in staged where rename(page.draft.path, page.file.path) != 0 {
      throw FileFailure(path: page.path, reason: String(cString: strerror(errno)))
    }
  }

  func remove(_ paths: [String]) throws(FileFailure) {
    for path in paths {
      do {
        try FileManager.default.removeItem(at: url(of: path))
      } catch {
        throw FileFailure(path: path, reason: error.localizedDescription)
      }
    }
  }

  /// Makes a folder with those above it, and returns the ones that didn't exist, outermost first.
  private static func makeFolder(_ folder: URL) throws -> [URL] {
    if FileManager.default.fileExists(atPath: folder.path) { return [] }
    let above = try makeFolder(folder.deletingLastPathComponent())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return above + [folder]
  }

  private func url(of path: String) -> URL {
    path.isEmpty ? root : root.appendingPathComponent(path)
  }
}
