extension SVGBlock {
  /// Writes the arrows to an effect in this block.
  ///
  /// If a cause is in an earlier block, its arrow comes in two pieces. One goes from the cause to
  /// the right edge of that block. The other goes from the left edge of this block to the effect.
  func arrows(to effect: Int) -> [SVGElement] {
    (layout.arrows[effect] ?? []).flatMap { route in
      let column = layout.diagram.marks[route.arrow.cause].column
      if block.columns.contains(column) {
        return piece(of: route, startsHere: true, endsHere: true)
      }
      if route.end == .waiting {
        // Its bar goes through the blocks in between.
        return (layout.blockOfColumn[column]...index).flatMap { place in
          var other = self
          other.index = place
          return other.wait(
            of: route, startsHere: place == layout.blockOfColumn[column], endsHere: place == index)
        }
      }
      var earlier = self
      earlier.index = layout.blockOfColumn[column]
      return earlier.piece(of: route, startsHere: true, endsHere: false)
        + piece(of: route, startsHere: false, endsHere: true)
    }
  }

  private func piece(
    of route: ArrowRoutes.Route, startsHere: Bool, endsHere: Bool
  ) -> [SVGElement] {
    let arrow = route.arrow
    let (cause, effect) = (layout.diagram.marks[arrow.cause], layout.diagram.marks[arrow.effect])
    guard cause.row != effect.row else { return [] }
    if route.end == .waiting {
      return wait(of: route, startsHere: startsHere, endsHere: endsHere)
    }
    let isDown = cause.row < effect.row
    /// A length in the direction of the arrow.
    func forth(_ length: Pixels) -> Pixels { isDown ? length : -length }
    let (from, to) = (layout.signs[arrow.cause], layout.signs[arrow.effect])
    var points: [(x: Pixels, y: Pixels)] = []
    // The height at which it goes to the right.
    let turn =
      self.turn(cause.row, isDown: isDown) ?? self.turn(effect.row, isDown: !isDown)
      ?? y(effect.row) ?? 0
    let level =
      turn + forth(layout.turns.offset(ofArrowFrom: arrow.cause, isDown: isDown, inBlock: index))
    let isLater = cause.column < effect.column
    if startsHere {
      guard let y1 = y(ofMark: arrow.cause) else { return [] }
      let x1 = x(cause.column)
      let bottom = y1 + forth(isDown ? from.below + 1 : from.reachUp + 1)
      if case .beside(let track) = isLater ? route.start : route.end {
        let x = x1 - layout.distance(ofTrack: track, in: cause.column)
        points = [(x1 - from.left - 1, y1 + 4), (x, y1 + 4)]
        if isLater { points.append((x, level)) }
      } else {
        points = [(x1, bottom)]
        if isLater || arrow.spine > 0 { points.append((x1, level)) }
      }
    } else {
      points = [(left, level)]
    }
    let tint = tint(of: route)
    guard endsHere else { return line(tint, points + [(left + block.width, level)]) }
    guard let y2 = y(ofMark: arrow.effect) else { return [] }
    let x2 = x(effect.column)
    let corner = points[points.count - 1]
    if case .beside(let track) = route.end {
      let x = x2 - layout.distance(ofTrack: track, in: effect.column)
      let tip = x2 - to.left - 1.5
      if isLater { points.append((x, level)) }
      points += [(x, y2 - 3), (tip, y2 - 3)]
      let head =
        tint.map { pen.path($0.head, "M\(tip) \(y2 - 3)l-7-4v8z") }
        ?? pen.path("w", "M\(tip - 4) \(y2 - 6.5)l4 3.5-4 3.5")
      return line(tint, points) + [head] + clock(of: arrow, from: corner.x, to: x, y: level)
    }
    let x = x2 - arrow.spine * PictureSign.spinePitch
    let tip = y2 - forth(isDown ? to.reachUp + 2 : to.below + 2)
    if corner.x != x { points.append((x, level)) }
    points.append((x, tip))
    let back = forth(-1)
    let head =
      tint.map { pen.path($0.head, "M\(x) \(tip - back)l-4 \(7 * back)h8z") }
      ?? pen.path("w", "M\(x - 3.5) \(tip + 4 * back)l3.5 \(-4 * back) 3.5 \(4 * back)")
    return line(tint, points) + [head] + clock(of: arrow, from: corner.x, to: x, y: level)
  }

  /// Writes an arrow down to the row of its effect, and a bar as long as the value waits there.
  private func wait(
    of route: ArrowRoutes.Route, startsHere: Bool, endsHere: Bool
  ) -> [SVGElement] {
    let arrow = route.arrow
    let (cause, effect) = (layout.diagram.marks[arrow.cause], layout.diagram.marks[arrow.effect])
    guard let y = y(ofMark: arrow.effect) else { return [] }
    let tint = layout.diagram.tints[arrow.cause].last.map { "v\($0.colour + 1)" } ?? "p"
    let start = startsHere ? x(cause.column) : left
    let end = endsHere ? x(effect.column) - layout.signs[arrow.effect].left : left + block.width
    let cuts = block.breaks.map { left + $0 }.filter { start < $0 && $0 < end }
    let bar =
      [pen.path("W \(tint)", "M\(start) \(y - 4)H\(end)v8H\(start)z")]
      + cuts.map { pen.path("w", "M\($0 - 5) \(y + 5)l4-10m2 10l4-10") }
    let clock = arrow.hasTimer && endsHere ? clock(from: start, to: end, y: y) : []
    guard startsHere, let top = self.y(ofMark: arrow.cause) else { return bar + clock }
    let tip = y - 5
    let points = [(start, top + layout.signs[arrow.cause].below + 1), (start, tip)]
    let colour = self.tint(of: route)
    let head = pen.path(colour?.head ?? "i0", "M\(start) \(tip)l-4-7h8z")
    return bar + line(colour, points) + [head] + clock
  }

  /// A clock at the end of a bar, where its time is over. A short bar has it in its middle.
  func clock(from start: Pixels, to end: Pixels, y: Pixels) -> [SVGElement] {
    guard end - start >= 16 else { return [] }
    let middle = Pixels(halves: (start + end).halves / 2)
    return pen.clock(x: max(middle, end - 10), y: y)
  }

  /// A clock stands where an arrow turns to its effect, if its cause started a timer.
  private func clock(
    of arrow: Diagram.Arrow, from start: Pixels, to end: Pixels, y: Pixels
  ) -> [SVGElement] {
    arrow.hasTimer && end - start >= 26 ? pen.clock(x: end - 13, y: y) : []
  }

  /// The classes of the line and of the head of an arrow from what its effect is made of; `nil` if
  /// it isn't made of its cause.
  private func tint(of route: ArrowRoutes.Route) -> (line: String, head: String)? {
    guard route.arrow.isMade else { return nil }
    return layout.diagram.tints[route.arrow.cause].last.map {
      ("a\($0.colour + 1)", "q\($0.colour + 1)")
    }
  }

  /// - Parameter tint: The classes of the arrow; `nil` if it's dotted.
  private func line(
    _ tint: (line: String, head: String)?, _ points: [(x: Pixels, y: Pixels)]
  ) -> [SVGElement] {
    [pen.path(tint?.line ?? "o", Self.rounded(points))]
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
