import Timeline
import VirtualTime

extension TimeStrips {
  /// The strips as a picture: an SVG file with time from left to right, to scale.
  ///
  /// Each range of times has the number of its outcome, and its colour. The usual outcome has none.
  /// Below a range stands its first time, and a triangle points to the usual one. The words of the
  /// outcomes stand below the strips. The file follows the reader's light or dark scheme, and has a
  /// title and a description for screen readers. The same table always gives the same bytes.
  ///
  /// - Parameters:
  ///   - title: What's running, which stands above the strips.
  ///   - style: `wide` for a page, `narrow` for a phone.
  /// - Returns: An SVG document that ends in a newline.
  public func svg(title: String, style: Timeline.PictureStyle = .wide) -> String {
    var picture = StripPicture(self, width: Pixels(style.width))
    return picture.svg(title: title.onOneLine)
  }
}

/// Draws strips from the top down.
private struct StripPicture {
  private static let margin = PictureMetrics.margin
  private static let line: Pixels = 16
  private static let barHeight: Pixels = 24
  /// The space of the triangle.
  private static let markerHeight: Pixels = 14
  private static let labelHeight: Pixels = 12
  private static let neverWidth: Pixels = 36
  private static let neverGap: Pixels = 12
  /// The least width of a range, so that it can be seen.
  static let leastWidth: Pixels = 4
  /// The space at both sides of a number in its range.
  private static let padding: Pixels = 3
  private static let swatch: Pixels = 22
  /// The most lines of the words of an outcome.
  private static let mostLines = 3

  private let strips: TimeStrips
  private let pen = SVGPen(prefix: "")
  private let width: Pixels
  private let unit = TimeUnit.milliseconds
  private let hasNever: Bool
  /// The time at the right end.
  private let end: VirtualTime
  private var body = ""
  private var y: Pixels = 0

  init(_ strips: TimeStrips, width: Pixels) {
    (self.strips, self.width) = (strips, width)
    hasNever = strips.strips.contains { $0.never != nil }
    let times = strips.strips.flatMap { strip in
      [strip.usual] + strip.ranges.flatMap { [$0.start, $0.end].compactMap(\.self) }
    }
    let last = times.filter { $0 != .max }.max() ?? .zero
    // Room for the last range, which may have no end.
    end = VirtualTime(nanoseconds: max(1, last.nanoseconds + last.nanoseconds / 8))
  }

  private var left: Pixels { Self.margin }
  private var right: Pixels { width - Self.margin }

  /// The right end of the axis.
  private var axisEnd: Pixels { hasNever ? right - Self.neverWidth - Self.neverGap : right }

  private func x(_ time: VirtualTime) -> Pixels {
    let share = Double(time.nanoseconds) / Double(end.nanoseconds)
    return left + Pixels(halves: Int((Double((axisEnd - left).halves) * min(1, share)).rounded()))
  }

  mutating func svg(title: String) -> String {
    y = 8
    write(title, "t f")
    for (index, strip) in strips.strips.enumerated() { draw(strip, index) }
    y = y + 12
    key()
    let height = y + 8
    let card = pen.rect("g", x: 0.5, y: 0.5, width: width - 1, height: height - 1, radius: 8).markup
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-labelledby="t d">
      <title id="t">\(title.xml)</title>
      <desc id="d">\(strips.description.xml)</desc>
      <style>\(PictureColours.styleSheet(for: card + body))</style>
      \(card)
      \(body)</svg>

      """
  }

  /// How many characters fit into a width, by a generous estimate.
  private func characters(in width: Pixels, isBold: Bool = false) -> Int {
    max(8, width.halves * 2 / (isBold ? 29 : 27))
  }

  /// Writes a text in as many lines as it needs.
  private mutating func write(_ text: String, _ classes: String, indentation: Pixels = 0) {
    let most = characters(in: right - left - indentation, isBold: classes.contains("f"))
    for line in text.wrapped(at: most) {
      body += pen.text(classes, line, x: left + indentation, y: y + 13).markup + "\n"
      y = y + Self.line
    }
  }

  private mutating func draw(_ strip: TimeStrips.Strip, _ index: Int) {
    y = y + 12
    body += "<g id=\"strip\(index + 1)\">\n"
    write(strip.name.onOneLine, "t")
    y = y + Self.markerHeight
    if strip.usual != .max { mark(strip.usual) }
    if let first = strip.ranges.first, first.start > .zero {
      let middle = y + Self.barHeight.half
      body += pen.path("h", "M\(left) \(middle)H\(x(first.start))").markup + "\n"
    }
    let edges = edges(of: strip)
    // Narrow ones last, because they may cover the edge of the next one.
    let isNarrow = { (index: Int) in edges[index].1 - edges[index].0 <= Self.leastWidth }
    for index in edges.indices.filter({ !isNarrow($0) }) + edges.indices.filter(isNarrow) {
      draw(strip.ranges[index], from: edges[index].0, to: edges[index].1)
    }
    if let never = strip.never {
      let start = right - Self.neverWidth
      let box = bar(
        never, "M\(start) \(y)h\(Self.neverWidth)v\(Self.barHeight)h-\(Self.neverWidth)z")
      let number = number(never, x: start + Self.neverWidth.half)
      body += group("never: outcome \(never)", box + number)
      body += pen.text("s i j", "never", x: start + Self.neverWidth.half, y: y + 38).markup + "\n"
    }
    y = y + Self.barHeight
    labels(of: strip, edges)
    body += "</g>\n"
  }

  /// The left and the right edge of each range.
  private func edges(of strip: TimeStrips.Strip) -> [(Pixels, Pixels)] {
    strip.ranges.indices.map { index in
      let range = strip.ranges[index]
      let next = index + 1 < strip.ranges.count ? strip.ranges[index + 1].start : range.end
      let start = x(range.start)
      return (start, max(start + Self.leastWidth, next.map(x) ?? axisEnd))
    }
  }

  private mutating func draw(_ range: TimeStrips.Range, from start: Pixels, to end: Pixels) {
    let (width, height) = (end - start, Self.barHeight)
    // A range without an end has a point.
    let hasPoint = range.end == nil && width > 12
    let outline =
      hasPoint
      ? "M\(start) \(y)h\(width - 6)l6 \(height.half)l-6 \(height.half)h-\(width - 6)z"
      : "M\(start) \(y)h\(width)v\(height)h-\(width)z"
    let number = fits(range, width) ? number(range.outcome, x: start + width.half) : []
    body += group(
      "\(range.words(in: unit)): outcome \(range.outcome)", bar(range.outcome, outline) + number)
  }

  /// Whether the number of a range fits into it.
  private func fits(_ range: TimeStrips.Range, _ width: Pixels) -> Bool {
    width >= Pixels.monospaced("\(range.outcome)".count, size: 11) + 2 * Self.padding
  }

  /// Points to the usual time.
  private mutating func mark(_ time: VirtualTime) {
    let (middle, words) = (x(time), unit.text(of: time))
    body += pen.path("t", "M\(middle) \(y - 1)l-4.5-7h9z").markup
    let width = Pixels(halves: words.cells * 15)
    let start = middle + 8 + width <= axisEnd ? middle + 8 : max(left, middle - 8 - width)
    body += pen.text("s i", words, x: start, y: y - 2).markup + "\n"
  }

  private func bar(_ outcome: Int, _ outline: String) -> [SVGElement] {
    let place = strips.outcomes.firstIndex(of: outcome) ?? 0
    return [pen.path(place == 0 ? "p" : "v\(place)", outline)]
  }

  private func number(_ outcome: Int, x: Pixels) -> [SVGElement] {
    [pen.text("y f j", "\(outcome)", x: x, y: y + 16)]
  }

  private func group(_ title: String, _ elements: [SVGElement]) -> String {
    "<g><title>\(title.xml)</title>\(elements.markup)</g>\n"
  }

  /// The first time of each range, with the number if that doesn't fit into the range. Times that
  /// would touch stand in several lines.
  private mutating func labels(of strip: TimeStrips.Strip, _ edges: [(Pixels, Pixels)]) {
    var starts: [Pixels] = []
    // From the right, so that no line to a lower text crosses an upper one.
    for (index, range) in strip.ranges.enumerated().reversed() {
      let edge = edges[index]
      let isLast = index == strip.ranges.count - 1
      let time = isLast ? unit.text(of: range.start) : unit.number(of: range.start)
      let text = fits(range, edge.1 - edge.0) ? time : "\(range.outcome): \(time)"
      let width = Pixels(halves: text.cells * 14)
      let start = max(left, min(edge.0, axisEnd - width))
      let row = starts.firstIndex { start + width + 3 <= $0 } ?? starts.count
      if row == starts.count { starts.append(0) }
      starts[row] = start
      let top = y + row * Self.labelHeight
      if row > 0 { body += pen.path("h", "M\(edge.0) \(y)V\(top + 4)").markup }
      body += pen.text("s i", text, x: start, y: top + 14).markup + "\n"
    }
    y = y + max(1, starts.count) * Self.labelHeight + 6
  }

  /// What the numbers, the colours and the triangle mean.
  private mutating func key() {
    body += "<g id=\"key\">\n"
    for outcome in strips.outcomes {
      let (top, height) = (y, Pixels(18))
      let box = bar(outcome, "M\(left) \(top)h\(Self.swatch)v\(height)h-\(Self.swatch)z")
      let number = pen.text("y f j", "\(outcome)", x: left + Self.swatch.half, y: top + 13)
      body += (box + [number]).markup
      write(words(for: outcome), "t", indentation: Self.swatch + 8)
      y = max(y, top + height) + 6
    }
    body += pen.path("t", "M\(left + Self.swatch.half) \(y + 11)l-4.5-7h9z").markup
    write("the usual time", "t", indentation: Self.swatch + 8)
    for remark in strips.remarks {
      y = y + 4
      write(remark.onOneLine, "s")
    }
    body += "</g>\n"
  }

  /// As many of the words of an outcome as fit in a few lines.
  private func words(for outcome: Int) -> String {
    let phrases = strips.words(for: outcome).map(\.onOneLine)
    let most = characters(in: right - left - Self.swatch - 8) * Self.mostLines
    var count = phrases.count
    func text() -> String {
      let left = phrases.count - count
      return phrases.prefix(count).joined(separator: ", ")
        + (left == 0 ? "" : ", and \(left) more \(left == 1 ? "change" : "changes")")
    }
    while count > 1, text().cells > most { count -= 1 }
    return text()
  }
}
