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

  /// Writes the sign.
  ///
  /// - Parameters:
  ///   - pen: The pen to write with.
  ///   - x: The middle of its column; for demand, the left edge of its text.
  ///   - y: The middle of its row; for demand, that of its text.
  func elements(_ pen: SVGPen, x: Pixels, y: Pixels) -> [SVGElement] {
    switch self {
    case .start: [pen.path("u", "M\(x) \(y - 7)l6.5 12h-13z")]
    case .demand(let text): [pen.text("d u", text, x: x, y: y + 4)]
    case .value(let text):
      [pen.rect("v", x: x - left, y: y - 10, width: Self.width(of: text), height: 20, radius: 10)]
        + label("y", text, pen, x: x, y: y)
    case .response(let text): [box("n", text, pen, x: x, y: y)] + label("r", text, pen, x: x, y: y)
    case .printed(let text): [box("p", text, pen, x: x, y: y)] + label("q s", text, pen, x: x, y: y)
    case .finished: [pen.path("e", "M\(x) \(y - 10)v20")]
    case .failure(let text):
      [pen.path("x", "M\(x - 6) \(y - 6)l12 12m0-12l-12 12")]
        + (text.isEmpty ? [] : [pen.text("z", text, x: x + 9, y: y - 5)])
    case .cancelled: [pen.path("c", "M\(x - 5.5) \(y - 5.5)h11v11h-11z")]
    }
  }

  private func box(
    _ shape: String, _ text: String, _ pen: SVGPen, x: Pixels, y: Pixels
  ) -> SVGElement {
    let width = Self.width(of: text)
    // A path, because it's shorter than a rectangle with the same round corners.
    return pen.path(shape, "M\(x - left) \(y - 10)h\(width)v20h\(-width)z")
  }

  private func label(
    _ classes: String, _ text: String, _ pen: SVGPen, x: Pixels, y: Pixels
  ) -> [SVGElement] {
    text.contains { $0 != " " } ? [pen.text(classes, text, x: x, y: y + 4)] : []
  }
}
