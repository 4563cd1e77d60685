import Timeline

/// The sign of an event in a picture, and how far it reaches from the middle of its column and row.
///
/// Signs stand on their instant. Words run from there to the right, so they don't stretch time.
enum PictureSign: Hashable {
  /// A triangle that points up, where a lane is subscribed to.
  case start
  /// The same, where a request is made or sent.
  case sent
  /// Small text at the upper right of a mark.
  case demand(String)
  /// A pill of words, with a spine for each value that it's made of. The newest spine stands on the
  /// instant, and the others to the left of it. The words of a value that the program got are bold,
  /// and the box of one that was dropped is dashed and empty. If the stream ends at the same
  /// instant, there's room for the ``foot``.
  case value([String], [ValueTint], ValueFate = .used, hasFoot: Bool = false)
  /// A box with words in it, with room for a ``foot`` if the response is complete.
  case response(String, hasFoot: Bool)
  /// Nothing: it's shown by the mark that it's a part of.
  case part
  /// A bar on the instant, below the words that came at the same instant.
  case foot
  /// Printed lines, below those that were printed before.
  case printed(String, ValueTint?)
  /// A bar.
  case finished
  /// A cross with words at its upper right.
  case failure([String])
  /// A hollow square.
  case cancelled
  /// A round sign with a stroke through it: here an operator dropped a value.
  case discard

  /// Makes the sign of an event.
  ///
  /// - Parameters:
  ///   - kind: The kind of event.
  ///   - tints: The tints of the values that it's made of, oldest first.
  ///   - fate: What became of it.
  ///   - isBorn: For a failure, whether it's the first one with its words.
  ///   - parts: The events that stand at it.
  init(
    _ kind: Timeline.Event.Kind, tints: [ValueTint], fate: ValueFate, isBorn: Bool,
    parts: [Timeline.Event.Kind]
  ) {
    switch kind {
    case .subscription: self = .start
    case .network(.started), .network(.sent): self = .sent
    case .request(let demand): self = .demand(demand.max.map { "+\($0)" } ?? "∞")
    case .value(let text):
      self = .value(
        text.quotedIfNeeded.inShortLines, tints, fate, hasFoot: parts.contains(.finished))
    case .finished, .network(.finished): self = .finished
    case .failure(let text), .network(.failed(let text)):
      self = .failure(isBorn && !text.isEmpty ? text.quotedIfNeeded.inShortLines : [])
    case .cancelled, .network(.cancelled): self = .cancelled
    case .note(let text), .printed(let text): self = .printed(text.quotedIfNeeded, tints.last)
    case .network(.waiting): self = .response("waits", hasFoot: false)
    case .network(.response), .network(.chunk):
      let words = ([kind] + parts).compactMap(\.inResponse).joined(separator: ", ")
      self = .response(words, hasFoot: parts.contains(.network(.finished)))
    }
  }

  /// The width of a spine, and half of it.
  private static let halfSpine: Pixels = 3.5
  /// The distance from one spine to the next.
  static let spinePitch: Pixels = 8
  /// The height of a line of words.
  private static let line: Pixels = 14
  /// The size of words in marks.
  static let size = 11

  /// The distance that the sign reaches to the left of its column.
  var left: Pixels {
    switch self {
    case .start, .sent: 6.5
    case .demand, .part: 0
    case .value(_, let tints, _, _): Self.halfSpine + max(0, tints.count - 1) * Self.spinePitch
    case .response: Self.halfSpine
    case .printed: 1.5
    case .finished, .foot: 2
    case .failure, .cancelled: 7
    case .discard: 6
    }
  }

  /// The distance that the sign reaches to the right of its column.
  var right: Pixels {
    switch self {
    case .demand(let text): .monospaced(text.cells, size: Self.size)
    case .value(let lines, let tints, _, _): Self.width(of: lines) + (tints.isEmpty ? 7.5 : 13)
    case .response(let text, _): Self.width(of: [text]) + 7.5
    case .failure(let lines): lines.isEmpty ? 7 : 9 + Self.width(of: lines)
    // The words of a printed line may stand above or below those of the next ones.
    case .start, .sent, .part, .foot, .printed, .finished, .cancelled, .discard: left
    }
  }

  /// The distance that the sign reaches up from the middle of its row.
  var above: Pixels {
    switch self {
    case .failure(let lines): lines.count > 1 ? lines.count * Self.line - 1 : 10
    default: half
    }
  }

  /// The distance that the sign reaches down from the middle of its row, with its foot.
  var below: Pixels {
    switch self {
    case .value(_, _, _, hasFoot: true), .response(_, hasFoot: true): half + Self.footHeight + 1
    default: half
    }
  }

  /// Half of the height of the sign itself.
  private var half: Pixels {
    switch self {
    case .start, .sent, .discard: 6
    case .demand, .part, .foot: 0
    case .value(let lines, _, _, _): 11 + max(0, lines.count - 1) * Self.line.half
    case .response, .finished: 10
    case .printed, .failure, .cancelled: 7
    }
  }

  /// The height of a foot.
  private static let footHeight: Pixels = 12

  /// The place of a demand's text, to the right of the column.
  var demandOffset: Pixels { self == .start || self == .sent ? 8 : right + 3 }

  /// How far the middle of an end that stands at this is below the middle of its row.
  var footDrop: Pixels { half + 1 + Self.footHeight.half }

  /// The width of words in a mark.
  private static func width(of lines: [String]) -> Pixels {
    .monospaced(lines.map(\.cells).max() ?? 0, size: size)
  }

  // MARK: As SVG

  /// Writes the sign.
  ///
  /// - Parameters:
  ///   - pen: The pen to write with.
  ///   - x: The middle of its column; for demand, the left edge of its text.
  ///   - y: The middle of its row; for demand, that of its text.
  func elements(_ pen: SVGPen, x: Pixels, y: Pixels) -> [SVGElement] {
    switch self {
    case .start, .sent:
      [pen.path(self == .start ? "u us" : "u ur", "M\(x) \(y - 7)l6.5 12h-13z")]
    case .demand(let text): [pen.text("d u", text, x: x, y: y + 4)]
    case .value(let lines, let tints, let fate, _):
      (tints.isEmpty ? grey(fate, pen, x: x, y: y) : pill(tints, fate, pen, x: x, y: y))
        + words(
          lines, pen, fate == .delivered ? "y B" : "y", x: x + (tints.isEmpty ? 2 : 8), y: y)
    case .response(let text, _):
      [pen.path("p", "M\(x - left) \(y - half)h\(left + right)v20h\(-left - right)z")]
        + words([text], pen, x: x + 2, y: y)
    case .part: []
    case .foot:
      [pen.path("e", "M\(x) \(y - Self.footHeight.half)v\(Self.footHeight)")]
    case .printed(_, let tint):
      [pen.path(tint.map { "q\($0.colour + 1)" } ?? "i0", "M\(x - 1.5) \(y - 6)h3v13h-3z")]
    case .finished: [pen.path("e", "M\(x) \(y - 10)v20")]
    case .failure(let lines):
      [pen.path("x", "M\(x - 6) \(y - 6)l12 12m0-12l-12 12")]
        + lines.enumerated().map { index, line in
          pen.text("z", line, x: x + 9, y: y - 5 - (lines.count - 1 - index) * Self.line)
        }
    case .cancelled: [pen.path("c", "M\(x - 5.5) \(y - 5.5)h11v11h-11z")]
    case .discard:
      [
        pen.path("Z", "M\(x - 5) \(y)q0-5 5-5q5 0 5 5q0 5-5 5q-5 0-5-5z"),
        pen.path("w Z", "M\(x - 3.5) \(y + 3.5)l7-7"),
      ]
    }
  }

  private func words(
    _ lines: [String], _ pen: SVGPen, _ classes: String = "y", x: Pixels, y: Pixels
  ) -> [SVGElement] {
    let first = y + 4 - (lines.count - 1) * Self.line.half
    return lines.enumerated().compactMap { index, line in
      line.contains { $0 != " " }
        ? pen.text(classes, line, x: x, y: first + index * Self.line) : nil
    }
  }

  /// The box of a value that has no spine.
  private func grey(_ fate: ValueFate, _ pen: SVGPen, x: Pixels, y: Pixels) -> [SVGElement] {
    let (width, height) = (left + right - 8, half + half - 8)
    return [
      pen.path(
        fate == .dropped ? "p r" : "p",
        "M\(x - left + 4) \(y - half)h\(width)q4 0 4 4v\(height)q0 4-4 4h\(-width)q-4 0-4-4"
          + "v\(-height)q0-4 4-4z")
    ]
  }

  /// The box of a value, with its spines.
  private func pill(
    _ tints: [ValueTint], _ fate: ValueFate, _ pen: SVGPen, x: Pixels, y: Pixels
  ) -> [SVGElement] {
    let (top, height) = (y - half, half + half)
    let width = right - Self.halfSpine - 4
    let newest = tints[tints.count - 1].colour + 1
    let box = pen.path(
      fate == .dropped ? "p r" : fate == .delivered ? "v\(newest) B" : "v\(newest)",
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

extension Diagram {
  /// Whether demand stands at a mark, and not above its row.
  func demandHasMark(_ index: Int) -> Bool {
    guard let anchor = marks[index].anchor else { return false }
    return !marks[anchor].event.kind.isDemand || demandHasMark(anchor)
  }

  /// The place of a demand's text, to the right of its column: behind its mark, or behind other
  /// demand.
  func offset(ofDemand index: Int, _ signs: [PictureSign]) -> Pixels {
    guard let anchor = marks[index].anchor else { return 6 }
    if !marks[anchor].event.kind.isDemand { return signs[anchor].demandOffset }
    return offset(ofDemand: anchor, signs) + signs[anchor].right + 3
  }

  /// The signs of all marks.
  var signs: [PictureSign] {
    var parts: [Int: [Timeline.Event.Kind]] = [:]
    for mark in marks where !mark.event.kind.isDemand {
      if let anchor = mark.anchor { parts[anchor, default: []].append(mark.event.kind) }
    }
    let fates = ValueFate.fates(lanes)
    return marks.indices.map { index in
      let kind = marks[index].event.kind
      if marks[index].anchor != nil, kind.isFinish { return .foot }
      if marks[index].anchor != nil, case .network = kind { return .part }
      let cause = lanes.causes[index].map { marks[$0] }
      let isRepeated = cause.map { !$0.isHidden && $0.event.kind.error == kind.error } ?? false
      return PictureSign(
        kind, tints: tints[index], fate: fates[index], isBorn: !isRepeated,
        parts: parts[index] ?? [])
    }
  }
}

extension Timeline.Event.Kind {
  fileprivate var isFinish: Bool { self == .finished || self == .network(.finished) }

  fileprivate var error: String? {
    switch self {
    case .failure(let text), .network(.failed(let text)): text
    default: nil
    }
  }

  /// The words in the box of a response.
  fileprivate var inResponse: String? {
    switch self {
    case .network(.response(let status, let bytes)):
      bytes.map { "\(status), \($0) B" } ?? "\(status)"
    case .network(.chunk(let bytes)): "\(bytes) B"
    default: nil
    }
  }
}
