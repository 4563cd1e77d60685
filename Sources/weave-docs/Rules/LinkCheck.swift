/// The rule that a relative link names a file that exists, and its anchor a heading.
struct LinkCheck {
  private let tree: any FileTree
  /// Files that are written together with the pages.
  private let pictures: [String: String]
  private var anchors: [String: Set<String>]

  /// - Parameter pages: The woven pages, because blocks may have links and headings too.
  static func problems(
    in pages: [WovenPage], tree: any FileTree, pictures: [String: String]
  ) -> [Problem] {
    var check = LinkCheck(tree: tree, pictures: pictures, anchors: [:])
    for page in pages { check.anchors[page.path] = Anchors.names(in: page.lines.map(\.text)) }
    return pages.flatMap { page in
      LinkScanner.links(in: page.lines.map(\.text)).filter(\.isRelative).compactMap { link in
        let location = Location(path: page.path, line: page.lines[link.lineIndex].origin)
        return check.complaint(about: link, on: page.path).map(location.problem)
      }
    }
  }

  private mutating func complaint(about link: Link, on page: String) -> String? {
    let (target, anchor) = link.parts
    let folder = RelativePath.folder(of: page)
    guard let path = target.isEmpty ? page : RelativePath.resolve(target, in: folder) else {
      return "the link \(link.target) leads out of the package"
    }
    guard path.isEmpty || tree.kind(of: path) != nil || pictures[path] != nil else {
      return "the link \(link.target) is broken: there is no file \(path)"
    }
    guard let anchor, path.hasSuffix(".md") else { return nil }
    guard !names(in: path).contains(anchor) else { return nil }
    return "the link \(link.target) is broken: \(path) has no heading #\(anchor)"
  }

  private mutating func names(in path: String) -> Set<String> {
    if let names = anchors[path] { return names }
    let text = try? tree.text(of: path)
    let names = Anchors.names(in: (text ?? "").lines)
    anchors[path] = names
    return names
  }
}
