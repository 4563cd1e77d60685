import VirtualTime

/// One part of a marble diagram, laid out in columns.
struct MarbleGrid {
  private struct Column {
    let label: String
    /// The symbols, by row.
    let cells: [String]
    /// The same in their colours.
    let painted: [String]
    /// Whether a row's line continues after this column, by row.
    let isOpen: [Bool]

    /// The characters up to the next column.
    var width: Int { (cells.map(\.count) + [label.count]).reduce(0, max) + 2 }
  }

  private let names: [String]
  private let columns: [Column]

  /// Lays out the instants up to a moment, in all rows of the part.
  init(_ part: Marbles.Part, until end: VirtualTime, _ key: MarbleKey, timesIn unit: TimeUnit) {
    names = part.rows.map(\.name.quotedIfNeeded)
    let times = Set(part.rows.flatMap { $0.marbles.map(\.time) }).filter { $0 <= end }.sorted()
    let byTime = part.rows.map { Dictionary(grouping: $0.marbles, by: \.time) }
    var open = part.rows.map { _ in 0 }
    columns = times.map { time in
      let marbles = byTime.map { row in (row[time] ?? []).map(\.marble) }
      for (index, marbles) in marbles.enumerated() {
        for marble in marbles { open[index] = marble.subscriptions(after: open[index]) }
      }
      return Column(
        label: unit.text(of: time),
        cells: marbles.map { Self.cell($0) { key[$0] } },
        painted: marbles.map { Self.cell($0, key.painted) },
        isOpen: open.map { $0 > 0 })
    }
  }

  private static func cell(
    _ marbles: [Marbles.Marble], _ symbol: (Marbles.Marble) -> String
  ) -> String {
    guard marbles.count > 1 else { return marbles.map(symbol).joined() }
    let rest = zip(marbles, marbles.dropFirst()).map { last, marble in
      (last.isWords && marble.isWords ? ", " : "") + symbol(marble)
    }
    return "(\(symbol(marbles[0]))\(rest.joined()))"
  }

  /// Returns the lines of each block. There is at least one block. Unless the diagram is empty,
  /// each block has at least one column.
  func blocks(width: Int?) -> [[String]] {
    let labelWidth = (names.map(\.count).max() ?? 0) + 2
    var blocks: [[String]] = []
    var start = 0
    while start < columns.count {
      var end = start + 1
      var used = labelWidth + columns[start].width
      while end < columns.count, width.map({ used + columns[end].width <= $0 }) ?? true {
        used += columns[end].width
        end += 1
      }
      blocks.append(block(columns[start..<end], labelWidth: labelWidth))
      start = end
    }
    return blocks.isEmpty ? [[]] : blocks
  }

  private func block(_ columns: ArraySlice<Column>, labelWidth: Int) -> [String] {
    let header = columns.map { $0.label.padded(to: $0.width) }.joined()
    let rows = names.indices.map { row in
      columns.reduce(names[row].padded(to: labelWidth)) { line, column in
        let life = "".padded(
          to: column.width - column.cells[row].count, with: column.isOpen[row] ? "-" : " ")
        return line + column.painted[row] + life
      }
    }
    return ([String(repeating: " ", count: labelWidth) + header] + rows)
      .map(\.withoutTrailingSpaces)
  }
}

extension Marbles.Marble {
  /// Returns how many of a row's subscriptions are open after this marble.
  fileprivate func subscriptions(after count: Int) -> Int {
    switch self {
    case .start: count + 1
    case .value, .network: count
    case .finished, .failure, .cancelled: max(0, count - 1)
    }
  }
}
