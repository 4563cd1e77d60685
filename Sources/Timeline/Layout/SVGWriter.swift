/// Writes a picture as SVG.
struct SVGWriter {
  /// How much the file says about each event.
  enum Detail {
    /// A group with a title to hover over.
    case titles
    /// A group.
    case groups
    /// Nothing: signs of the same kind are one element.
    case shapes
  }

  private let picture: Picture
  private let embedding: Timeline.PictureEmbedding?
  private let detail: Detail
  private let idPrefix: String
  private let pen: SVGPen
  private var body = ""
  private var y: Pixels = 0

  /// The whole element, with a newline at the end.
  private(set) var text = ""

  /// - Parameters:
  ///   - picture: The picture.
  ///   - embedding: The prefixes in a page, or `nil` for a file.
  ///   - key: The signs to explain, as far as the picture has them.
  ///   - detail: How much to say.
  init(
    _ picture: Picture, embedding: Timeline.PictureEmbedding?, key: Timeline.PictureKey,
    detail: Detail
  ) {
    self.picture = picture
    self.embedding = embedding
    self.detail = detail
    idPrefix = embedding?.idPrefix ?? ""
    pen = SVGPen(prefix: embedding?.classPrefix ?? "")
    let margin = PictureMetrics.margin
    let needed = (picture.parts.map(\.layout.width).max() ?? 0) + 2 * margin
    let least = Pixels(min(picture.width, 320))
    let width = max(needed, least)
    for (index, part) in picture.parts.enumerated() { write(part, index: index, width: width) }
    let key = SVGKey(picture.key.intersection(key), pen: pen, width: width - 2 * margin)
    y = y + 6
    body += key.elements(x: margin, y: y)
    y = y + key.height + (key.height > 0 ? 6 : 0)
    text = head(width: width, height: y) + body + "</svg>\n"
  }

  private func head(width: Pixels, height: Pixels) -> String {
    let card = pen.rect("g", x: 0.5, y: 0.5, width: width - 1, height: height - 1, radius: 8).markup
    let style =
      embedding == nil
      ? "<style>\(PictureColours.styleSheet(for: card + body))</style>\n" : ""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-labelledby="\(idPrefix)t \(idPrefix)d">
      <title id="\(idPrefix)t">\(picture.title.xml)</title>
      <desc id="\(idPrefix)d">\(picture.description.xml)</desc>
      \(style)\(card)

      """
  }

  private mutating func write(_ part: Picture.Part, index: Int, width: Pixels) {
    if let heading = part.heading {
      y = y + (index == 0 ? 10 : 18)
      body += pen.text("t f", heading, x: PictureMetrics.margin, y: y + 14).markup + "\n"
      y = y + 22
    }
    let partPrefix = idPrefix + (picture.parts.count > 1 ? "p\(index + 1)" : "")
    var tops: [Pixels] = []
    for block in part.layout.blocks.indices {
      if block > 0 { y = y + 10 }
      tops.append(y)
      y = y + part.layout.headHeight + part.layout.blocks[block].height
    }
    for block in part.layout.blocks.indices {
      let writer = SVGBlock(
        part.layout, block: block, tops: tops, idPrefix: partPrefix, pen: pen,
        isEmbedded: embedding != nil, detail: detail)
      body += writer.elements
    }
  }
}
