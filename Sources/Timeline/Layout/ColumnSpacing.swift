/// The things that take room in a row: marks, and arrows that cross the row.
struct RowItems {
  struct Item {
    let row: Int
    var left: Pixels
    var right: Pixels
  }

  /// The items of each column, one for each row.
  private(set) var items: [[Item]]

  /// The width that printed lines need to the right of each column, at least.
  private(set) var overhangs: [Pixels]

  /// The width that a printed line needs before it's broken.
  static let leastPrinted: Pixels = 130

  init(_ diagram: Diagram, _ signs: [PictureSign]) {
    items = diagram.columns.map { _ in [] }
    overhangs = diagram.columns.map { _ in 0 }
    // The mark at which demand stands reaches further to the right.
    var demand: [Int: Pixels] = [:]
    for (index, mark) in diagram.marks.enumerated() {
      if let anchor = mark.anchor, mark.event.kind.isDemand {
        demand[anchor] = signs[anchor].demandOffset + signs[index].right
      }
    }
    for (index, mark) in diagram.marks.enumerated() where !mark.isHidden && mark.anchor == nil {
      let right = max(signs[index].right, demand[index] ?? 0)
      add(Item(row: mark.row, left: signs[index].left, right: right), to: mark.column)
    }
    for (index, mark) in diagram.marks.enumerated() where !mark.isHidden {
      if case .printed(let text, _) = signs[index] {
        let width = PrintedLines.width(ofLineWith: text.cells)
        overhangs[mark.column] = max(overhangs[mark.column], min(width, Self.leastPrinted))
      }
    }
    for arrow in diagram.arrows {
      let rows = [diagram.marks[arrow.cause].row, diagram.marks[arrow.effect].row].sorted()
      let column = diagram.marks[arrow.effect].column
      let offset = arrow.spine * PictureSign.spinePitch
      for row in (rows[0] + 1)..<max(rows[0] + 1, rows[1]) {
        add(Item(row: row, left: offset + 2.5, right: 2.5 - offset), to: column)
      }
      if arrow.leavesSideways {
        add(Item(row: diagram.marks[arrow.cause].row, left: 5, right: 1), to: column)
      }
    }
  }

  private mutating func add(_ item: Item, to column: Int) {
    guard let index = items[column].firstIndex(where: { $0.row == item.row }) else {
      return items[column].append(item)
    }
    items[column][index].left = max(items[column][index].left, item.left)
    items[column][index].right = max(items[column][index].right, item.right)
  }
}

/// Puts columns next to each other, as close as their marks allow.
struct ColumnSpacing {
  /// The space between two marks of a row.
  static let gap: Pixels = 5
  /// The distance between two columns of an instant, at least.
  static let pitch: Pixels = 14
  /// The distance from the outer columns of a band to its edges.
  static let inset: Pixels = 12
  let items: RowItems
  let diagram: Diagram
  let scale: TimeScale
  let unit: TimeUnit

  /// The columns so far.
  private(set) var columns: Range<Int> = 0..<0
  private var x: [Pixels] = []
  private var breaks: [Pixels] = []
  /// The right edge of the last item in each row, and that of all items.
  private var edges: [Int: Pixels] = [:]
  private var edge: Pixels = 0
  /// The right edge that printed lines need.
  private var printedEdge: Pixels = 0
  /// The right edge of the last label of the axis.
  private var labelEdge: Pixels = 0

  init(items: RowItems, diagram: Diagram, scale: TimeScale, unit: TimeUnit) {
    self.items = items
    self.diagram = diagram
    self.scale = scale
    self.unit = unit
  }

  /// The width so far.
  var width: Pixels {
    // The last label has the unit after it.
    max((x.last ?? 0) + Self.inset, edge + 2, labelEdge + 24, printedEdge)
  }

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
        let last = endOfInstant(from: start)
        while end < last {
          let first = end == start ? run.adding(end..<end + 1) : nil
          guard let longer = first ?? run.adding(end..<end + 1, within: limit) else { break }
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
    diagram.columns[column...].firstIndex { $0 != diagram.columns[column] }
      ?? diagram.columns.count
  }

  /// Returns `nil` as soon as the columns are too wide.
  private func adding(_ more: Range<Int>, within limit: Pixels? = nil) -> ColumnSpacing? {
    var result = self
    for column in more {
      result.add(column)
      if let limit, result.width > limit { return nil }
    }
    return result
  }

  private mutating func add(_ column: Int) {
    let instant = diagram.columns[column]
    let isFirst = columns.isEmpty
    if isFirst { columns = column..<column }
    let startsInstant = isFirst || diagram.columns[column - 1] != instant
    let distance = scale.distance(before: instant)
    let isCut = startsInstant && !isFirst && distance.isCut
    var position = Self.inset
    if let last = x.last {
      position = last + (startsInstant ? distance.width : Self.pitch)
      // Marks don't overhang into the place where time is cut.
      if isCut {
        let cut = max(last + distance.width.half, edge + 8)
        breaks.append(cut)
        position = cut + distance.width.half
        edges = edges.mapValues { max($0, cut + 3) }
      }
    }
    for item in items.items[column] {
      position = max(position, edges[item.row].map { $0 + Self.gap + item.left } ?? item.left + 2)
    }
    // A label that says that time is cut before the block needs room as well.
    let label = labelHalf(instant) + (isFirst && startsWithBreak(at: column) ? 18 : 0)
    if startsInstant { position = max(position, isFirst ? label : labelEdge + 6 + label) }
    if startsInstant { labelEdge = position + labelHalf(instant) }
    x.append(position)
    columns = columns.lowerBound..<column + 1
    for item in items.items[column] {
      edges[item.row] = position + item.right
      edge = max(edge, position + item.right)
    }
    printedEdge = max(printedEdge, position + items.overhangs[column])
  }

  /// Whether time is cut before the first column of a block.
  private func startsWithBreak(at column: Int) -> Bool {
    let instant = diagram.columns[column]
    return (column == 0 || diagram.columns[column - 1] != instant)
      && scale.distance(before: instant).isCut
  }

  private func labelHalf(_ instant: Int) -> Pixels {
    Pixels.monospaced(unit.number(of: diagram.instants[instant]).cells, size: 12).half
  }

  /// The block of these columns.
  func block(_ contents: PictureLayout.Contents) -> PictureLayout.Block {
    let rows = contents.rows.sorted()
    var bands: [PictureLayout.Band] = []
    for (column, x) in zip(columns, x) {
      let instant = diagram.columns[column]
      let same = bands.last?.instant == instant ? bands.popLast() : nil
      bands.append(
        PictureLayout.Band(
          instant: instant, left: same?.left ?? x - Self.inset, right: x + Self.inset,
          first: same?.first ?? x, last: x))
    }
    return PictureLayout.Block(
      columns: columns, x: x, bands: bands, breaks: breaks,
      startsWithBreak: startsWithBreak(at: columns.lowerBound),
      width: width, rows: rows, marks: contents.marks, lines: contents.lines)
  }
}
