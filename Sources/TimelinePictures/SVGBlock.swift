import Timeline

/// Writes one block of a laid-out diagram as SVG.
struct SVGBlock {
  let layout: PictureLayout
  var index: Int
  /// The upper edges of all blocks of the layout.
  let tops: [Pixels]
  /// The number of the layout's first block in its part.
  let firstNumber: Int
  let idPrefix: String
  let pen: SVGPen
  let isEmbedded: Bool
  /// Whether each event has a group with a title to hover over.
  let hasGroups: Bool

  /// The elements, from back to front.
  var text: String {
    let attributes =
      isEmbedded
      ? " data-block=\"\(firstNumber + index)\" data-left=\"\(left)\" data-right=\"\(left + block.width)\""
        + " data-top=\"\(axisBottom)\" data-bottom=\"\(bottom)\""
      : ""
    return "<g\(attributes)>\n" + bands + axis + threadBars + hairlines
      + (layout.metrics.hasLabelsAbove ? "" : names) + lines + waitBars + "</g>\n" + events
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

  /// The height of a row's first level, or `nil` if it isn't in this block.
  func y(_ row: Int) -> Pixels? { block.places[row].map { lanesTop + $0.middle } }

  /// The height of a mark, or `nil` if its row isn't in this block.
  func y(ofMark index: Int) -> Pixels? {
    y(layout.diagram.marks[index].row).map { $0 + layout.drop(ofMark: index) }
  }

  /// The height at which arrows go to the right next to a row; `nil` if it isn't in this block.
  func turn(_ row: Int, isDown: Bool) -> Pixels? {
    block.places[row].map { lanesTop + $0.turn(isDown: isDown) }
  }

  // MARK: Background

  private var axis: String {
    let (baseline, tick) = (axisBottom - 15, axisBottom - 9)
    var texts: [SVGElement] = []
    var ticks = ""
    for instant in block.instants {
      let time = layout.unit.number(of: layout.diagram.instants[instant.lowerBound])
      texts.append(pen.text("s i j", time, x: x(instant.lowerBound), y: baseline))
      let (left, right) = band(of: instant)
      ticks += "M\(left) \(tick + (left < right ? 6 : 0))"
      ticks += left < right ? "v-6H\(right)v6" : "v6"
    }
    if let last = block.instants.last?.lowerBound, let symbol = layout.unit.symbol {
      let time = layout.diagram.instants[last]
      let half = Pixels.monospaced(layout.unit.number(of: time).cells, size: 11).half
      texts.append(pen.text("s i", symbol, x: x(last) + half + 4, y: baseline))
    }
    for cut in block.breaks {
      texts.append(pen.text("s i j X", "//", x: left + cut, y: baseline))
    }
    if block.startsWithBreak { texts.append(pen.text("s i X", "//", x: left, y: baseline)) }
    return texts.markup + stretches(at: tick + 6) + pen.path("w", ticks).markup + "\n"
  }

  /// A line between two ticks where the distance is to scale, and a wave where it isn't.
  private func stretches(at y: Pixels) -> String {
    var (line, waves) = ("", "")
    for column in block.stretches {
      let end = x(column + 1) - layout.band(ofColumn: column + 1)
      if layout.scale.isToScale(after: column, in: block) {
        line += "M\(x(column) + 4) \(y)H\(end - 4)"
      } else {
        waves += pen.wave(from: x(column) + 2, to: end - 2, y: y - 3).markup
      }
    }
    return (line.isEmpty ? "" : pen.path("h", line).markup) + waves
  }

  /// The edges of an instant's band, which are equal if it's only a line.
  private func band(of instant: Range<Int>) -> (left: Pixels, right: Pixels) {
    let first = instant.lowerBound
    return (x(first) - layout.band(ofColumn: first), x(instant.upperBound - 1))
  }

  /// The bands of the instants that are more than a line. A bracket on the axis spans each.
  private var bands: String {
    let path = block.instants.map(band(of:)).filter { $0.left < $0.right }.map { left, right in
      "M\(left) \(axisBottom)h\(right - left)V\(bottom)h\(left - right)z"
    }
    return path.isEmpty ? "" : pen.path("b", path.joined()).markup + "\n"
  }

  /// A line where each instant begins.
  private var hairlines: String {
    let path = block.columns.map { "M\(x($0)) \(axisBottom)V\(bottom)" }
    return pen.path("h", path.joined()).markup + "\n"
  }

  /// A row for each thread, with a bar at each instant at which it ran something.
  private var threadBars: String {
    let rows = zip(layout.diagram.threads, block.threads).enumerated().flatMap { index, thread in
      let (name, places) = thread
      let top = axisBottom + 3 + index * PictureMetrics.threadHeight
      let bars = places.map { "M\(left + $0 - 6) \(top)h12v5h-12z" }.joined()
      let bar = bars.isEmpty ? [] : [pen.path(index.isMultiple(of: 2) ? "p" : "i0", bars)]
      let label =
        layout.metrics.hasLabelsAbove
        ? pen.text("s i n k", name, x: left + (places.last ?? 0) + 10, y: top + 7)
        : pen.text("s i", name, x: PictureMetrics.margin, y: top + 7)
      return bar + [label]
    }
    return rows.isEmpty ? "" : rows.markup + "\n"
  }

  private var names: String {
    let names = block.rows.compactMap { row -> SVGElement? in
      guard let place = block.places[row] else { return nil }
      let name = layout.diagram.lanes.rows[row].name.quotedIfNeeded
      return layout.metrics.hasLabelsAbove
        ? pen.text("m t n k", name, x: left, y: lanesTop + place.top + 14)
        : pen.text(
          "m t", name, x: PictureMetrics.margin, y: lanesTop + place.middle + place.name + 4)
    }
    return names.markup + "\n"
  }

  private var lines: String {
    let lines = block.lines.flatMap { line -> [SVGElement] in
      let columns = layout.diagram.columns(of: line).clamped(to: block.columns)
      guard !columns.isEmpty, let y = y(ofMark: line.start) else { return [] }
      let marks = layout.diagram.marks
      let path = path(of: line, columns, y)
      guard !path.isEmpty else { return [] }
      // A request on its way is a tube.
      let isRequest = layout.diagram.lanes.rows[line.row].lane.role == .request
      let classes = isRequest ? ["l D", "k C"] : ["l"]
      guard isEmbedded else { return classes.map { pen.path($0, path) } }
      let to = line.end.map { " data-to=\"\(marks[$0].event.number)\"" } ?? ""
      let from = " data-row=\"\(line.row)\" data-from=\"\(marks[line.start].event.number)\""
      return classes.map { pen.path($0, path, attributes: from + to) }
    }
    return (isEmbedded ? lines.map(\.markup).joined(separator: "\n") : lines.merged(pen)) + "\n"
  }

  /// The line of a life, at the height of its start. It goes down where its marks stand below each
  /// other.
  private func path(of line: LaneRows.Line, _ columns: Range<Int>, _ y: Pixels) -> String {
    let marks = layout.diagram.marks
    let startsHere = marks[line.start].column >= block.columns.lowerBound
    let endsHere = line.end.map { marks[$0].column < block.columns.upperBound } ?? false
    let start = startsHere ? x(columns.lowerBound) : left
    let end = endsHere ? x(columns.upperBound - 1) : left + block.width
    var path = ""
    if start < end {
      path = "M\(start) \(y)"
      for cut in block.breaks.map({ left + $0 }) where start < cut && cut < end {
        path += "H\(cut - 3)m-2 5l4-10m2 10l4-10m-2 5"
      }
      path += "H\(end)"
    }
    let life = line.start...(line.end ?? marks.count - 1)
    for stack in block.stacks[line.row] ?? [] {
      guard let last = stack.last(where: life.contains) else { continue }
      if let end = self.y(ofMark: last), y < end {
        path += "M\(x(marks[last].column)) \(y)V\(end)"
      }
    }
    return path
  }

  // MARK: Events

  private var events: String {
    let marks = layout.diagram.marks
    let shown = block.marks.filter { isEmbedded || !marks[$0].isHidden }
    if !hasGroups { return "<g>\(shown.flatMap(content(of:)).merged(pen))</g>\n" }
    return shown.map { index in
      let mark = marks[index]
      let data =
        isEmbedded
        ? " data-x=\"\(x(mark.column))\" data-row=\"\(mark.row)\" data-block=\"\(firstNumber + self.index)\""
        : ""
      let name = layout.diagram.lanes.name(ofEvent: index)
      let sentence = mark.event.sentence(inLaneNamed: name).xml
      let title = "<title>\(layout.unit.text(of: mark.event.time)): \(sentence)</title>"
      let id = "\(idPrefix)e\(mark.event.number)"
      return "<g id=\"\(id)\"\(data)>\(title)\(content(of: index).markup)</g>\n"
    }.joined()
  }

  private func content(of index: Int) -> [SVGElement] {
    layout.diagram.marks[index].isHidden
      ? [] : arrows(to: index) + hop(index) + discards(of: index) + sign(index)
  }

  /// The places where operators dropped a value, each with a line from it.
  private func discards(of value: Int) -> [SVGElement] {
    (layout.discardsOfValue[value] ?? []).flatMap { index -> [SVGElement] in
      let x = x(layout.diagram.marks[value].column)
      guard let row = y(layout.diagram.discards[index].row), let top = y(ofMark: value) else {
        return []
      }
      let y = row + layout.drop(ofDiscard: index)
      let start = top + layout.signs[value].below + 1
      let line =
        layout.discardsWithLine.contains(index)
        ? [pen.path("r Z", "M\(x) \(start)V\(y - 6)")] : []
      return line + PictureSign.discard.elements(pen, x: x, y: y)
    }
  }

  /// The name of a thread, at the first mark of a push that another thread takes over.
  private func hop(_ index: Int) -> [SVGElement] {
    let mark = layout.diagram.marks[index]
    guard let name = layout.diagram.threadThatTakesOver(at: index), let y = y(ofMark: index) else {
      return []
    }
    let top = y - layout.signs[index].above
    // Behind the name of the lane, if that stands there.
    let lane = layout.diagram.lanes.rows[mark.row].name.quotedIfNeeded
    let edge =
      layout.metrics.hasLabelsAbove ? left + .monospaced(lane.cells, size: 12) + 6 : left
    return [pen.text("s i", name, x: max(x(mark.column) + 8, edge), y: top - 3)]
  }

  private func sign(_ index: Int) -> [SVGElement] {
    let mark = layout.diagram.marks[index]
    guard let y = y(ofMark: index) else { return [] }
    let x = x(mark.column)
    let sign = layout.signs[index]
    switch sign {
    case .demand:
      let rise = layout.diagram.demandHasMark(index) ? 10 : layout.rise(of: mark)
      let offset = layout.diagram.offset(ofDemand: index, layout.signs)
      return sign.elements(pen, x: x + offset, y: y - rise)
    case .foot:
      let drop = mark.anchor.map { layout.signs[$0].footDrop } ?? 0
      return sign.elements(pen, x: x, y: y + drop)
    case .printed(let text, _):
      let place = block.printed[index] ?? PrintedLines.Place(line: 0, texts: [text])
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
