import Timeline

/// The things that take room in a row: marks, and arrows that cross the row.
struct RowItems {
  struct Item {
    var left: Pixels
    var right: Pixels
    /// Whether it may stand below the words of a value that came earlier.
    var mayStandBelow = false
  }

  /// The items of each column, by row.
  private(set) var items: [[Int: Item]]

  /// How far the band of each instant reaches to the left of its column: up to the arrows that pass
  /// next to its marks, and the spines of older values. Zero for an instant that's only a line.
  private(set) var bands: [Pixels]

  /// The ends that may stand below words.
  let movableEnds: Set<Int>

  /// How far the marks of each column reach to the left.
  private let edges: [Pixels]

  /// The width that printed lines need to the right of each column, at least.
  private(set) var overhangs: [Pixels]

  init(_ diagram: Diagram, _ signs: [PictureSign], _ routes: ArrowRoutes) {
    items = diagram.instants.map { _ in [:] }
    overhangs = diagram.instants.map { _ in 0 }
    bands = overhangs
    movableEnds = diagram.movableEnds(signs, routes)
    var edges: [Pixels] = diagram.instants.map { _ in 0 }
    for (mark, sign) in zip(diagram.marks, signs) where !mark.isHidden && mark.anchor == nil {
      edges[mark.column] = max(edges[mark.column], sign.left)
      if case .value(_, let tints, _, _) = sign, tints.count > 1 {
        bands[mark.column] = max(bands[mark.column], sign.left)
      }
    }
    self.edges = edges
    for (index, mark) in diagram.marks.enumerated() where !mark.isHidden {
      let sign = signs[index]
      if let name = diagram.threadThatTakesOver(at: index) {
        overhangs[mark.column] = max(overhangs[mark.column], 8 + .words(name.cells))
      }
      if mark.event.kind.isDemand {
        let right = diagram.offset(ofDemand: index, signs) + sign.right
        add(Item(left: 0, right: right), in: mark.row, to: mark.column)
        continue
      }
      if case .printed(let text, _) = sign, !mark.isLine {
        let right = PrintedLines.width(ofLineWith: text.cells)
        add(Item(left: 0, right: right), in: mark.row, to: mark.column)
      } else if case .printed(let text, _) = sign {
        let width = min(PrintedLines.width(ofLineWith: text.cells), PrintedLines.leastWidth)
        overhangs[mark.column] = max(overhangs[mark.column], width)
      }
      if mark.anchor == nil {
        let mayStandBelow = movableEnds.contains(index)
        add(
          Item(left: sign.left, right: sign.right, mayStandBelow: mayStandBelow), in: mark.row,
          to: mark.column)
      }
    }
    for (index, discard) in diagram.discards.enumerated() {
      let mark = diagram.marks[discard.value]
      let sign = PictureSign.discard
      add(Item(left: sign.left, right: sign.right), in: discard.row, to: mark.column)
      guard routes.discardsWithLine.contains(index) else { continue }
      for row in mark.row..<discard.row where row != mark.row {
        add(Item(left: 2.5, right: 2.5), in: row, to: mark.column)
      }
    }
    for (column, tracks) in routes.tracks.enumerated() {
      for (row, count) in tracks {
        let left = self.x(ofTrack: count - 1, in: column) + 3
        bands[column] = max(bands[column], left)
        add(Item(left: left, right: 2.5), in: row, to: column)
      }
    }
    for bar in routes.bars {
      guard let cause = bar.cause.map({ diagram.marks[$0] }) else { continue }
      for row in cause.row + 1...bar.row {
        add(Item(left: 4, right: 4), in: row, to: cause.column)
      }
    }
    for route in routes.routes {
      let arrow = route.arrow
      let (cause, effect) = (diagram.marks[arrow.cause], diagram.marks[arrow.effect])
      if route.end == .waiting {
        for row in cause.row + 1...effect.row {
          add(Item(left: 5, right: 5), in: row, to: cause.column)
        }
        continue
      }
      let offset = arrow.spine * PictureSign.spinePitch
      for row in min(cause.row, effect.row)...max(cause.row, effect.row)
      where row != cause.row && row != effect.row {
        add(Item(left: offset + 2.5, right: 2.5 - offset), in: row, to: effect.column)
      }
    }
  }

  /// The distance of a track next to a column from the column's middle.
  func x(ofTrack track: Int, in column: Int) -> Pixels { edges[column] + 8 + track * 6 }

  private mutating func add(_ item: Item, in row: Int, to column: Int) {
    let old = items[column][row] ?? item
    items[column][row] = Item(
      left: max(old.left, item.left), right: max(old.right, item.right),
      mayStandBelow: old.mayStandBelow && item.mayStandBelow)
  }
}

extension Diagram {
  /// The ends that may stand below the words of the value before them: those with nothing else at
  /// their instant that stands in their row, or comes from above.
  fileprivate func movableEnds(_ signs: [PictureSign], _ routes: ArrowRoutes) -> Set<Int> {
    struct Cell: Hashable {
      let row: Int
      let column: Int
    }
    var ends: [Cell: Int] = [:]
    var count: [Cell: Int] = [:]
    var hasWords: Set<Int> = []
    for (index, mark) in marks.enumerated() where !mark.isHidden {
      let cell = Cell(row: mark.row, column: mark.column)
      count[cell, default: 0] += 1
      switch signs[index] {
      case .finished, .failure, .cancelled:
        if hasWords.contains(mark.row) { ends[cell] = index }
        hasWords.remove(mark.row)
      case .value(_, _, _, hasFoot: false), .response(_, hasFoot: false):
        hasWords.insert(mark.row)
      case .demand, .part: break
      default: hasWords.remove(mark.row)
      }
    }
    ends = ends.filter { count[$0.key] == 1 }
    for (column, tracks) in routes.tracks.enumerated() {
      for row in tracks.keys { ends[Cell(row: row, column: column)] = nil }
    }
    for discard in discards {
      let mark = marks[discard.value]
      for row in mark.row...max(mark.row, discard.row) {
        ends[Cell(row: row, column: mark.column)] = nil
      }
    }
    for route in routes.routes {
      let (cause, effect) = (marks[route.arrow.cause], marks[route.arrow.effect])
      let rows = min(cause.row, effect.row) + 1...max(cause.row, effect.row, cause.row + 1)
      for row in rows {
        ends[Cell(row: row, column: effect.column)] = nil
        ends[Cell(row: row, column: cause.column)] = nil
      }
    }
    return Set(ends.values)
  }
}

/// Puts columns next to each other, as close as their marks allow.
struct ColumnSpacing {
  /// The space between two marks of a row.
  static let gap: Pixels = 5
  /// The distance from the outer columns to the edges.
  static let inset: Pixels = 12

  let items: RowItems
  let diagram: Diagram
  let unit: TimeUnit
  /// `nil` while the needs of marks are measured.
  private var scale: TimeScale?

  /// The columns so far, the middle of each, and the places where time is cut.
  private(set) var columns: Range<Int> = 0..<0
  private(set) var x: [Pixels] = []
  private(set) var breaks: [Pixels] = []
  /// The right edge of the last item in each row, and that of all items.
  private var edges: [Int: Pixels] = [:]
  private var edge: Pixels = 0
  /// The right edge that printed lines need.
  private var printedEdge: Pixels = 0
  /// The right edge of the last label of the axis.
  private var labelEdge: Pixels = 0

  /// Measures what stands in the columns.
  ///
  /// - Parameters:
  ///   - items: What takes room.
  ///   - diagram: The diagram.
  ///   - unit: The unit of the times.
  ///   - width: The width of a block. Time is stretched further if that takes no more blocks.
  init(items: RowItems, diagram: Diagram, unit: TimeUnit, width: Pixels) {
    self.items = items
    self.diagram = diagram
    self.unit = unit
    var close = self
    for column in diagram.instants.indices { close.add(column) }
    let needs = zip(close.x, close.x.dropFirst()).map { $1 - $0 }
    var count = Int.max
    for share in [0.5, 0.75] {
      var next = self
      next.scale = TimeScale(diagram.instants, needs: needs, share: share)
      let blocks = next.split(atWidth: width).count
      if blocks > count { break }
      (scale, count) = (next.scale, blocks)
    }
  }

  /// The middle of a column.
  func x(ofColumn column: Int) -> Pixels { x[column - columns.lowerBound] }

  /// The distance from the column before, and whether time is cut there.
  private func distance(before column: Int) -> (width: Pixels, isCut: Bool) {
    scale?.distance(before: column) ?? (0, false)
  }

  /// The width so far.
  var width: Pixels {
    // The last label has the unit after it.
    max((x.last ?? 0) + Self.inset, edge + 2, labelEdge + 24, printedEdge)
  }

  /// Whether time is cut before the first column.
  var startsWithBreak: Bool { distance(before: columns.lowerBound).isCut }

  /// Splits all columns into blocks of at most this width, and of at least one column.
  func split(atWidth limit: Pixels) -> [ColumnSpacing] {
    var runs: [ColumnSpacing] = []
    for column in diagram.instants.indices {
      if let longer = runs.last?.adding(column, within: limit) {
        runs[runs.count - 1] = longer
      } else {
        var run = self
        run.add(column)
        runs.append(run)
      }
    }
    return runs
  }

  /// Returns `nil` if the columns get too wide.
  private func adding(_ column: Int, within limit: Pixels) -> ColumnSpacing? {
    var result = self
    result.add(column)
    return result.width > limit ? nil : result
  }

  private mutating func add(_ column: Int) {
    let isFirst = columns.isEmpty
    columns = (isFirst ? column : columns.lowerBound)..<column + 1
    var position = Self.inset
    if let last = x.last {
      let distance = distance(before: column)
      position = last + distance.width
      // Marks don't overhang into the place where time is cut.
      if distance.isCut {
        let cut = max(last + distance.width.half, edge + 8)
        breaks.append(cut)
        position = cut + distance.width.half
        edges = edges.mapValues { max($0, cut + 3) }
      }
    }
    for (row, item) in items.items[column] where x.isEmpty || !item.mayStandBelow {
      position = max(position, edges[row].map { $0 + Self.gap + item.left } ?? item.left + 2)
    }
    // Behind the instant before, and its band behind that as well.
    position = max(position, (x.last.map { $0 + 8 } ?? 2) + items.bands[column])
    // An instant has one label.
    let isNew = isFirst || !diagram.goesOn(after: column - 1)
    let half = Pixels.monospaced(unit.number(of: diagram.instants[column]).cells, size: 12).half
    // Behind the sign that time is cut, which is as wide as two characters.
    if let cut = breaks.last, cut > x.last ?? 0 { position = max(position, cut + 10 + half) }
    // A label that says that time is cut before the block needs room as well.
    let label = half + (isFirst && startsWithBreak ? 18 : 0)
    if isNew {
      position = max(position, isFirst ? label : labelEdge + 6 + label)
      labelEdge = position + half
    }
    x.append(position)
    for (row, item) in items.items[column] {
      edges[row] = max(edges[row] ?? 0, position + item.right)
      edge = max(edge, position + item.right)
    }
    printedEdge = max(printedEdge, position + items.overhangs[column])
  }
}
