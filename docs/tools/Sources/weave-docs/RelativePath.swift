/// Arithmetic on paths relative to the package root, with `/` between their parts.
enum RelativePath {
  /// Resolves a path that is relative to a folder.
  ///
  /// - Returns: The path from the root; `nil` if it's outside the root.
  static func resolve(_ path: String, in folder: String = "") -> String? {
    guard !path.hasPrefix("/") else { return nil }
    var parts: [Substring] = []
    for part in folder.split(separator: "/") + path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }

  /// The path from a page to another file, as a link in the page needs it.
  static func link(from page: String, to path: String) -> String {
    let source = page.split(separator: "/").dropLast()
    let target = path.split(separator: "/")
    let common = zip(source, target).prefix { $0 == $1 }.count
    let upwards = Array(repeating: Substring(".."), count: source.count - common)
    return (upwards + target.dropFirst(common)).joined(separator: "/")
  }

  /// The folder that holds a file; empty for the root.
  static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// The last part of a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }
}
