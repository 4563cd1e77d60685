import Timeline

extension Timeline {
  /// Signs that a picture's key explains: those that have no word next to them.
  public struct PictureKey: OptionSet, Hashable, Sendable {
    /// A bit for each sign.
    public let rawValue: Int

    /// Makes a key from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The triangle: subscribed, or sent.
    public static let start = PictureKey(rawValue: 1)
    /// The small number or `∞`: demand.
    public static let demand = PictureKey(rawValue: 2)
    /// The bar: finished.
    public static let finished = PictureKey(rawValue: 4)
    /// The cross: failed.
    public static let failed = PictureKey(rawValue: 8)
    /// The hollow square: cancelled.
    public static let cancelled = PictureKey(rawValue: 16)
    /// The solid arrow: made of this value.
    public static let made = PictureKey(rawValue: 32)
    /// The dotted arrow: made it happen.
    public static let happened = PictureKey(rawValue: 64)
    /// The clock: a timer.
    public static let timer = PictureKey(rawValue: 128)
    /// The bar: an operator keeps the value.
    public static let waits = PictureKey(rawValue: 512)
    /// The dashed bar: a timer was stopped.
    public static let stopped = PictureKey(rawValue: 1024)
    /// The dashed box: nothing came of the value.
    public static let dropped = PictureKey(rawValue: 256)

    /// All signs.
    public static let all = PictureKey(rawValue: 2047)
  }
}

extension PictureLayout {
  /// The signs in use that have no word next to them.
  var key: Timeline.PictureKey {
    var key: Timeline.PictureKey = []
    for (sign, mark) in zip(signs, diagram.marks) where !mark.isHidden {
      switch sign {
      case .start: key.insert(.start)
      case .demand: key.insert(.demand)
      case .finished, .response(_, isComplete: true): key.insert(.finished)
      case .failure: key.insert(.failed)
      case .cancelled: key.insert(.cancelled)
      case .value(_, _, .dropped): key.insert(.dropped)
      case .value, .response, .printed, .part: break
      }
    }
    for route in arrows.values.joined() {
      let arrow = route.arrow
      if route.end == .waiting { key.insert(.waits) }
      key.insert(arrow.isMade ? .made : .happened)
      if arrow.hasTimer { key.insert(.timer) }
    }
    for bar in bars {
      key.insert(bar.isOver ? .waits : .stopped)
      if bar.hasClock { key.insert(.timer) }
      if bar.cause != nil { key.insert(.happened) }
    }
    return key
  }
}

extension Timeline.PictureKey {
  /// Writes the key below a picture.
  ///
  /// - Parameters:
  ///   - pen: The pen.
  ///   - left: The left edge.
  ///   - top: The upper edge.
  ///   - width: The width at which it goes on in another line.
  /// - Returns: The elements, and the height of all lines.
  func elements(
    _ pen: SVGPen, x left: Pixels, y top: Pixels, width: Pixels
  ) -> (text: String, height: Pixels) {
    guard !isEmpty else { return ("", 0) }
    let lineHeight: Pixels = 22
    var text = "<g>\n"
    var (x, y): (Pixels, Pixels) = (0, 11)
    for symbol in Self.symbols where contains(symbol.key) {
      let itemWidth = symbol.width + 6 + Pixels.words(symbol.word.cells)
      if x > 0, x + itemWidth > width {
        text += "\n"
        (x, y) = (0, y + lineHeight)
      }
      text += symbol.draw(pen, left + x, top + y).markup
      text += pen.text("s i", symbol.word, x: left + x + symbol.width + 6, y: top + y + 4).markup
      x = x + itemWidth + 8
    }
    return (text + "\n</g>\n", y + 11)
  }

  private struct Symbol {
    let key: Timeline.PictureKey
    let word: String
    let width: Pixels
    /// Draws it from a left edge, at a middle height.
    let draw: (SVGPen, Pixels, Pixels) -> [SVGElement]

    init(
      _ key: Timeline.PictureKey, _ word: String, width: Pixels,
      draw: @escaping (SVGPen, Pixels, Pixels) -> [SVGElement]
    ) {
      (self.key, self.word, self.width, self.draw) = (key, word, width, draw)
    }

    init(_ key: Timeline.PictureKey, _ word: String, _ sign: PictureSign) {
      self.init(key, word, width: sign.left + sign.right) { pen, x, y in
        sign.elements(pen, x: x + sign.left, y: y)
      }
    }
  }

  private static var symbols: [Symbol] {
    [
      Symbol(.start, "subscribed, sent", .start), Symbol(.demand, "demand", .demand("∞")),
      Symbol(.finished, "finished", .finished), Symbol(.failed, "failed", .failure([])),
      Symbol(.cancelled, "cancelled", .cancelled),
      Symbol(.made, "made of it", width: 22) { pen, x, y in
        [pen.path("a1", "M\(x) \(y)h15"), pen.path("q1", "M\(x + 22) \(y)l-7-4v8z")]
      },
      Symbol(.happened, "made it happen", width: 22) { pen, x, y in
        [
          pen.path("o", "M\(x) \(y)h19"),
          pen.path("w", "M\(x + 17.5) \(y - 3.5)l4 3.5-4 3.5"),
        ]
      },
      Symbol(.timer, "timer", width: 12) { pen, x, y in pen.clock(x: x + 6, y: y) },
      Symbol(.waits, "waits", width: 20) { pen, x, y in
        [pen.path("W v1", "M\(x) \(y - 4)h20v8h-20z")]
      },
      Symbol(.stopped, "stopped", width: 20) { pen, x, y in
        [pen.path("W p r", "M\(x) \(y - 4)h20v8h-20z")]
      },
      Symbol(.dropped, "dropped", .value(["1"], [], .dropped)),
    ]
  }
}
