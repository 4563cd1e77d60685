extension SVGBlock {
  /// Writes the arrows to an effect in this block.
  ///
  /// If a cause is in an earlier block, its arrow comes in two pieces. One goes from the cause to
  /// the right edge of that block. The other goes from the left edge of this block to the effect.
  func arrows(to effect: Int) -> [SVGElement] {
    (layout.arrows[effect] ?? []).flatMap { arrow in
      let column = layout.diagram.marks[arrow.cause].column
      if block.columns.contains(column) {
        return piece(of: arrow, startsHere: true, endsHere: true)
      }
      var earlier = self
      earlier.index = layout.blockOfColumn[column]
      return earlier.piece(of: arrow, startsHere: true, endsHere: false)
        + piece(of: arrow, startsHere: false, endsHere: true)
    }
  }

  private func piece(of arrow: Diagram.Arrow, startsHere: Bool, endsHere: Bool) -> [SVGElement] {
    let cause = layout.diagram.marks[arrow.cause]
    let effect = layout.diagram.marks[arrow.effect]
    guard cause.row != effect.row else { return [] }
    let isDown = cause.row < effect.row
    /// A length in the direction of the arrow.
    func forth(_ length: Pixels) -> Pixels { isDown ? length : -length }
    let (from, to) = (layout.signs[arrow.cause], layout.signs[arrow.effect])
    // Where the arrow ends, and the height at which it goes to the right.
    let x2 = (endsHere ? x(effect.column) : 0) - arrow.spine * PictureSign.spinePitch
    let tip = (y(effect.row) ?? 0) - forth(isDown ? to.reachUp + 2 : to.below + 2)
    let track = layout.tracks.offset(ofArrowFrom: arrow.cause, isDown: isDown, inBlock: index)
    // Without the row of the cause, it starts as if that were next to the row of the effect.
    let turn =
      self.turn(cause.row, isDown: isDown) ?? self.turn(effect.row, isDown: !isDown) ?? tip
    var level = turn + forth(track)
    var points: [(x: Pixels, y: Pixels)]
    var isStraight = false
    if !startsHere {
      points = [(left, level)]
    } else if let y1 = y(cause.row) {
      let x1 = x(cause.column)
      let start = (x: x1, y: y1 + forth(isDown ? from.below + 1 : from.reachUp + 1))
      if arrow.leavesSideways {
        level = y1
        points = [(x1 + from.right + 1, level)]
      } else {
        isStraight = endsHere && x1 == x2
        points = isStraight ? [start] : [start, (x1, level)]
      }
    } else {
      return []
    }
    let tint = arrow.isMade ? layout.diagram.tints[arrow.cause].last.map { $0.colour + 1 } : nil
    guard endsHere else { return line(tint, points + [(left + block.width, level)]) }
    let corner = points[points.count - 1]
    points += isStraight ? [(x2, tip)] : [(x2, level), (x2, tip)]
    let back = forth(-1)
    let head =
      tint.map { pen.path("q\($0)", "M\(x2) \(tip - back)l-4 \(7 * back)h8z") }
      ?? pen.path("w", "M\(x2 - 3.5) \(tip + 4 * back)l3.5 \(-4 * back) 3.5 \(4 * back)")
    // A clock stands where it turns to its effect, if its cause started a timer.
    let hasClock = arrow.hasTimer && x2 - corner.x >= 26
    return line(tint, points) + [head] + (hasClock ? pen.clock(x: x2 - 13, y: level) : [])
  }

  /// - Parameter tint: The number of the tint of what the effect is made of; `nil` if it isn't made
  ///   of the cause.
  private func line(_ tint: Int?, _ points: [(x: Pixels, y: Pixels)]) -> [SVGElement] {
    let path = Self.rounded(points)
    return (points.count > 2 ? [pen.path(SVGPen.casing, path)] : [])
      + [pen.path(tint.map { "a\($0)" } ?? "o", path)]
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

extension PictureSign {
  /// The distance that the sign itself reaches up, without words next to it.
  fileprivate var reachUp: Pixels {
    if case .failure = self { 7 } else { above }
  }
}
