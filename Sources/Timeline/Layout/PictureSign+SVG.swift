extension PictureSign {
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
    case .value(let lines, let tints):
      (tints.isEmpty ? grey(pen, x: x, y: y) : pill(tints, pen, x: x, y: y))
        + words(lines, pen, x: x + (tints.isEmpty ? 2 : 8), y: y)
    case .response(let text, let isComplete):
      response(text, isComplete: isComplete, pen, x: x, y: y)
    case .part: []
    case .printed(_, let tint):
      [pen.path(tint.map { "q\($0.colour + 1)" } ?? "i0", "M\(x - 1.5) \(y - 6)h3v13h-3z")]
    case .finished: [pen.path("e", "M\(x) \(y - 10)v20")]
    case .failure(let lines):
      [pen.path("x", "M\(x - 6) \(y - 6)l12 12m0-12l-12 12")]
        + lines.enumerated().map { index, line in
          pen.text("z", line, x: x + 9, y: y - 5 - (lines.count - 1 - index) * Self.line)
        }
    case .cancelled: [pen.path("c", "M\(x - 5.5) \(y - 5.5)h11v11h-11z")]
    }
  }

  private func response(
    _ text: String, isComplete: Bool, _ pen: SVGPen, x: Pixels, y: Pixels
  ) -> [SVGElement] {
    let width = left + right - (isComplete ? 2.5 : 0)
    let box = pen.path("p", "M\(x - left) \(y - 10)h\(width)v20h\(-width)z")
    let bar = isComplete ? [pen.path("e", "M\(x - left + width) \(y - 10)v20")] : []
    return [box] + bar + words([text], pen, x: x + 2, y: y)
  }

  private func words(
    _ lines: [String], _ pen: SVGPen, x: Pixels, y: Pixels
  ) -> [SVGElement] {
    let first = y + 4 - (lines.count - 1) * Self.line.half
    return lines.enumerated().compactMap { index, line in
      line.contains { $0 != " " }
        ? pen.text("y", line, x: x, y: first + index * Self.line) : nil
    }
  }

  /// The box of a value that nothing is made of.
  private func grey(_ pen: SVGPen, x: Pixels, y: Pixels) -> [SVGElement] {
    let (width, height) = (left + right - 8, below + below - 8)
    return [
      pen.path(
        "p",
        "M\(x - left + 4) \(y - below)h\(width)q4 0 4 4v\(height)q0 4-4 4h\(-width)q-4 0-4-4"
          + "v\(-height)q0-4 4-4z")
    ]
  }

  /// The box of a value, with its spines.
  private func pill(
    _ tints: [ValueTint], _ pen: SVGPen, x: Pixels, y: Pixels
  ) -> [SVGElement] {
    let (top, height) = (y - below, below + below)
    let width = right - Self.halfSpine - 4
    let newest = tints[tints.count - 1].colour + 1
    let box = pen.path(
      "v\(newest)",
      "M\(x + Self.halfSpine) \(top)h\(width)q4 0 4 4v\(height - 8)q0 4-4 4h\(-width)z")
    let spines = tints.reversed().enumerated().map { index, tint in
      let edge = x - Self.halfSpine - index * Self.spinePitch
      return pen.path("q\(tint.colour + 1)", tint.spine(x: edge, y: top, height: height))
    }
    return [box] + spines
  }
}

extension ValueTint {
  /// The commands of a spine with this notch.
  ///
  /// - Parameters:
  ///   - x: Its left edge.
  ///   - y: Its upper edge.
  ///   - height: Its height.
  func spine(x: Pixels, y: Pixels, height: Pixels) -> String {
    func block(_ from: Pixels, _ to: Pixels) -> String {
      "M\(x) \(y + from)h7v\(to - from)h-7z"
    }
    switch notch {
    case 1: return block(0, height.half - 1) + block(height.half + 1, height)
    case 2:
      let third = Pixels(halves: (height.halves - 10) / 3)
      return block(0, third) + block(third + 2.5, height - third - 2.5)
        + block(height - third, height)
    case 3: return "M\(x) \(y)h2.5v\(height)h-2.5zM\(x + 4.5) \(y)h2.5v\(height)h-2.5z"
    case 4:
      let middle = y + height.half
      return "M\(x) \(y)h7V\(middle - 4)L\(x) \(middle)z"
        + "M\(x) \(y + height)h7V\(middle)L\(x) \(middle + 4)z"
    case 5: return block(0, 6) + block(8, height)
    default: return block(0, height)
    }
  }
}
