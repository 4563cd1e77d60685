import VirtualTime

/// A diagram with a place in pixels for everything, in one or more blocks below each other.
struct PictureLayout {
  /// Some of the columns, with the rows that have something in them.
  struct Block {
    /// The columns of the diagram in this block.
    let columns: Range<Int>
    /// The middle of each column, from the left edge of the block's lanes.
    let x: [Pixels]
    /// The bands of the instants, with the place of each label.
    let bands: [Band]
    /// The places where time is cut.
    let breaks: [Pixels]
    /// Whether time is cut before the first column.
    let startsWithBreak: Bool
    /// The width of the lanes.
    let width: Pixels
    /// The rows of the diagram in this block.
    let rows: [Int]
    /// The positions of these rows in the block, by row.
    let places: [Int: Int]
    /// The positions of its marks in the diagram.
    let marks: [Int]
    /// The lines that run through it.
    let lines: [Diagram.Line]

    /// The middle of a column of the diagram.
    func x(ofColumn column: Int) -> Pixels { x[column - columns.lowerBound] }
  }

  /// The things in a block.
  struct Contents {
    var marks: [Int] = []
    var lines: [Diagram.Line] = []
    var rows: Set<Int> = []
  }

  /// An instant in a block.
  struct Band {
    let instant: Int
    let left: Pixels
    let right: Pixels
    let label: Pixels
  }

  let diagram: Diagram
  let signs: [PictureSign]
  let metrics: PictureMetrics
  let unit: TimeUnit
  let blocks: [Block]

  /// By block and row, the place of the name above its lane.
  private let namePlaces: [[Int: Pixels]]

  /// The heights of arrows that turn.
  let tracks: ArrowTracks

  /// The arrow to each mark that has one.
  private let arrows: [Int: Diagram.Arrow]
  /// The block of each column.
  private let blockOfColumn: [Int]

  /// The largest number of blocks that are made as wide as each other. With more, a shorter last
  /// one doesn't show, and trying takes long.
  private static let balancedBlocks = 20

  /// The width that a name above a lane leaves to the arrows.
  private static let leastLanes: Pixels = 100

  /// Lays out a diagram.
  ///
  /// - Parameters:
  ///   - diagram: The diagram.
  ///   - letters: The letters of long texts.
  ///   - metrics: The distances.
  ///   - unit: The unit of all times.
  init(_ diagram: Diagram, letters: PictureLetters, metrics: PictureMetrics, unit: TimeUnit) {
    self.diagram = diagram
    self.metrics = metrics
    self.unit = unit
    arrows = Dictionary(diagram.arrows.map { ($0.effect, $0) }) { first, _ in first }
    signs = diagram.marks.map { PictureSign($0.event.kind, letters: letters) }
    let items = RowItems(diagram, signs)
    var spacing = ColumnSpacing(
      items: items, diagram: diagram, scale: TimeScale(diagram.instants), unit: unit)
    var (blocks, blockOfColumn) = Self.blocks(spacing, metrics)
    var namePlaces: [[Int: Pixels]] = []
    if metrics.hasLabelsAbove {
      var names = NamePlaces(diagram.rows, blocks, crossings: items.crossings)
      // A name without a gap gets one at the left, unless it's too long to move the arrows so far.
      while true {
        let needed = names.missing.filter {
          spacing.reserved[$0.key] == nil && $0.value <= metrics.columnsWidth - Self.leastLanes
        }
        guard !needed.isEmpty else { break }
        spacing.reserved.merge(needed) { first, _ in first }
        (blocks, blockOfColumn) = Self.blocks(spacing, metrics)
        names = NamePlaces(diagram.rows, blocks, crossings: items.crossings)
      }
      namePlaces = names.places
    }
    self.namePlaces = namePlaces
    (self.blocks, self.blockOfColumn) = (blocks, blockOfColumn)
    tracks = ArrowTracks(diagram, blocks, blockOfColumn: blockOfColumn)
  }

  /// Splits the columns into blocks.
  private static func blocks(
    _ spacing: ColumnSpacing, _ metrics: PictureMetrics
  ) -> (blocks: [Block], blockOfColumn: [Int]) {
    var runs = spacing.split(atWidth: metrics.columnsWidth)
    // As many blocks as needed, but all about as wide as each other.
    var width = metrics.columnsWidth - 8
    while (2...balancedBlocks).contains(runs.count), width > metrics.columnsWidth.half {
      let narrower = spacing.split(atWidth: width)
      guard narrower.count == runs.count else { break }
      runs = narrower
      width = width - 8
    }
    let blockOfColumn = runs.enumerated().flatMap { index, run in run.columns.map { _ in index } }
    let contents = contents(of: runs.count, spacing.diagram, blockOfColumn)
    return (zip(runs, contents).map { $0.block($1) }, blockOfColumn)
  }

  /// The left edge of a row's name above its lane, from the left edge of the block. `nil` if names
  /// stand to the left of the lanes.
  func place(ofName row: Int, inBlock block: Int) -> Pixels? {
    namePlaces.isEmpty ? nil : namePlaces[block][row]
  }

  /// The arrow to a mark.
  func arrow(to effect: Int) -> Diagram.Arrow? { arrows[effect] }

  /// The position of the block that has a column.
  func block(ofColumn column: Int) -> Int { blockOfColumn[column] }

  /// The height of all blocks.
  var height: Pixels {
    blocks.reduce(0) { $0 + PictureMetrics.axisHeight + $1.rows.count * metrics.rowHeight }
      + max(0, blocks.count - 1) * 10
  }

  /// The width of the widest block, with the names.
  var width: Pixels {
    let names = diagram.rows.map { Pixels.monospaced($0.name.cells, size: 12) }
    let longest = metrics.hasLabelsAbove ? names.max() ?? 0 : 0
    return max(metrics.labelWidth + (blocks.map(\.width).max() ?? 0), longest)
  }

  /// The things in each block. The rows are those with a mark or a line.
  private static func contents(
    of count: Int, _ diagram: Diagram, _ blockOfColumn: [Int]
  ) -> [Contents] {
    var contents = (0..<count).map { _ in Contents() }
    for (index, mark) in diagram.marks.enumerated() {
      let block = blockOfColumn[mark.column]
      contents[block].marks.append(index)
      if !mark.isHidden { contents[block].rows.insert(mark.row) }
    }
    for line in diagram.lines {
      let columns = diagram.columns(of: line)
      guard let first = columns.first, let last = columns.last else { continue }
      for block in blockOfColumn[first]...blockOfColumn[last] {
        contents[block].lines.append(line)
        contents[block].rows.insert(line.row)
      }
    }
    return contents
  }
}

/// The white space between two instants: to scale, but never too short or too long.
struct TimeScale {
  private let instants: [VirtualTime]
  private let median: Double

  init(_ instants: [VirtualTime]) {
    self.instants = instants
    let gaps = zip(instants, instants.dropFirst()).map { Self.gap($0, $1) }.sorted()
    median = gaps.isEmpty ? 1 : max(gaps[(gaps.count - 1) / 2], 1)
  }

  /// The space before an instant, and whether time is cut there.
  func space(before instant: Int) -> (width: Pixels, isCut: Bool) {
    guard instant > 0 else { return (0, false) }
    let pixels = Self.gap(instants[instant - 1], instants[instant]) / median * 22
    if pixels > 60 { return (28, true) }
    return (Pixels(Int(max(8, pixels).rounded())), false)
  }

  private static func gap(_ first: VirtualTime, _ second: VirtualTime) -> Double {
    Double(second.nanoseconds) - Double(first.nanoseconds)
  }
}
