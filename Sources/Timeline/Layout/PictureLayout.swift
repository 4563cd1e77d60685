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
  private(set) var blocks: [Block] = []

  /// The arrow to each mark that has one.
  private let arrows: [Int: Diagram.Arrow]
  /// The block of each column.
  private var blockOfColumn: [Int] = []

  /// The largest number of blocks that are made as wide as each other. With more, a shorter last
  /// one doesn't show, and trying takes long.
  private static let balancedBlocks = 20

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
    let spacing = ColumnSpacing(
      items: RowItems(diagram, signs), diagram: diagram, scale: TimeScale(diagram.instants),
      unit: unit)
    var runs = spacing.split(atWidth: metrics.columnsWidth)
    // As many blocks as needed, but all about as wide as each other.
    var width = metrics.columnsWidth - 8
    while (2...Self.balancedBlocks).contains(runs.count), width > metrics.columnsWidth.half {
      let narrower = spacing.split(atWidth: width)
      guard narrower.count == runs.count else { break }
      runs = narrower
      width = width - 8
    }
    for (index, run) in runs.enumerated() {
      blockOfColumn += run.columns.map { _ in index }
    }
    blocks = zip(runs, contents(of: runs.count)).map { $0.block($1) }
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
  private func contents(of count: Int) -> [Contents] {
    var contents = (0..<count).map { _ in Contents() }
    for (index, mark) in diagram.marks.enumerated() {
      let block = blockOfColumn[mark.column]
      contents[block].marks.append(index)
      if !mark.isHidden { contents[block].rows.insert(mark.row) }
    }
    for line in diagram.lines {
      let columns = columns(of: line)
      guard let first = columns.first, let last = columns.last else { continue }
      for block in blockOfColumn[first]...blockOfColumn[last] {
        contents[block].lines.append(line)
        contents[block].rows.insert(line.row)
      }
    }
    return contents
  }

  /// The columns that a line runs through.
  func columns(of line: Diagram.Line) -> Range<Int> {
    let start = diagram.marks[line.start].column
    let end = line.end.map { diagram.marks[$0].column + 1 } ?? diagram.columns.count
    return start..<max(start, end)
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
