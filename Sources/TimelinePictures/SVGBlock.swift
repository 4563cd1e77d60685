import Timeline

/// Writes one block of a laid-out diagram as SVG.
struct SVGBlock {
  let layout: PictureLayout
  var index: Int
  /// The upper edges of all blocks of the layout.
  let tops: [Pixels]
  let idPrefix: String
  let pen: SVGPen
  let isEmbedded: Bool
  /// Whether each event has a group with a title to hover over.
  let hasGroups: Bool

  /// The elements, from back to front.
  var text: String {
    let attributes =
      isEmbedded
      ? " data-block=\"\(index)\" data-left=\"\(left)\" data-right=\"\(left + block.width)\""
        + " data-top=\"\(axisBottom)\" data-bottom=\"\(bottom)\""
      : ""
    return "<g\(attributes)>\n" + bands + axis + threadBars + hairlines
      + (layout.metrics.hasLabelsAbove ? "" : names) + lines + "</g>\n" + events
      // Names above lanes have a halo, for arrows that pass.
      + (layout.metrics.hasLabelsAbove ? "<g>\n\(names)</g>\n" : "")
  }

  // MARK: Places

  var block: PictureLayout.Block { layout.blocks[index] }
  var left: Pixels { PictureMetrics.margin + layout.metrics.labelWidth }
  private var axisBottom: Pixels { tops[index] + PictureMetrics.axisHeight }
  private var lanesTop: Pixels { tops[index] + layout.headHeight }
  private var bottom: Pixels { lanesTop + block.height }

  func x(_ column: Int) -> Pixels { left + block.x(ofColumn: column) }

  /// The middle of a row, or `nil` if it isn't in this block.
  func y(_ row: Int) -> Pixels? { block.places[row].map { lanesTop + $0.middle } }

  /// The height at which arrows go to the right next to a row; `nil` if it isn't in this block.
  func turn(_ row: Int, isDown: Bool) -> Pixels? {
    block.places[row].map { lanesTop + $0.turn(isDown: isDown) }
  }

  // MARK: Background

  /// The ground of instants that take several columns.
  private var bands: String {
    let path = block.bands.filter { $0.first < $0.last }.map { band in
      let width = band.right - band.left
      return "M\(left + band.left) \(axisBottom - 2)h\(width)V\(bottom)h\(-width)z"
    }
    return path.isEmpty ? "" : pen.path("b", path.joined()).markup + "\n"
  }

  private var axis: String {
    let (baseline, tick) = (axisBottom - 15, axisBottom - 9)
    var texts: [SVGElement] = []
    var ticks = ""
    for band in block.bands {
      let time = layout.unit.number(of: layout.diagram.instants[band.instant])
      let (first, last) = (left + band.first, left + band.last)
      texts.append(pen.text("s i j", time, x: first, y: baseline))
      ticks += first < last ? "M\(first) \(tick + 6)v-6H\(last)v6" : "M\(first) \(tick)v6"
      // Time stands still along the bracket.
      let words = "all at once"
      if last - first > 2 * Pixels.words(words.cells) {
        let middle = Pixels(halves: (first + last).halves / 2)
        texts.append(pen.text("s i j", words, x: middle, y: baseline))
      }
    }
    if let last = block.bands.last, let symbol = layout.unit.symbol {
      let time = layout.diagram.instants[last.instant]
      let half = Pixels.monospaced(layout.unit.number(of: time).cells, size: 11).half
      texts.append(pen.text("s i", symbol, x: left + last.first + half + 4, y: baseline))
    }
    for cut in block.breaks {
      texts.append(pen.text("s i j", "//", x: left + cut, y: baseline))
    }
    if block.startsWithBreak { texts.append(pen.text("s i", "//", x: left, y: baseline)) }
    return texts.markup + stretches(at: tick + 6) + pen.path("w", ticks).markup + "\n"
  }

  /// A line between two ticks: solid where the distance is to scale, and dotted where it isn't.
  private func stretches(at y: Pixels) -> String {
    var (solid, dotted) = ("", "")
    for (first, second) in block.stretches {
      let path = "M\(left + first.last + 4) \(y)H\(left + second.first - 4)"
      if layout.scale.isToScale(first, second) { solid += path } else { dotted += path }
    }
    return (solid.isEmpty ? "" : pen.path("h", solid).markup)
      + (dotted.isEmpty ? "" : pen.path("o", dotted).markup)
  }

  /// A line where each instant begins.
  private var hairlines: String {
    let path = block.bands.map { "M\(left + $0.first) \(axisBottom)V\(bottom)" }
    return pen.path("h", path.joined()).markup + "\n"
  }

  /// A bar with its name for each thread that ran.
  private var threadBars: String {
    let bars = block.threads.flatMap { run in
      let path = "M\(left + run.left) \(axisBottom + 2)h\(run.width)v5h\(-run.width)z"
      let bar = pen.path(run.number.isMultiple(of: 2) ? "p" : "i0", path)
      // A short run shows its thread by its bar. The longest one of each thread has its name.
      let longest = block.threads.filter { $0.number == run.number }.map(\.width).max()
      guard run.width == longest || run.width >= Pixels.words(run.name.cells) else { return [bar] }
      return [bar, pen.text("s i", run.name, x: left + run.left, y: axisBottom + 19)]
    }
    return bars.isEmpty ? "" : bars.markup + "\n"
  }

  private var names: String {
    let names = block.rows.compactMap { row -> SVGElement? in
      guard let place = block.places[row] else { return nil }
      let name = layout.diagram.lanes.rows[row].name.quotedIfNeeded
      return layout.metrics.hasLabelsAbove
        ? pen.text("m t n k", name, x: left, y: lanesTop + place.top + 14)
        : pen.text("m t", name, x: PictureMetrics.margin, y: lanesTop + place.middle + 4)
    }
    return names.markup + "\n"
  }

  private var lines: String {
    let lines = block.lines.compactMap { line -> SVGElement? in
      let columns = layout.diagram.columns(of: line).clamped(to: block.columns)
      guard !columns.isEmpty, let y = y(line.row) else { return nil }
      let marks = layout.diagram.marks
      let startsHere = marks[line.start].column >= block.columns.lowerBound
      let endsHere = line.end.map { marks[$0].column < block.columns.upperBound } ?? false
      let start = startsHere ? x(columns.lowerBound) : left
      let end = endsHere ? x(columns.upperBound - 1) : left + block.width
      guard start < end else { return nil }
      var path = "M\(start) \(y)"
      for cut in block.breaks.map({ left + $0 }) where start < cut && cut < end {
        path += "H\(cut - 3)m-2 5l4-10m2 10l4-10m-2 5"
      }
      path += "H\(end)"
      guard isEmbedded else { return pen.path("l", path) }
      let to = line.end.map { " data-to=\"\(marks[$0].event.number)\"" } ?? ""
      let from = " data-row=\"\(line.row)\" data-from=\"\(marks[line.start].event.number)\""
      return pen.path("l", path, attributes: from + to)
    }
    return (isEmbedded ? lines.map(\.markup).joined(separator: "\n") : lines.merged(pen)) + "\n"
  }

  // MARK: Events

  private var events: String {
    let marks = layout.diagram.marks
    let shown = block.marks.filter { isEmbedded || !marks[$0].isHidden }
    if !hasGroups { return "<g>\(shown.flatMap(content(of:)).merged(pen))</g>\n" }
    // Demand may stand to the left of earlier events, but a playhead doesn't go back to it.
    var reached = block.columns.lowerBound
    return shown.map { index in
      let mark = marks[index]
      reached = max(reached, mark.column)
      let data =
        isEmbedded
        ? " data-x=\"\(x(reached))\" data-row=\"\(mark.row)\" data-block=\"\(self.index)\"" : ""
      let name = layout.diagram.lanes.name(ofEvent: index)
      let sentence = mark.event.sentence(inLaneNamed: name).xml
      let title = "<title>\(layout.unit.text(of: mark.event.time)): \(sentence)</title>"
      let id = "\(idPrefix)e\(mark.event.number)"
      return "<g id=\"\(id)\"\(data)>\(title)\(content(of: index).markup)</g>\n"
    }.joined()
  }

  private func content(of index: Int) -> [SVGElement] {
    layout.diagram.marks[index].isHidden ? [] : arrows(to: index) + sign(index)
  }

  private func sign(_ index: Int) -> [SVGElement] {
    let mark = layout.diagram.marks[index]
    guard let y = y(mark.row) else { return [] }
    let x = x(mark.column)
    let sign = layout.signs[index]
    switch sign {
    case .demand:
      let offset = mark.anchor.map { layout.signs[$0].demandOffset } ?? 0
      return sign.elements(pen, x: x + offset, y: y - 10)
    case .printed:
      guard let place = block.printed[index] else { return [] }
      let first = y + place.line * PrintedLines.lineHeight
      let texts = place.texts.enumerated().map { line, text in
        pen.text(
          "y", text, x: x + PrintedLines.inset, y: first + 4 + line * PrintedLines.lineHeight)
      }
      return sign.elements(pen, x: x, y: first) + texts
    default: return sign.elements(pen, x: x, y: y)
    }
  }
}
