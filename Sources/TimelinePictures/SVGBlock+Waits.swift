extension SVGBlock {
  /// The bars of the times that operators let pass: solid with a clock if the time has passed,
  /// and dashed if the timer was stopped.
  var waitBars: String {
    let elements = layout.bars.flatMap { bar -> [SVGElement] in
      let wait = layout.diagram.lanes.waits[bar.wait]
      guard let y = y(ofMark: wait.life), bar.start < block.columns.upperBound,
        bar.end >= block.columns.lowerBound
      else { return [] }
      let startsHere = block.columns.contains(bar.start)
      let endsHere = block.columns.contains(bar.end)
      let start = startsHere ? x(bar.start) : left
      let end = endsHere ? x(bar.end) : left + block.width
      let number = layout.diagram.marks[wait.start].event.number
      let attributes = isEmbedded ? " data-row=\"\(bar.row)\" data-from=\"\(number)\"" : ""
      let classes = bar.isOver ? "W p" : "H p"
      let cuts = block.breaks.map { left + $0 }.filter { start < $0 && $0 < end }
      return [pen.path(classes, "M\(start) \(y - 4)H\(end)v8H\(start)z", attributes: attributes)]
        + cuts.map { pen.path("w", "M\($0 - 5) \(y + 5)l4-10m2 10l4-10") }
        // Not under the sign that stands at the end.
        + (bar.hasClock && endsHere ? clock(from: start, to: end - 7, y: y) : [])
        + arrow(to: bar, y: y)
    }
    return elements.isEmpty ? "" : elements.markup + "\n"
  }

  /// The arrow from the event that started a timer.
  private func arrow(to bar: WaitBar, y: Pixels) -> [SVGElement] {
    guard let cause = bar.cause, block.columns.contains(layout.diagram.marks[cause].column),
      let top = self.y(ofMark: cause)
    else { return [] }
    let (x, tip) = (x(layout.diagram.marks[cause].column), y - 5)
    return [
      pen.path("o", "M\(x) \(top + layout.signs[cause].below + 1)V\(tip)"),
      pen.path("w", "M\(x - 3.5) \(tip - 4)l3.5 4 3.5-4"),
    ]
  }
}
