/// Writes the legend below a picture: the signs in use, then the texts that letters stand for.
struct SVGLegend {
  private struct Sign {
    let sign: PictureSign?
    let word: String
  }

  private let pen: SVGPen
  private let signs: [[(sign: PictureSign?, word: String, x: Pixels)]]
  private let letters: [(letter: String, lines: [String])]
  private let indent: Pixels
  private static let signHeight: Pixels = 24
  private static let lineHeight: Pixels = 17

  init(_ picture: Picture, pen: SVGPen, width: Pixels) {
    self.pen = pen
    let layouts = picture.parts.map(\.layout)
    var kinds: [(sign: PictureSign?, word: String)] = []
    func add(_ sign: PictureSign?, _ word: String, if isUsed: Bool) {
      if isUsed { kinds.append((sign, word)) }
    }
    let used = layouts.flatMap { layout in
      zip(layout.signs, layout.diagram.marks).filter { !$1.isHidden }.map { $0.0 }
    }
    add(.start, "subscribed, sent", if: used.contains(.start))
    add(.demand("∞"), "demand", if: used.contains(.demand("∞")))
    let counted = used.contains { if case .demand(let text) = $0 { text != "∞" } else { false } }
    add(.demand("+1"), used.contains(.demand("∞")) ? "more" : "demand", if: counted)
    add(.value("  "), "value", if: used.contains { if case .value = $0 { true } else { false } })
    add(
      .response(""), "response",
      if: used.contains { if case .response = $0 { true } else { false } })
    add(
      .printed(""), "printed", if: used.contains { if case .printed = $0 { true } else { false } })
    add(.finished, "finished", if: used.contains(.finished))
    add(.failure(""), "failed", if: used.contains { if case .failure = $0 { true } else { false } })
    add(.cancelled, "cancelled", if: used.contains(.cancelled))
    let arrows = layouts.flatMap(\.diagram.arrows)
    add(nil, "later, or on another queue", if: arrows.contains(where: \.isDashed))

    var lines: [[(sign: PictureSign?, word: String, x: Pixels)]] = []
    var x: Pixels = 0
    for (sign, word) in kinds {
      let signWidth = sign.map { $0.left + $0.right } ?? 22
      let itemWidth = signWidth + 6 + Pixels.words(word.cells)
      if lines.isEmpty || x + itemWidth > width {
        lines.append([])
        x = 0
      }
      lines[lines.count - 1].append((sign, word, x))
      x = x + itemWidth + 14
    }
    signs = lines
    let entries = picture.letters.entries
    indent = Pixels.monospaced(entries.map(\.letter.cells).max() ?? 0, size: 12) + 10
    // The width of many cells, because each width is rounded up.
    let thousand = Pixels.monospaced(1_000, size: 11)
    let cells = max(8, (width - indent).halves * 1_000 / thousand.halves)
    letters = entries.map { ($0.letter, $0.text.wrapped(at: cells)) }
  }

  /// The height of all lines.
  var height: Pixels {
    let lines = letters.reduce(0) { $0 + $1.lines.count }
    return signs.count * Self.signHeight + lines * Self.lineHeight
  }

  /// Writes the legend with its upper left corner at a point.
  func elements(x left: Pixels, y top: Pixels) -> String {
    var text = "<g>\n"
    var y = top + 12
    for line in signs {
      for (sign, word, x) in line {
        var start = left + x
        if let sign {
          text += sign.elements(pen, x: start + sign.left, y: y).markup
          start = start + sign.left + sign.right + 6
        } else {
          text += pen.path("a o w", "M\(start) \(y)h15").markup
          text += pen.path("a", "M\(start + 21) \(y)l-6-3.5v7z").markup
          start = start + 28
        }
        text += pen.text("s", word, x: start, y: y + 4).markup
      }
      text += "\n"
      y = y + Self.signHeight
    }
    y = y + 4
    for (letter, lines) in letters {
      text += pen.text("m t", letter, x: left, y: y).markup
      for line in lines {
        text += pen.text("s T", line, x: left + indent, y: y).markup
        y = y + Self.lineHeight
      }
      text += "\n"
    }
    return text + "</g>\n"
  }
}

extension String {
  /// The text in lines of at most this many characters, broken at spaces if possible.
  fileprivate func wrapped(at width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for character in self {
      line.append(character)
      guard line.cells > width else { continue }
      let space = line.lastIndex(of: " ").map { line.index(after: $0) }
      let end =
        space.flatMap { $0 == line.endIndex ? nil : $0 } ?? line.index(before: line.endIndex)
      lines.append(String(line[..<end]))
      line = String(line[end...])
    }
    return lines + (line.isEmpty ? [] : [line])
  }
}
