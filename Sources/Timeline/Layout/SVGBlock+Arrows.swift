extension SVGBlock {
  /// Writes the arrow to an effect in this block.
  ///
  /// If its cause is in an earlier block, the arrow comes in two pieces. One goes from the cause to
  /// the right edge of that block. The other goes from the left edge of this block to the effect.
  func arrows(to effect: Int) -> [SVGElement] {
    layout.arrow(to: effect).map(elements(of:)) ?? []
  }

  private func elements(of arrow: Diagram.Arrow) -> [SVGElement] {
    let column = layout.diagram.marks[arrow.cause].column
    if block.columns.contains(column) { return elements(inOneBlock: arrow) }
    let departure = block(layout.block(ofColumn: column)).departure(of: arrow)
    return [departure].compactMap { $0 } + arrival(of: arrow)
  }

  private func elements(inOneBlock arrow: Diagram.Arrow) -> [SVGElement] {
    guard let ends = Ends(arrow, layout), let y1 = y(ends.cause.row), let y2 = y(ends.effect.row)
    else { return [] }
    let x1 = x(ends.cause.column)
    let x2 = x(ends.effect.column)
    let tip = ends.tip(y2)
    if x1 == x2 { return [pen.path("a", "M\(x1) \(ends.start(y1))V\(tip)\(ends.head)")] }
    if arrow.leavesSideways {
      let edge = x1 + layout.signs[arrow.cause].left
      return line(of: arrow, "M\(edge) \(y1)H\(x2 - 4)q4 0 4 -4V\(tip)", to: x2, tip, ends)
    }
    let radius = Pixels(halves: min(8, abs((x2 - x1).halves) / 2))
    let curve = ends.sign(radius)
    let turn = turn(of: arrow, ends, y1)
    let bend = ends.bend(radius, y1, turn)
    return line(
      of: arrow,
      "M\(x1) \(ends.start(y1))V\(turn - bend)q0 \(bend) \(radius) \(bend)"
        + "H\(x2 - radius)q\(radius) 0 \(radius) \(curve)V\(tip)",
      to: x2, tip, ends)
  }

  /// The piece of an arrow from its cause in this block to the block's right edge.
  private func departure(of arrow: Diagram.Arrow) -> SVGElement? {
    guard let ends = Ends(arrow, layout), let y = y(ends.cause.row) else { return nil }
    let x = x(ends.cause.column)
    let right = left + block.width
    let classes = arrow.isDashed ? "a o w" : "a o"
    if arrow.leavesSideways {
      return pen.path(classes, "M\(x + layout.signs[arrow.cause].left) \(y)H\(right)")
    }
    let turn = turn(of: arrow, ends, y)
    let bend = ends.bend(4, y, turn)
    return pen.path(
      classes, "M\(x) \(ends.start(y))V\(turn - bend)q0 \(bend) 4 \(bend)H\(right)")
  }

  /// The piece of an arrow from the left edge of this block. If this block doesn't have
  /// the row of the cause, it starts as if that were next to the row of the effect.
  private func arrival(of arrow: Diagram.Arrow) -> [SVGElement] {
    guard let ends = Ends(arrow, layout), let y2 = y(ends.effect.row) else { return [] }
    let x2 = x(ends.effect.column)
    let tip = ends.tip(y2)
    let radius = Pixels(halves: min(8, (x2 - left).halves / 2))
    let curve = ends.sign(radius)
    let y1 = y(ends.cause.row) ?? y2 - ends.sign(layout.metrics.rowHeight)
    let turn = turn(of: arrow, ends, y1)
    return line(
      of: arrow, "M\(left) \(turn)H\(x2 - radius)q\(radius) 0 \(radius) \(curve)V\(tip)", to: x2,
      tip, ends)
  }

  /// The height at which an arrow goes to the right in this block.
  private func turn(of arrow: Diagram.Arrow, _ ends: Ends, _ y1: Pixels) -> Pixels {
    let offset = layout.tracks.offset(
      ofArrowFrom: arrow.cause, isDown: ends.isDown, inBlock: index)
    return ends.turn(y1) + ends.sign(offset)
  }

  private func line(
    of arrow: Diagram.Arrow, _ path: String, to x: Pixels, _ tip: Pixels, _ ends: Ends
  ) -> [SVGElement] {
    [
      pen.path(arrow.isDashed ? "a o w" : "a o", path), pen.path("a", "M\(x) \(tip)\(ends.head)"),
    ]
  }
}

/// The marks at both ends of an arrow.
private struct Ends {
  let cause: Diagram.Mark
  let effect: Diagram.Mark
  let isDown: Bool
  private let reachOfCause: Pixels
  private let reachOfEffect: Pixels
  private let hasLabelsAbove: Bool

  /// `nil` if both are in the same row.
  init?(_ arrow: Diagram.Arrow, _ layout: PictureLayout) {
    cause = layout.diagram.marks[arrow.cause]
    effect = layout.diagram.marks[arrow.effect]
    guard cause.row != effect.row else { return nil }
    isDown = cause.row < effect.row
    reachOfCause = layout.signs[arrow.cause].reach(isDown: isDown)
    reachOfEffect = layout.signs[arrow.effect].reach(isDown: !isDown)
    hasLabelsAbove = layout.metrics.hasLabelsAbove
  }

  /// A length in the direction of the arrow.
  func sign(_ length: Pixels) -> Pixels { isDown ? length : -length }

  func start(_ y: Pixels) -> Pixels { y + sign(reachOfCause + 1) }

  func tip(_ y: Pixels) -> Pixels { y - sign(reachOfEffect + 2) }

  /// The height at which the arrow goes to the right: between the marks of two rows, and clear of
  /// demand and names.
  func turn(_ y: Pixels) -> Pixels { isDown ? y + 15 : y - (hasLabelsAbove ? 31 : 19) }

  /// The height of the curve with which an arrow turns to the right. It may start close to the
  /// turn.
  func bend(_ radius: Pixels, _ y1: Pixels, _ turn: Pixels) -> Pixels {
    sign(min(radius, sign(turn - start(y1))))
  }

  /// The commands of the arrowhead.
  var head: String { "l-3.5 \(sign(-6))h7l-3.5 \(sign(6))" }
}
