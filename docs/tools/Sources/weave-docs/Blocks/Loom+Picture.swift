extension Loom {
  /// The picture of a part, with its narrow one for phones.
  ///
  /// - Parameter source: The file that the page names.
  func picture(_ source: String?, at location: Location) throws(Problem) -> [String] {
    let folder = RelativePath.folder(of: location.path)
    guard let path = source.flatMap({ RelativePath.resolve($0, in: folder) }) else {
      throw location.problem(
        "this picture names no file of the package: expected"
          + " <picture><img src=\"PATH/docs/pictures/SCENARIO/PART.svg\"></picture>")
    }
    let picture = try pictures.picture(at: path, for: location)
    let narrow = picture.narrow.map { narrow in
      let link = RelativePath.link(from: location.path, to: narrow)
      return "  <source media=\"(max-width: 520px)\" srcset=\"\(link)\">"
    }
    let link = RelativePath.link(from: location.path, to: picture.path)
    let alternative = picture.alternative.replacing("&", with: "&amp;")
      .replacing("\"", with: "&quot;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    let image = "  <img src=\"\(link)\" alt=\"\(alternative)\">"
    return ["<picture>"] + [narrow, image].compactMap(\.self) + ["</picture>"]
  }
}
