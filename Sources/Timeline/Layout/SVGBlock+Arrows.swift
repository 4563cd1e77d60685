extension SVGBlock {
  /// Writes the arrows to an effect in this block.
  ///
  /// If a cause is in an earlier block, its arrow comes in two pieces. One goes from the cause to
  /// the right edge of that block. The other goes from the left edge of this block to the effect.
  func arrows(to effect: Int) -> [SVGElement] {
    layout.arrows(to: effect).flatMap(elements(of:))
  }

  private func elements(of arrow: Diagram.Arrow) -> [SVGElement] {
    let column = layout.diagram.marks[arrow.cause].column
    if block.columns.contains(column) { return elements(inOneBlock: arrow) }
    let departure = block(layout.block(ofColumn: column)).departure(of: arrow)
    return departure + arrival(of: arrow)
  }

  private func elements(inOneBlock arrow: Diagram.Arrow) -> [SVGElement] {
    guard let ends = Ends(arrow, in: self) else { return [] }
    if arrow.leavesSideways {
      let edge = ends.x1 + layout.signs[arrow.cause].right + 1
      return line(of: arrow, [(edge, ends.y1), (ends.x2, ends.y1), (ends.x2, ends.tip)])
        + head(of: arrow, ends)
    }
    guard let start = ends.start else { return [] }
    if ends.x1 == ends.x2 {
      return line(of: arrow, [(ends.x1, start), (ends.x2, ends.tip)]) + head(of: arrow, ends)
    }
    let turn = turn(of: arrow, ends)
    return line(
      of: arrow, [(ends.x1, start), (ends.x1, turn), (ends.x2, turn), (ends.x2, ends.tip)])
      + head(of: arrow, ends) + clock(of: arrow, from: ends.x1, to: ends.x2, turn)
  }

  /// The piece of an arrow from its cause in this block to the block's right edge.
  private func departure(of arrow: Diagram.Arrow) -> [SVGElement] {
    guard let ends = Ends(arrow, in: self), let start = ends.start else { return [] }
    let right = left + block.width
    if arrow.leavesSideways {
      let edge = ends.x1 + layout.signs[arrow.cause].right + 1
      return line(of: arrow, [(edge, ends.y1), (right, ends.y1)])
    }
    let turn = turn(of: arrow, ends)
    return line(of: arrow, [(ends.x1, start), (ends.x1, turn), (right, turn)])
  }

  /// The piece of an arrow from the left edge of this block. If this block doesn't have
  /// the row of the cause, it starts as if that were next to the row of the effect.
  private func arrival(of arrow: Diagram.Arrow) -> [SVGElement] {
    guard let ends = Ends(arrow, in: self) else { return [] }
    let turn = turn(of: arrow, ends)
    return line(of: arrow, [(left, turn), (ends.x2, turn), (ends.x2, ends.tip)])
      + head(of: arrow, ends) + clock(of: arrow, from: left, to: ends.x2, turn)
  }

  /// The height at which an arrow goes to the right in this block.
  private func turn(of arrow: Diagram.Arrow, _ ends: Ends) -> Pixels {
    let offset = layout.tracks.offset(
      ofArrowFrom: arrow.cause, isDown: ends.isDown, inBlock: index)
    let middle =
      turn(ends.causeRow, isDown: ends.isDown)
      ?? turn(ends.effectRow, isDown: !ends.isDown) ?? ends.tip
    return middle + ends.sign(offset)
  }

  private func line(
    of arrow: Diagram.Arrow, _ points: [(x: Pixels, y: Pixels)]
  ) -> [SVGElement] {
    let path = Self.rounded(points)
    let isLong = points.count > 2
    return (isLong ? [pen.path(SVGPen.casing, path)] : [])
      + [pen.path(tint(of: arrow).map { "a\($0)" } ?? "o", path)]
  }

  /// The number of the tint of what the effect is made of; `nil` if it isn't made of the cause.
  private func tint(of arrow: Diagram.Arrow) -> Int? {
    arrow.isMade ? layout.diagram.tints[arrow.cause].last.map { $0.colour + 1 } : nil
  }

  private func head(of arrow: Diagram.Arrow, _ ends: Ends) -> [SVGElement] {
    let back = ends.sign(-1)
    return [
      tint(of: arrow).map { tint in
        pen.path("q\(tint)", "M\(ends.x2) \(ends.tip - back)l-4 \(7 * back)h8z")
      }
        ?? pen.path(
          "w", "M\(ends.x2 - 3.5) \(ends.tip + 4 * back)l3.5 \(-4 * back) 3.5 \(4 * back)")
    ]
  }

  /// A clock where an arrow turns to its effect, if its cause started a timer, which is up there.
  private func clock(
    of arrow: Diagram.Arrow, from start: Pixels, to end: Pixels, _ y: Pixels
  ) -> [SVGElement] {
    guard arrow.hasTimer, end - start >= 26 else { return [] }
    let x = end - 13
    return [
      pen.path("p", "M\(x - 6) \(y)a6 6 0 1 0 12 0a6 6 0 1 0-12 0z"),
      pen.path("w", "M\(x) \(y - 3.5)v3.5h2.5"),
    ]
  }

  /// A path of straight pieces with round corners.
  private static func rounded(_ points: [(x: Pixels, y: Pixels)]) -> String {
    func toward(_ first: Pixels, _ second: Pixels, _ length: Pixels) -> Pixels {
      first < second ? length : second < first ? -length : 0
    }
    func piece(_ from: (x: Pixels, y: Pixels), _ to: (x: Pixels, y: Pixels)) -> String {
      from.x == to.x ? "V\(to.y)" : "H\(to.x)"
    }
    var path = "M\(points[0].x) \(points[0].y)"
    var last = points[0]
    for (corner, next) in zip(points.dropFirst(), points.dropFirst(2)) {
      let before = abs((corner.x - last.x).halves + (corner.y - last.y).halves)
      let after = abs((next.x - corner.x).halves + (next.y - corner.y).halves)
      let radius = Pixels(
        halves: min(10, before, after / (next == points[points.count - 1] ? 1 : 2)))
      let arrive = (
        x: corner.x - toward(last.x, corner.x, radius),
        y: corner.y - toward(last.y, corner.y, radius)
      )
      let leave = (
        x: corner.x + toward(corner.x, next.x, radius),
        y: corner.y + toward(corner.y, next.y, radius)
      )
      path += piece(last, arrive)
      path +=
        "q\(corner.x - arrive.x) \(corner.y - arrive.y) \(leave.x - arrive.x) \(leave.y - arrive.y)"
      last = leave
    }
    return path + piece(last, points[points.count - 1])
  }
}

/// The two ends of an arrow in a block.
private struct Ends {
  let causeRow: Int
  let effectRow: Int
  let isDown: Bool
  /// The places of the cause and the effect. A cause in an earlier block has none of its own.
  let x1: Pixels
  let y1: Pixels
  let x2: Pixels
  /// Where the line starts; `nil` if the cause's row isn't in the block.
  let start: Pixels?
  /// Where the arrow ends.
  let tip: Pixels

  /// `nil` if both are in the same row.
  init?(_ arrow: Diagram.Arrow, in block: SVGBlock) {
    let layout = block.layout
    let cause = layout.diagram.marks[arrow.cause]
    let effect = layout.diagram.marks[arrow.effect]
    guard cause.row != effect.row else { return nil }
    let isDown = cause.row < effect.row
    let (from, to) = (layout.signs[arrow.cause], layout.signs[arrow.effect])
    func x(_ mark: Diagram.Mark) -> Pixels? {
      block.block.columns.contains(mark.column) ? block.x(mark.column) : nil
    }
    (causeRow, effectRow) = (cause.row, effect.row)
    self.isDown = isDown
    x1 = x(cause) ?? block.left
    x2 = (x(effect) ?? block.left) - arrow.spine * PictureSign.spinePitch
    let y1 = block.y(cause.row)
    self.y1 = y1 ?? 0
    start = y1.map { $0 + (isDown ? from.below + 1 : -(from.reachUp + 1)) }
    tip = (block.y(effect.row) ?? 0) - (isDown ? to.reachUp + 2 : -(to.below + 2))
  }

  /// A length in the direction of the arrow.
  func sign(_ length: Pixels) -> Pixels { isDown ? length : -length }
}

extension PictureSign {
  /// The distance that the sign itself reaches up, without words next to it.
  fileprivate var reachUp: Pixels {
    if case .failure = self { 7 } else { above }
  }
}
