/// The checks of the folder of pictures, and that a page shows each part's picture.
enum PicturesShown {
  /// The pictures on disk that are missing or differ from the run.
  static func stale(_ pictures: [String: String], in tree: any FileTree) -> [Problem] {
    pictures.sorted { $0.key < $1.key }.compactMap { path, text in
      let onDisk = (try? tree.text(of: path)) ?? nil
      if let onDisk, onDisk.isSpelled(like: text) { return nil }
      return Location(path: path, line: 1)
        .problem(
          onDisk == nil ? "missing: make docs would write it" : "stale: the run draws another")
    }
  }

  /// The paths of files in the folder that no run draws.
  static func orphans(_ pictures: [String: String], in tree: any FileTree) -> [String] {
    tree.files(below: Pictures.folder, suffix: "").filter { pictures[$0] == nil }
  }

  /// The pictures that no page shows.
  static func missing(
    from pages: [WovenPage], groups: [String: [Pictures.Picture]]
  ) -> [Problem] {
    pages.flatMap { page -> [Problem] in
      guard let group = Pictures.group(of: page.path) else { return [] }
      let pictures = groups[group, default: []]
      let hidden = pictures.filter { !shows(page, $0) }
      return hidden.filter { picture in !pages.contains { shows($0, picture) } }.map { picture in
        Location(path: page.path, line: 1).problem(
          "the picture of '\(picture.title)' isn't shown: add"
            + " <picture>\(image(of: picture, on: page))></picture>")
      }
    }
  }

  private static func shows(_ page: WovenPage, _ picture: Pictures.Picture) -> Bool {
    page.lines.contains { $0.text.contains(image(of: picture, on: page)) }
  }

  private static func image(of picture: Pictures.Picture, on page: WovenPage) -> String {
    "<img src=\"\(RelativePath.link(from: page.path, to: picture.path))\""
  }
}
