extension Loom {
  /// The picture of a part, with its narrow one for phones.
  func picture(_ directive: Directive, at location: Location) throws(Problem) -> [String] {
    guard case .picture(let path) = directive else { return [] }
    let picture = try pictures.picture(at: path, for: location)
    let narrow = picture.narrow.map { narrow in
      let link = RelativePath.link(from: location.path, to: narrow.path)
      return "  <source media=\"(max-width: 520px)\" srcset=\"\(link)\">"
    }
    let link = RelativePath.link(from: location.path, to: picture.path)
    let alternative = Self.attribute(picture.alternative)
    let image = "  <img src=\"\(link)\" alt=\"\(alternative)\">"
    return ["<picture>"] + [narrow, image].compactMap(\.self) + ["</picture>"]
  }

  private static func attribute(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
      .replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
