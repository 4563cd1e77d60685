/// Writes one block of a laid-out diagram as SVG.
struct SVGBlock {
  let layout: PictureLayout
  let block: PictureLayout.Block
  let pen: SVGPen
  /// The upper edges of all blocks of the layout.
  let tops: [Pixels]
  let index: Int
  private let idPrefix: String
  private let isEmbedded: Bool
  private let detail: SVGWriter.Detail

  init(
    _ layout: PictureLayout, block index: Int, tops: [Pixels], idPrefix: String, pen: SVGPen,
    isEmbedded: Bool, detail: SVGWriter.Detail
  ) {
    self.layout = layout
    self.index = index
    block = layout.blocks[index]
    self.tops = tops
    self.idPrefix = idPrefix
    self.pen = pen
    self.isEmbedded = isEmbedded
    self.detail = detail
  }

  /// The elements, from back to front.
  var elements: String {
    let attributes =
      isEmbedded
      ? " data-block=\"\(index)\" data-left=\"\(left)\" data-right=\"\(left + block.width)\""
        + " data-top=\"\(lanesTop)\" data-bottom=\"\(bottom)\""
      : ""
    let names = names
    let isAbove = layout.metrics.hasLabelsAbove
    return "<g\(attributes)>\n" + bands + axis + hairlines + (isAbove ? "" : names) + lines
      + "</g>\n" + events
      // Names above lanes have a halo, for arrows that they can't avoid.
      + (isAbove ? "<g>\n\(names)</g>\n" : "")
  }

  // MARK: Places

  private var top: Pixels { tops[index] }
  var left: Pixels { PictureMetrics.margin + layout.metrics.labelWidth }
  private var lanesTop: Pixels { top + PictureMetrics.axisHeight }
  private var bottom: Pixels { lanesTop + block.rows.count * layout.metrics.rowHeight }

  func x(_ column: Int) -> Pixels { left + block.x(ofColumn: column) }

  /// The middle of a row, or `nil` if it isn't in this block.
  func y(_ row: Int) -> Pixels? {
    block.places[row].map {
      lanesTop + $0 * layout.metrics.rowHeight + layout.metrics.middle
    }
  }

  // MARK: Background

  private var bands: String {
    let path = block.bands.map { band in
      let right = band.right - band.left
      return "M\(left + band.left) \(lanesTop)h\(right)V\(bottom)h\(-right)z"
    }
    return pen.path("b", path.joined()).markup + "\n"
  }

  private var axis: String {
    var texts: [SVGElement] = []
    for band in block.bands {
      let time = layout.diagram.instants[band.instant]
      texts.append(
        pen.text("s i j", layout.unit.number(of: time), x: left + band.label, y: lanesTop - 9))
    }
    if let last = block.bands.last {
      let time = layout.diagram.instants[last.instant]
      let half = Pixels.monospaced(layout.unit.number(of: time).cells, size: 11).half
      texts.append(
        pen.text("s i", layout.unit.symbol, x: left + last.label + half + 4, y: lanesTop - 9))
    }
    for cut in block.breaks {
      texts.append(pen.text("s i j", "//", x: left + cut, y: lanesTop - 9))
    }
    if block.startsWithBreak { texts.append(pen.text("s i", "//", x: left, y: lanesTop - 9)) }
    return texts.markup + "\n"
  }

  private var hairlines: String {
    let path = block.rows.compactMap { row in
      y(row).map { "M\(left) \($0)h\(block.width)" }
    }
    return pen.path("h", path.joined()).markup + "\n"
  }

  private var names: String {
    let names = block.rows.compactMap { row -> SVGElement? in
      guard let y = y(row) else { return nil }
      let name = layout.diagram.rows[row].name.quotedIfNeeded
      guard let place = layout.place(ofName: row, inBlock: index) else {
        return pen.text("m t", name, x: PictureMetrics.margin, y: y + 4)
      }
      return pen.text("m t k", name, x: left + place, y: y - 18)
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
    if detail == .shapes { return "<g>\(shown.flatMap(content(of:)).merged(pen))</g>\n" }
    // Demand may stand to the left of earlier events, but a playhead doesn't go back to it.
    var reached = block.columns.lowerBound
    return shown.map { index in
      let mark = marks[index]
      reached = max(reached, mark.column)
      let data =
        isEmbedded
        ? " data-x=\"\(x(reached))\" data-row=\"\(mark.row)\" data-block=\"\(self.index)\"" : ""
      var title = ""
      if detail == .titles {
        let name = layout.diagram.name(of: mark)
        let sentence = mark.event.sentence(inLaneNamed: name).xml
        title = "<title>\(layout.unit.text(of: mark.event.time)): \(sentence)</title>"
      }
      let id = "\(idPrefix)e\(mark.event.number)"
      return "<g id=\"\(id)\"\(data)>\(title)\(content(of: index).markup)</g>\n"
    }.joined()
  }

  /// This block's neighbour, in which an arrow starts.
  func block(_ index: Int) -> SVGBlock {
    SVGBlock(
      layout, block: index, tops: tops, idPrefix: idPrefix, pen: pen, isEmbedded: isEmbedded,
      detail: detail)
  }

  private func content(of index: Int) -> [SVGElement] {
    layout.diagram.marks[index].isHidden ? [] : arrows(to: index) + sign(index)
  }

  private func sign(_ index: Int) -> [SVGElement] {
    let mark = layout.diagram.marks[index]
    guard let y = y(mark.row) else { return [] }
    if case .demand(let text) = layout.signs[index] {
      let offset = mark.anchor.map { layout.signs[$0].demandOffset } ?? 0
      return [pen.text("d u", text, x: x(mark.column) + offset, y: y - 6)]
    }
    return layout.signs[index].elements(pen, x: x(mark.column), y: y)
  }
}
