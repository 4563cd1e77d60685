extension PictureSign {
  /// The distance that the sign reaches up or down from the middle of its row.
  func reach(isDown: Bool) -> Pixels {
    switch self {
    case .start: isDown ? 5 : 7
    case .demand: 0
    case .value, .response, .printed, .finished: 10
    case .failure, .cancelled: 7
    }
  }

  /// Writes the sign. Demand is written at the mark it stands at.
  ///
  /// - Parameters:
  ///   - prefix: The start of all class names.
  ///   - x: The middle of its column.
  ///   - y: The middle of its row.
  func elements(prefix: String, x: Pixels, y: Pixels) -> String {
    switch self {
    case .start: "<path class=\"\(prefix)u\" d=\"M\(x) \(y - 7)l6.5 12h-13z\"/>"
    case .demand(let text):
      "<text class=\"\(prefix)d \(prefix)u\" x=\"\(x)\" y=\"\(y + 4)\">\(text.xml)</text>"
    case .value(let text): box("v", "y", text, radius: 10, prefix: prefix, x: x, y: y)
    case .response(let text): box("n", "r", text, radius: 3, prefix: prefix, x: x, y: y)
    case .printed(let text): box("p", "q \(prefix)s", text, radius: 3, prefix: prefix, x: x, y: y)
    case .finished: "<path class=\"\(prefix)e\" d=\"M\(x) \(y - 10)v20\"/>"
    case .failure(let text):
      "<path class=\"\(prefix)x\" d=\"M\(x - 6) \(y - 6)l12 12m0-12l-12 12\"/>"
        + (text.isEmpty
          ? "" : "<text class=\"\(prefix)z\" x=\"\(x + 9)\" y=\"\(y - 5)\">\(text.xml)</text>")
    case .cancelled:
      "<rect class=\"\(prefix)c\" x=\"\(x - 5.5)\" y=\"\(y - 5.5)\" width=\"11\" height=\"11\"/>"
    }
  }

  private func box(
    _ shape: String, _ label: String, _ text: String, radius: Int, prefix: String, x: Pixels,
    y: Pixels
  ) -> String {
    let width = Self.width(of: text)
    let rect = """
      <rect class="\(prefix)\(shape)" x="\(x - width.half)" y="\(y - 10)" width="\(width)" \
      height="20" rx="\(radius)"/>
      """
    guard text.contains(where: { $0 != " " }) else { return rect }
    return rect
      + "<text class=\"\(prefix)\(label)\" x=\"\(x)\" y=\"\(y + 4)\">\(text.xml)</text>"
  }
}
