import Timeline

/// The things that take room in a row: marks, and arrows that cross the row.
struct RowItems {
  struct Item {
    var left: Pixels
    var right: Pixels
  }

  /// The items of each column, by row.
  private(set) var items: [[Int: Item]]

  /// The width that printed lines need to the right of each column, at least.
  private(set) var overhangs: [Pixels]

  init(_ diagram: Diagram, _ signs: [PictureSign]) {
    items = diagram.columns.map { _ in [:] }
    overhangs = diagram.columns.map { _ in 0 }
    for (mark, sign) in zip(diagram.marks, signs) where !mark.isHidden {
      if case .printed(let text, _) = sign {
        let width = min(PrintedLines.width(ofLineWith: text.cells), PrintedLines.leastWidth)
        overhangs[mark.column] = max(overhangs[mark.column], width)
      }
      if mark.anchor == nil {
        add(Item(left: sign.left, right: sign.right), in: mark.row, to: mark.column)
      } else if let anchor = mark.anchor, mark.event.kind.isDemand {
        // The mark at which demand stands reaches further to the right.
        let right = signs[anchor].demandOffset + sign.right
        add(Item(left: 0, right: right), in: mark.row, to: mark.column)
      }
    }
    for arrow in diagram.arrows {
      let (cause, effect) = (diagram.marks[arrow.cause], diagram.marks[arrow.effect])
      let offset = arrow.spine * PictureSign.spinePitch
      for row in ColumnPlan.rowsBetween(cause.row, effect.row) {
        add(Item(left: offset + 2.5, right: 2.5 - offset), in: row, to: effect.column)
      }
      if arrow.leavesSideways {
        add(Item(left: 5, right: 1), in: cause.row, to: effect.column)
      }
    }
  }

  private mutating func add(_ item: Item, in row: Int, to column: Int) {
    let old = items[column][row] ?? item
    items[column][row] = Item(left: max(old.left, item.left), right: max(old.right, item.right))
  }
}

/// Puts columns next to each other, as close as their marks allow.
struct ColumnSpacing {
  /// The space between two marks of a row.
  private static let gap: Pixels = 5
  /// The distance between two columns of an instant, at least.
  private static let pitch: Pixels = 14

  let items: RowItems
  let diagram: Diagram
  let scale: TimeScale
  let unit: TimeUnit

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

  init(items: RowItems, diagram: Diagram, unit: TimeUnit) {
    self.items = items
    self.diagram = diagram
    self.unit = unit
    scale = TimeScale(diagram.instants)
  }

  /// The width so far.
  var width: Pixels {
    // The last label has the unit after it.
    max((x.last ?? 0) + PictureLayout.Band.inset, edge + 2, labelEdge + 24, printedEdge)
  }

  /// Whether time is cut before the first column.
  var startsWithBreak: Bool { startsInstant(columns.lowerBound) && isCut(columns.lowerBound) }

  /// Splits all columns into blocks of at most this width, and of at least one column.
  ///
  /// A block takes whole instants. An instant that is too wide for a block is split.
  func split(atWidth limit: Pixels) -> [ColumnSpacing] {
    var runs: [ColumnSpacing] = []
    var start = 0
    while start < diagram.columns.count {
      var run = self
      var end = start
      while end < diagram.columns.count {
        let next = endOfInstant(from: end)
        guard let longer = run.adding(end..<next, within: limit) else { break }
        run = longer
        end = next
      }
      if end == start {
        run.add(start)
        end += 1
        while !startsInstant(end), let longer = run.adding(end..<end + 1, within: limit) {
          run = longer
          end += 1
        }
      }
      runs.append(run)
      start = end
    }
    return runs
  }

  private func endOfInstant(from column: Int) -> Int {
    (column + 1..<diagram.columns.count).first(where: startsInstant) ?? diagram.columns.count
  }

  private func startsInstant(_ column: Int) -> Bool {
    !diagram.columns.indices.contains(column) || column == 0
      || diagram.columns[column - 1] != diagram.columns[column]
  }

  private func isCut(_ column: Int) -> Bool {
    scale.distance(before: diagram.columns[column]).isCut
  }

  /// Returns `nil` as soon as the columns are too wide.
  private func adding(_ more: Range<Int>, within limit: Pixels) -> ColumnSpacing? {
    var result = self
    for column in more {
      result.add(column)
      if result.width > limit { return nil }
    }
    return result
  }

  private mutating func add(_ column: Int) {
    let isFirst = columns.isEmpty
    columns = (isFirst ? column : columns.lowerBound)..<column + 1
    let startsInstant = isFirst || self.startsInstant(column)
    var position = PictureLayout.Band.inset
    if let last = x.last {
      let distance = scale.distance(before: diagram.columns[column])
      position = last + (startsInstant ? distance.width : Self.pitch)
      // Marks don't overhang into the place where time is cut.
      if startsInstant, distance.isCut {
        let cut = max(last + distance.width.half, edge + 8)
        breaks.append(cut)
        position = cut + distance.width.half
        edges = edges.mapValues { max($0, cut + 3) }
      }
    }
    for (row, item) in items.items[column] {
      position = max(position, edges[row].map { $0 + Self.gap + item.left } ?? item.left + 2)
    }
    if startsInstant {
      let time = diagram.instants[diagram.columns[column]]
      let half = Pixels.monospaced(unit.number(of: time).cells, size: 12).half
      // A label that says that time is cut before the block needs room as well.
      let label = half + (isFirst && startsWithBreak ? 18 : 0)
      position = max(position, isFirst ? label : labelEdge + 6 + label)
      labelEdge = position + half
    }
    x.append(position)
    for (row, item) in items.items[column] {
      edges[row] = position + item.right
      edge = max(edge, position + item.right)
    }
    printedEdge = max(printedEdge, position + items.overhangs[column])
  }
}
