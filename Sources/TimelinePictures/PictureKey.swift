import Timeline

/// The key below a picture: the signs that it has and that no words explain, and no others.
///
/// It's made from the classes of the elements that are drawn. So each sign has a class of its own,
/// and its sample in the key has the colour that it has in the picture.
struct PictureKey {
  /// The height of a line.
  private static let lineHeight: Pixels = 25

  private struct Item {
    let words: String
    let width: Pixels
    /// Draws a sample from a left edge, at a middle height.
    let draw: (SVGPen, Pixels, Pixels) -> [SVGElement]

    init(
      _ words: String, width: Pixels, draw: @escaping (SVGPen, Pixels, Pixels) -> [SVGElement]
    ) {
      (self.words, self.width, self.draw) = (words, width, draw)
    }

    init(_ words: String, _ sign: PictureSign) {
      self.init(words, width: sign.left + sign.right) { pen, x, y in
        sign.elements(pen, x: x + sign.left, y: y)
      }
    }
  }

  private let items: [Item]

  /// Makes the key of a picture.
  ///
  /// - Parameters:
  ///   - elements: The elements of the picture.
  ///   - pen: The pen that wrote them.
  init(of elements: String, pen: SVGPen) {
    let used = pen.classNames(in: elements)
    let tint = (1...ValueTint.count).first { used.contains("v\($0)") } ?? 1
    let spine = ValueTint(number: tint - 1)
    let starts = [("us", "subscribed"), ("ur", "sent")].filter { used.contains($0.0) }.map(\.1)
    let arrow = (1...ValueTint.count).first { used.contains("a\($0)") }
    let bar = used.first { $0.hasPrefix("W") }
    let items: [(Bool, Item)] = [
      (!starts.isEmpty, Item(starts.joined(separator: ", "), used.contains("us") ? .start : .sent)),
      (
        used.contains("D"),
        Item("on its way", width: 20) { pen, x, y in
          ["l D", "k C"].map { pen.path($0, "M\(x) \(y)h20") }
        }
      ),
      (used.contains("d"), Item("demand", .demand("∞"))),
      (
        used.contains("v\(tint)"),
        Item("which value", width: 7) { pen, x, y in
          [pen.path("q\(tint)", spine.spine(x: x, y: y - 9, height: 18))]
        }
      ),
      (used.contains("B"), Item("delivered", .value(["1"], [spine], .delivered))),
      (used.contains("r"), Item("dropped", .value(["1"], [], .dropped))),
      (used.contains("Z"), Item("a value ends here", .discard)),
      (used.contains("e"), Item("finished", .finished)),
      (used.contains("x"), Item("failed", .failure([]))),
      (used.contains("c"), Item("cancelled", .cancelled)),
      (
        arrow != nil,
        Item("made of it", width: 22) { pen, x, y in
          [
            pen.path("a\(arrow ?? 1)", "M\(x) \(y)h15"),
            pen.path("q\(arrow ?? 1)", "M\(x + 22) \(y)l-7-4v8z"),
          ]
        }
      ),
      (
        used.contains("o"),
        Item("made it happen", width: 22) { pen, x, y in
          [pen.path("o", "M\(x) \(y)h19"), pen.path("w", "M\(x + 17.5) \(y - 3.5)l4 3.5-4 3.5")]
        }
      ),
      (used.contains("K"), Item("timer", width: 12) { pen, x, y in pen.clock(x: x + 6, y: y) }),
      (
        bar != nil,
        Item("waits", width: 20) { pen, x, y in
          // In a colour that a bar has.
          let tint = (1...ValueTint.count).first {
            elements.contains("\"\(pen.prefix)W \(pen.prefix)v\($0)\"")
          }
          let colour = tint.map { "v\($0)" } ?? "p"
          return [pen.path("W \(colour)", "M\(x) \(y - 4)h20v8h-20z")]
        }
      ),
      (
        used.contains("H"),
        Item("stopped", width: 20) { pen, x, y in
          [pen.path("H p", "M\(x) \(y - 4)h20v8h-20z")]
        }
      ),
      (
        used.contains("b"),
        Item("one moment", width: 16) { pen, x, y in
          [pen.path("b", "M\(x) \(y - 6)h16v14h-16z"), pen.path("w", "M\(x) \(y - 3)v-6h16v6")]
        }
      ),
      (
        used.contains("N"),
        Item("not to scale", width: 24) { pen, x, y in
          [pen.wave(from: x, to: x + 24, y: y)]
        }
      ),
      (
        used.contains("X"),
        Item("time cut out", width: 12) { pen, x, y in
          [pen.text("s i X", "//", x: x + 2, y: y + 4)]
        }
      ),
    ]
    self.items = items.filter(\.0).map(\.1)
  }

  /// Writes the key.
  ///
  /// - Parameters:
  ///   - pen: The pen.
  ///   - id: The id of its group.
  ///   - left: The left edge.
  ///   - top: The upper edge.
  ///   - width: The width at which it goes on in another line.
  /// - Returns: The elements, and the height of all lines.
  func elements(
    _ pen: SVGPen, id: String, x left: Pixels, y top: Pixels, width: Pixels
  ) -> (text: String, height: Pixels) {
    guard !items.isEmpty else { return ("", 0) }
    var text = "<g id=\"\(id)\">\n"
    var (x, y): (Pixels, Pixels) = (0, 11)
    for item in items {
      let itemWidth = item.width + 6 + Pixels(halves: item.words.cells * 13)
      if x > 0, x + itemWidth > width {
        text += "\n"
        (x, y) = (0, y + Self.lineHeight)
      }
      text += item.draw(pen, left + x, top + y).markup
      text += pen.text("s i", item.words, x: left + x + item.width + 6, y: top + y + 4).markup
      x = x + itemWidth + 8
    }
    return (text + "\n</g>\n", y + 11)
  }
}
