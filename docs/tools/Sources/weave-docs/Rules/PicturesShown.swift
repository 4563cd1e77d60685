/// The checks of the folder of pictures, and that a page shows each part's picture.
enum PicturesShown {
  /// The paths of pictures that are missing on disk, or differ from the run.
  static func stale(_ pictures: [String: String], in tree: any FileTree) -> [String] {
    pictures.filter { path, text in tree.text(of: path)?.isSpelled(like: text) != true }.keys
      .sorted()
  }

  /// The paths of files in the folder that no run draws.
  static func orphans(_ pictures: [String: String], in tree: any FileTree) -> [String] {
    tree.files(below: Pictures.folder, suffix: "").filter { pictures[$0] == nil }
  }

  /// The pictures that no page shows, at the page of their group.
  static func missing(
    from pages: [WovenPage], groups: [String: [Pictures.Picture]]
  ) -> [Problem] {
    pages.flatMap { page in
      let pictures = Pictures.group(of: page.path).flatMap { groups[$0] } ?? []
      return pictures.filter { picture in !pages.contains { shows($0, picture) } }.map { picture in
        Location(path: page.path, line: 1).problem(
          "the picture of '\(picture.title)' isn't shown: add"
            + " <picture>\(image(of: picture, on: page))></picture>")
      }
    }
  }

  /// Whether a page shows a picture.
  static func shows(_ page: WovenPage, _ picture: Pictures.Picture) -> Bool {
    let image = image(of: picture, on: page)
    return page.lines.contains { $0.text.hasPrefix("  <img") && $0.text.contains(image) }
  }

  private static func image(of picture: Pictures.Picture, on page: WovenPage) -> String {
    "<img src=\"\(RelativePath.link(from: page.path, to: picture.path))\""
  }
}
