/// The rule that a relative link names a file that exists, and its anchor a heading.
enum LinkCheck {
  /// - Parameters:
  ///   - pages: The woven pages, because blocks may have links and headings too.
  ///   - pictures: Files that are written together with the pages.
  static func problems(
    in pages: [WovenPage], tree: any FileTree, pictures: [String: String]
  ) -> [Problem] {
    var anchors: [String: Set<String>] = [:]
    for page in pages { anchors[page.path] = Anchors.names(in: page.lines.map(\.text)) }
    func complaint(about link: Link, on page: String) -> String? {
      let (target, anchor) = link.parts
      let folder = RelativePath.folder(of: page)
      guard let path = target.isEmpty ? page : RelativePath.resolve(target, in: folder) else {
        return "the link \(link.target) leads out of the package"
      }
      guard path.isEmpty || tree.kind(of: path) != nil || pictures[path] != nil else {
        return "the link \(link.target) is broken: there is no file \(path)"
      }
      guard let anchor, path.hasSuffix(".md") else { return nil }
      let names = anchors[path] ?? Anchors.names(in: tree.lines(of: path))
      return names.contains(anchor)
        ? nil : "the link \(link.target) is broken: \(path) has no heading #\(anchor)"
    }
    return pages.flatMap { page in
      LinkScanner.links(in: page.lines.map(\.text)).filter(\.isRelative).compactMap { link in
        let location = Location(path: page.path, line: page.lines[link.lineIndex].origin)
        return complaint(about: link, on: page.path).map(location.problem)
      }
    }
  }
}
