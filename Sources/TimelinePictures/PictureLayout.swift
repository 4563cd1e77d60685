import Timeline
import VirtualTime

/// A diagram with a place in pixels for everything, in one or more blocks below each other.
struct PictureLayout {
  /// Some of the columns, with the rows that have something in them.
  struct Block {
    /// The columns of the diagram in this block.
    let columns: Range<Int>
    /// The middle of each column, from the left edge of the block's lanes.
    let x: [Pixels]
    /// The places where time is cut.
    let breaks: [Pixels]
    /// Whether time is cut before the first column.
    let startsWithBreak: Bool
    /// The width of the lanes.
    fileprivate(set) var width: Pixels
    /// The rows of the diagram in this block.
    let rows: [Int]
    /// The positions of its marks in the diagram.
    let marks: [Int]
    /// Its marks that take a level, by row, with those of a column together.
    let stacks: [Int: [[Int]]]
    /// The lines that run through it.
    let lines: [LaneRows.Line]
    /// The places of the rows, from the upper edge of the lanes, by row.
    fileprivate(set) var places: [Int: RowPlace] = [:]
    /// The height of all rows.
    fileprivate(set) var height: Pixels = 0
    /// The places of printed lines, by mark.
    fileprivate(set) var printed: [Int: PrintedLines.Place] = [:]
    /// The places where each thread ran.
    fileprivate(set) var threads: [[Pixels]] = []

    /// The middle of a column of the diagram.
    func x(ofColumn column: Int) -> Pixels { x[column - columns.lowerBound] }

    /// The columns of each instant.
    let instants: [Range<Int>]

    /// The columns after which time is drawn as a line up to the next one.
    var stretches: [Int] {
      instants.dropLast().map { $0.upperBound - 1 }.filter { column in
        !breaks.contains { x(ofColumn: column) < $0 && $0 < x(ofColumn: column + 1) }
      }
    }
  }

  /// The place of a row in a block.
  struct RowPlace {
    /// Its position among the rows.
    let index: Int
    let top: Pixels
    /// The middle of the signs at its first level.
    let middle: Pixels
    /// How far all of its signs reach up and down from there.
    let above: Pixels
    let below: Pixels
    /// How far its first life is below the first level; the name stands there.
    let name: Pixels

    /// The height at which arrows go to the right below or above its signs.
    func turn(isDown: Bool) -> Pixels { isDown ? middle + below + 5 : middle - above - 6 }
  }

  let diagram: Diagram
  let signs: [PictureSign]
  let metrics: PictureMetrics
  let unit: TimeUnit
  let blocks: [Block]

  /// Which stretches of the axis are to scale.
  let scale: AxisScale

  /// The arrows that are drawn, by their effects.
  let arrows: [Int: [ArrowRoutes.Route]]

  /// The bars of the times that operators let pass, where no value waits.
  let bars: [WaitBar]

  /// The positions of the discards that a line leads to from their values.
  let discardsWithLine: Set<Int>

  /// The discards of each value.
  let discardsOfValue: [Int: [Int]]

  /// The heights of arrows that turn.
  let turns: ArrowTurns

  /// How far each mark stands below the first level of its row.
  private let drops: MarkDrops

  /// How far the marks at the first level reach up, by column and row.
  private let tops: [[Int: Pixels]]

  /// The things that take room.
  private let items: RowItems

  /// The block of each column.
  let blockOfColumn: [Int]

  /// The height above the lanes of a block.
  let headHeight: Pixels

  /// The largest number of blocks that are made as wide as each other. With more, a shorter last
  /// one doesn't show, and trying takes long.
  private static let balancedBlocks = 20

  /// Lays out a diagram.
  ///
  /// - Parameters:
  ///   - diagram: The diagram.
  ///   - metrics: The distances.
  ///   - unit: The unit of all times.
  init(_ diagram: Diagram, metrics: PictureMetrics, unit: TimeUnit) {
    self.diagram = diagram
    discardsOfValue = Dictionary(grouping: diagram.discards.indices) {
      diagram.discards[$0].value
    }
    self.metrics = metrics
    self.unit = unit
    let signs = diagram.signs
    let levels = Self.levels(diagram, signs)
    var tops: [[Int: Pixels]] = diagram.instants.map { _ in [:] }
    for (mark, sign) in zip(diagram.marks, signs) where mark.stands && mark.level == 0 {
      tops[mark.column][mark.row] = sign.above
    }
    let routes = ArrowRoutes(diagram)
    discardsWithLine = routes.discardsWithLine
    let items = RowItems(diagram, signs, routes)
    let runs = Self.runs(
      ColumnSpacing(items: items, diagram: diagram, unit: unit, width: metrics.columnsWidth),
      width: metrics.columnsWidth)
    let blockOfColumn = runs.enumerated().flatMap { index, run in run.columns.map { _ in index } }
    let marks = Dictionary(grouping: diagram.marks.indices) {
      blockOfColumn[diagram.marks[$0].column]
    }
    bars = routes.bars
    let waiting = routes.waitingRows
    let drops = MarkDrops(diagram, signs, ends: items.movableEnds, levels: levels) {
      let block = blockOfColumn[$0]
      return block == blockOfColumn[$1]
        ? runs[block].x(ofColumn: $1) - runs[block].x(ofColumn: $0) : nil
    }
    let blocks = runs.enumerated().map { index, run in
      let waits = waiting.filter { $0.columns.overlaps(run.columns) }
      var block = Block(
        run, marks: marks[index] ?? [], waits: waits.map(\.row), isOnly: runs.count == 1)
      block.arrange(diagram, signs, drops, tops, metrics)
      block.addThreads(diagram, metrics)
      return block
    }
    (self.signs, self.blocks, self.blockOfColumn) = (signs, blocks, blockOfColumn)
    (self.drops, self.tops, self.items) = (drops, tops, items)
    headHeight = PictureMetrics.axisHeight + diagram.threads.count * PictureMetrics.threadHeight
    scale = AxisScale(blocks, instants: diagram.instants)
    // An arrow to a printed line that stands below others would cross their words.
    let drawn = routes.routes.filter { route in
      let effect = route.arrow.effect
      let block = blocks[blockOfColumn[diagram.marks[effect].column]]
      return (block.printed[effect]?.line ?? 0) == 0
    }
    arrows = Dictionary(grouping: drawn, by: \.arrow.effect)
    let turning = drawn.filter { $0.end != .waiting }.map(\.arrow)
    turns = ArrowTurns(diagram, turning, blocks, blockOfColumn: blockOfColumn)
  }

  /// How far each level of each column is below the first one.
  private static func levels(_ diagram: Diagram, _ signs: [PictureSign]) -> [[Pixels]] {
    var above: [[Pixels]] = diagram.instants.map { _ in [] }
    var below = above
    for (mark, sign) in zip(diagram.marks, signs) where mark.stands {
      let (column, level) = (mark.column, mark.level)
      while above[column].count <= level {
        above[column].append(7)
        below[column].append(7)
      }
      above[column][level] = max(above[column][level], sign.above)
      below[column][level] = max(below[column][level], sign.below)
    }
    for discard in diagram.discards {
      let (column, level) = (diagram.marks[discard.value].column, discard.level)
      while above[column].count <= level {
        above[column].append(7)
        below[column].append(7)
      }
    }
    return zip(above, below).map { above, below in
      var levels: [Pixels] = [0]
      for level in above.indices.dropFirst() {
        levels.append(levels[level - 1] + below[level - 1] + PictureMetrics.levelGap + above[level])
      }
      return levels
    }
  }

  /// How far demand that stands at no mark is above its row: above what else its row has at the
  /// instant.
  func rise(of mark: Diagram.Mark) -> Pixels { (tops[mark.column][mark.row] ?? 4) + 6 }

  /// How far a mark stands below the first level of its row.
  func drop(ofMark index: Int) -> Pixels { drops[index] }

  /// How far a discard stands below the first level of its row.
  func drop(ofDiscard index: Int) -> Pixels { drops.discards[index] }

  /// How far the band of an instant reaches to the left of its column.
  func band(ofColumn column: Int) -> Pixels { items.bands[column] }

  /// How far an arrow's track is to the left of its column.
  func distance(ofTrack track: Int, in column: Int) -> Pixels {
    items.x(ofTrack: track, in: column)
  }

  /// Splits the columns into as many blocks as needed, but all about as wide as each other.
  private static func runs(_ spacing: ColumnSpacing, width limit: Pixels) -> [ColumnSpacing] {
    var runs = spacing.split(atWidth: limit)
    var width = limit - 8
    while (2...balancedBlocks).contains(runs.count), width > limit.half {
      let narrower = spacing.split(atWidth: width)
      guard narrower.count == runs.count else { break }
      runs = narrower
      width = width - 8
    }
    return runs
  }

  /// The width of the widest block, with the names.
  var width: Pixels {
    let names = diagram.lanes.rows.map {
      Pixels.monospaced($0.name.quotedIfNeeded.cells, size: 12)
    }
    let longest = metrics.hasLabelsAbove ? names.max() ?? 0 : 0
    return max(metrics.labelWidth + (blocks.map(\.width).max() ?? 0), longest)
  }
}

extension PictureLayout.Block {
  /// Makes a block of these columns. Its rows are those with a mark or a waiting value. A block
  /// that's the only one also has those with only a line, and so has a block without any mark.
  fileprivate init(_ run: ColumnSpacing, marks: [Int], waits: [Int], isOnly: Bool) {
    let diagram = run.diagram
    (columns, x, breaks, width) = (run.columns, run.x, run.breaks, run.width)
    instants = run.columns.reduce(into: []) { instants, column in
      if let last = instants.last, diagram.goesOn(after: column - 1) {
        instants[instants.count - 1] = last.lowerBound..<column + 1
      } else {
        instants.append(column..<column + 1)
      }
    }
    startsWithBreak = run.startsWithBreak
    self.marks = marks
    stacks = Dictionary(grouping: marks.filter { diagram.marks[$0].stands }) {
      diagram.marks[$0].row
    }.mapValues { marks in
      marks.reduce(into: [[Int]]()) { stacks, mark in
        if let last = stacks.last?.last, diagram.marks[last].column == diagram.marks[mark].column {
          stacks[stacks.count - 1].append(mark)
        } else {
          stacks.append([mark])
        }
      }
    }
    lines = diagram.lanes.lines.filter { diagram.columns(of: $0).overlaps(run.columns) }
    var rows = Set(marks.lazy.map { diagram.marks[$0] }.filter { !$0.isHidden }.map(\.row))
    rows.formUnion(waits)
    rows.formUnion(
      diagram.discards.filter { run.columns.contains(diagram.marks[$0.value].column) }.map(\.row))
    if isOnly || rows.isEmpty { rows.formUnion(lines.map(\.row)) }
    self.rows = rows.sorted()
  }

  /// Gives each row and each printed line its place.
  fileprivate mutating func arrange(
    _ diagram: Diagram, _ signs: [PictureSign], _ drops: MarkDrops, _ tops: [[Int: Pixels]],
    _ metrics: PictureMetrics
  ) {
    var printedRows: [Int: PrintedLines] = [:]
    var (above, below, names): ([Int: Pixels], [Int: Pixels], [Int: Pixels]) = ([:], [:], [:])
    func reach(row: Int, drop: Pixels, up: Pixels, down: Pixels) {
      above[row] = max(above[row] ?? up - drop, up - drop)
      below[row] = max(below[row] ?? down + drop, down + drop)
      names[row] = min(names[row] ?? drop, drop)
    }
    for (index, discard) in diagram.discards.enumerated()
    where columns.contains(diagram.marks[discard.value].column) {
      reach(row: discard.row, drop: drops.discards[index], up: 7, down: 7)
    }
    for line in lines { reach(row: line.row, drop: drops[line.start], up: 7, down: 7) }
    for index in marks where !diagram.marks[index].isHidden {
      let (mark, sign) = (diagram.marks[index], signs[index])
      reach(row: mark.row, drop: drops[index], up: sign.above, down: sign.below)
      if mark.event.kind.isDemand, mark.anchor == nil {
        let up = (tops[mark.column][mark.row] ?? 4) + 11
        reach(row: mark.row, drop: drops[index], up: up, down: 0)
      }
      guard mark.isLine, case .printed(let text, _) = sign else { continue }
      let (place, right) = printedRows[mark.row, default: PrintedLines()].place(
        text, x: x(ofColumn: mark.column), limit: metrics.columnsWidth)
      printed[index] = place
      below[mark.row] = max(below[mark.row] ?? 0, place.below)
      width = max(width, right)
    }
    for (index, row) in rows.enumerated() {
      let (above, below) = (above[row] ?? 7, below[row] ?? 7)
      let middle = height + metrics.nameHeight + PictureMetrics.rowGap + above
      places[row] = PictureLayout.RowPlace(
        index: index, top: height, middle: middle, above: above, below: below,
        name: names[row] ?? 0)
      height = middle + below + PictureMetrics.rowGap
    }
  }

  /// Adds the places of the columns in which each thread ran something.
  fileprivate mutating func addThreads(_ diagram: Diagram, _ metrics: PictureMetrics) {
    threads = diagram.threads.map { name in
      marks.map { diagram.marks[$0] }.filter { $0.event.thread == name }
        .map { x(ofColumn: $0.column) }.withoutRepeats()
    }
    guard metrics.hasLabelsAbove else { return }
    // The names stand behind the last places.
    for (name, places) in zip(diagram.threads, threads) {
      width = max(width, (places.last ?? 0) + 10 + .words(name.cells))
    }
  }
}

/// The place of lanes' names, and the distances that follow from it.
struct PictureMetrics: Equatable {
  /// Whether the names stand above the lanes, at their left end. Otherwise they stand to the left.
  let hasLabelsAbove: Bool
  /// The width of the column of names.
  let labelWidth: Pixels
  /// The width that columns may take.
  let columnsWidth: Pixels

  /// The space between the edge and the content.
  static let margin: Pixels = 12
  /// The height of the axis.
  static let axisHeight: Pixels = 32
  /// The height of a thread's name and bars.
  static let threadHeight: Pixels = 16
  /// The space between the signs of two levels.
  static let levelGap: Pixels = 3
  /// The space above and below the signs of a row.
  static let rowGap: Pixels = 9

  /// The height of a name above its lane.
  var nameHeight: Pixels { hasLabelsAbove ? 15 : 0 }

  /// Names stand above their lanes in a picture for a phone, or if they'd take too much width.
  init(labels names: [String], width: Int) {
    let longest = Pixels.monospaced(names.map(\.cells).max() ?? 0, size: 12) + 14
    let all = Pixels(width) - 2 * Self.margin
    hasLabelsAbove =
      width <= Timeline.PictureStyle.narrow.width || longest + longest + longest > all
    labelWidth = hasLabelsAbove ? 0 : longest
    columnsWidth = max(all - labelWidth, 1)
  }
}
