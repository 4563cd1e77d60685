/// Writes the key below a picture: the signs that have no word next to them.
struct SVGKey {
  private enum Symbol {
    case sign(PictureSign)
    case arrow(isMade: Bool)
    case clock
    case bracket

    var width: Pixels {
      switch self {
      case .sign(let sign): sign.left + sign.right
      case .arrow: 22
      case .clock: 12
      case .bracket: 18
      }
    }
  }

  private typealias Item = (symbol: Symbol, word: String, x: Pixels)

  private let pen: SVGPen
  private let lines: [[Item]]
  private static let lineHeight: Pixels = 22

  init(_ key: Timeline.PictureKey, pen: SVGPen, width: Pixels) {
    self.pen = pen
    let symbols: [(Symbol, String, Timeline.PictureKey)] = [
      (.sign(.start), "subscribed, sent", .start), (.sign(.demand("∞")), "demand", .demand),
      (.sign(.finished), "finished", .finished), (.sign(.failure([])), "failed", .failed),
      (.sign(.cancelled), "cancelled", .cancelled), (.arrow(isMade: true), "made of it", .made),
      (.arrow(isMade: false), "made it happen", .happened), (.clock, "timer", .timer),
      (.bracket, "all at once", .atOnce),
    ]
    var lines: [[Item]] = []
    var x: Pixels = 0
    for (symbol, word, sign) in symbols where key.contains(sign) {
      let itemWidth = symbol.width + 6 + Pixels.words(word.cells)
      if lines.isEmpty || x + itemWidth > width {
        lines.append([])
        x = 0
      }
      lines[lines.count - 1].append((symbol, word, x))
      x = x + itemWidth + 8
    }
    self.lines = lines
  }

  /// The height of all lines.
  var height: Pixels { lines.count * Self.lineHeight }

  /// Writes the key with its upper left corner at a point.
  func elements(x left: Pixels, y top: Pixels) -> String {
    guard !lines.isEmpty else { return "" }
    var text = "<g>\n"
    for (number, line) in lines.enumerated() {
      let y = top + number * Self.lineHeight + 11
      for (symbol, word, x) in line {
        let start = left + x
        switch symbol {
        case .sign(let sign): text += sign.elements(pen, x: start + sign.left, y: y).markup
        case .arrow(isMade: true):
          text += pen.path("a1", "M\(start) \(y)h15").markup
          text += pen.path("q1", "M\(start + 22) \(y)l-7-4v8z").markup
        case .arrow(isMade: false):
          text += pen.path("o", "M\(start) \(y)h19").markup
          text += pen.path("w", "M\(start + 17.5) \(y - 3.5)l4 3.5-4 3.5").markup
        case .clock:
          text += pen.path("p", "M\(start) \(y)a6 6 0 1 0 12 0a6 6 0 1 0-12 0z").markup
          text += pen.path("w", "M\(start + 6) \(y - 3.5)v3.5h2.5").markup
        case .bracket: text += pen.path("w", "M\(start) \(y + 3)v-6h18v6").markup
        }
        text += pen.text("s i", word, x: start + symbol.width + 6, y: y + 4).markup
      }
      text += "\n"
    }
    return text + "</g>\n"
  }
}
