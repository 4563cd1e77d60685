import VirtualTime

/// A diagram with a place in pixels for everything, in one or more blocks below each other.
struct PictureLayout {
  /// Some of the columns, with the rows that have something in them.
  struct Block {
    /// The columns of the diagram in this block.
    let columns: Range<Int>
    /// The middle of each column, from the left edge of the block's lanes.
    let x: [Pixels]
    /// The instants, with the place of each label.
    let bands: [Band]
    /// The places where time is cut.
    let breaks: [Pixels]
    /// Whether time is cut before the first column.
    let startsWithBreak: Bool
    /// The width of the lanes.
    var width: Pixels
    /// The rows of the diagram in this block.
    let rows: [Int]
    /// The positions of its marks in the diagram.
    let marks: [Int]
    /// The lines that run through it.
    let lines: [Diagram.Line]
    /// The places of the rows, from the upper edge of the lanes, by row.
    var places: [Int: RowPlace] = [:]
    /// The height of all rows.
    var height: Pixels = 0
    /// The places of printed lines, by mark.
    var printed: [Int: PrintedLines.Place] = [:]
    /// The threads that ran, from left to right.
    var threads: [ThreadRun] = []

    /// The middle of a column of the diagram.
    func x(ofColumn column: Int) -> Pixels { x[column - columns.lowerBound] }
  }

  /// The place of a row in a block.
  struct RowPlace {
    /// Its position among the rows.
    let index: Int
    let top: Pixels
    /// The middle of its signs.
    let middle: Pixels
    /// How far its signs reach up and down from there.
    let above: Pixels
    let below: Pixels

    /// The height at which arrows go to the right below or above its signs.
    func turn(isDown: Bool) -> Pixels { isDown ? middle + below + 5 : middle - above - 6 }
  }

  /// Some columns that one thread ran.
  struct ThreadRun {
    let name: String
    /// The number of the thread, in order of first use.
    let number: Int
    let left: Pixels
    let right: Pixels

    var width: Pixels { right - left }
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
    /// The first and the last column.
    let first: Pixels
    let last: Pixels
  }

  let diagram: Diagram
  let signs: [PictureSign]
  let metrics: PictureMetrics
  let unit: TimeUnit
  let blocks: [Block]

  /// Which stretches of the axis are to scale.
  let scale: AxisScale

  /// The threads, in order of first use. Empty unless there are several.
  let threads: [String]

  /// The heights of arrows that turn.
  let tracks: ArrowTracks

  /// The arrows to each mark.
  private let arrows: [Int: [Diagram.Arrow]]
  /// The block of each column.
  private let blockOfColumn: [Int]

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
    self.metrics = metrics
    self.unit = unit
    signs = diagram.signs
    let threads = diagram.marks.compactMap(\.event.thread).withoutRepeats()
    self.threads = threads.count > 1 ? threads : []
    let spacing = ColumnSpacing(
      items: RowItems(diagram, signs), diagram: diagram, scale: TimeScale(diagram.instants),
      unit: unit)
    var (blocks, blockOfColumn) = Self.blocks(spacing, metrics)
    for index in blocks.indices {
      blocks[index].arrange(
        diagram, signs, metrics, threads: self.threads)
    }
    (self.blocks, self.blockOfColumn) = (blocks, blockOfColumn)
    scale = AxisScale(blocks, instants: diagram.instants)
    // An arrow to a printed line that stands below others would cross their words.
    let drawn = diagram.arrows.filter { arrow in
      let block = blocks[blockOfColumn[diagram.marks[arrow.effect].column]]
      return (block.printed[arrow.effect]?.line ?? 0) == 0
    }
    arrows = Dictionary(grouping: drawn, by: \.effect)
    tracks = ArrowTracks(diagram, drawn, blocks, blockOfColumn: blockOfColumn)
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

  /// The arrows that are drawn.
  var drawnArrows: some Sequence<Diagram.Arrow> { arrows.values.joined() }

  /// The arrows to a mark.
  func arrows(to effect: Int) -> [Diagram.Arrow] { arrows[effect] ?? [] }

  /// The position of the block that has a column.
  func block(ofColumn column: Int) -> Int { blockOfColumn[column] }

  /// The height above the lanes of a block.
  var headHeight: Pixels {
    PictureMetrics.axisHeight + (threads.isEmpty ? 0 : PictureMetrics.threadHeight)
  }

  /// The width of the widest block, with the names.
  var width: Pixels {
    let names = diagram.rows.map { Pixels.monospaced($0.name.quotedIfNeeded.cells, size: 12) }
    let longest = metrics.hasLabelsAbove ? names.max() ?? 0 : 0
    return max(metrics.labelWidth + (blocks.map(\.width).max() ?? 0), longest)
  }

  /// The things in each block. The rows are those with a mark. A single block also has those with
  /// only a line, and so has a block without any mark.
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
        if count == 1 { contents[block].rows.insert(line.row) }
      }
    }
    for block in contents.indices where contents[block].rows.isEmpty {
      contents[block].rows.formUnion(contents[block].lines.map(\.row))
    }
    return contents
  }
}

extension PictureLayout.Block {
  /// Gives each row and each printed line its place.
  fileprivate mutating func arrange(
    _ diagram: Diagram, _ signs: [PictureSign], _ metrics: PictureMetrics, threads: [String]
  ) {
    var printedRows: [Int: PrintedLines] = [:]
    var (above, below): ([Int: Pixels], [Int: Pixels]) = ([:], [:])
    for index in marks where !diagram.marks[index].isHidden {
      let mark = diagram.marks[index]
      above[mark.row] = max(above[mark.row] ?? 0, signs[index].above)
      below[mark.row] = max(below[mark.row] ?? 0, signs[index].below)
      guard case .printed(let text, _) = signs[index] else { continue }
      let place = printedRows[mark.row, default: PrintedLines()].place(
        text, x: x(ofColumn: mark.column), limit: metrics.columnsWidth)
      printed[index] = place
      let bottom = 7 + (place.line + place.texts.count - 1) * PrintedLines.lineHeight
      below[mark.row] = max(below[mark.row] ?? 0, bottom)
    }
    for printed in printedRows.values { width = max(width, printed.right) }
    for (index, row) in rows.enumerated() {
      let (above, below) = (above[row] ?? 7, below[row] ?? 7)
      let middle = height + metrics.nameHeight + PictureMetrics.rowGap + above
      places[row] = PictureLayout.RowPlace(
        index: index, top: height, middle: middle, above: above, below: below)
      height = middle + below + PictureMetrics.rowGap
    }
    if !threads.isEmpty { self.threads = runs(of: threads, diagram) }
  }

  private func runs(of threads: [String], _ diagram: Diagram) -> [PictureLayout.ThreadRun] {
    var names: [Int: String] = [:]
    for mark in diagram.marks where names[mark.column] == nil {
      names[mark.column] = mark.event.thread
    }
    var runs: [PictureLayout.ThreadRun] = []
    for (column, x) in zip(columns, x) {
      let name = names[column] ?? runs.last?.name ?? threads[0]
      let number = threads.firstIndex(of: name) ?? 0
      let left = runs.last?.name == name ? runs.removeLast().left : x - 6
      if let last = runs.popLast() {
        runs.append(
          PictureLayout.ThreadRun(
            name: last.name, number: last.number, left: last.left, right: left - 3))
      }
      runs.append(PictureLayout.ThreadRun(name: name, number: number, left: left, right: x + 6))
    }
    if let last = runs.popLast() {
      runs.append(
        PictureLayout.ThreadRun(
          name: last.name, number: last.number, left: last.left, right: width))
    }
    return runs
  }
}

extension Diagram {
  /// The signs of all marks.
  var signs: [PictureSign] {
    let positions = marks.map(\.event).positionsOfCauses
    var parts: [Int: [Timeline.Event.Kind]] = [:]
    for mark in marks where !mark.event.kind.isDemand {
      if let anchor = mark.anchor { parts[anchor, default: []].append(mark.event.kind) }
    }
    return marks.indices.map { index in
      let kind = marks[index].event.kind
      if marks[index].anchor != nil, case .network = kind { return .part }
      let cause = positions[index].map { marks[$0] }
      let isRepeated = cause.map { !$0.isHidden && $0.event.kind.error == kind.error } ?? false
      return PictureSign(kind, tints: tints[index], isBorn: !isRepeated, parts: parts[index] ?? [])
    }
  }
}

extension Timeline.Event.Kind {
  fileprivate var error: String? {
    switch self {
    case .failure(let text), .network(.failed(let text)): text
    default: nil
    }
  }
}

/// The distance between two instants: to scale, but never too short or too long.
struct TimeScale {
  private let instants: [VirtualTime]
  private let median: Double

  init(_ instants: [VirtualTime]) {
    self.instants = instants
    let gaps = zip(instants, instants.dropFirst()).map { Self.gap($0, $1) }.sorted()
    median = gaps.isEmpty ? 1 : max(gaps[(gaps.count - 1) / 2], 1)
  }

  /// The distance from the instant before, and whether time is cut there.
  func distance(before instant: Int) -> (width: Pixels, isCut: Bool) {
    guard instant > 0 else { return (0, false) }
    let pixels = Self.gap(instants[instant - 1], instants[instant]) / median * 46
    if pixels > 126 { return (52, true) }
    return (Pixels(Int(max(32, pixels).rounded())), false)
  }

  private static func gap(_ first: VirtualTime, _ second: VirtualTime) -> Double {
    Double(second.nanoseconds) - Double(first.nanoseconds)
  }
}
