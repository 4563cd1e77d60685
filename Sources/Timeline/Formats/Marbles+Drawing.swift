import VirtualTime

extension Marbles {
  /// The first line of the legend. It also marks where the blocks of rows end.
  static let legendHead =
    "Not to scale: one column is one instant, and a line runs from ^ to the end."

  /// The drawing of a diagram without parts.
  static let emptyDrawing = "No events.\n"

  /// Draws the diagram as text; see ``Timeline/Recording/marbles(width:)``.
  public func drawing(width: Int? = 100) -> String { drawing(width: width, in: .plain) }

  /// Draws the diagram in a style of a terminal.
  ///
  /// - Parameters:
  ///   - width: The maximum width in characters.
  ///   - style: The colours.
  ///   - earlier: The parts before these, whose texts have the first letters.
  func drawing(width: Int?, in style: TerminalStyle, after earlier: [Part] = []) -> String {
    guard !parts.isEmpty else { return Self.emptyDrawing }
    let letters = MarbleLetters(self, style, after: earlier)
    let unit = TimeUnit(
      fitting: parts.flatMap { $0.rows.flatMap { $0.marbles.map(\.time) } })
    var blocks: [[String]] = []
    for part in parts {
      var partBlocks = MarbleGrid(part, letters, timesIn: unit).blocks(width: width)
      if let title = part.title {
        partBlocks[0].insert(style.paint("# \(title.quotedIfNeeded)", as: .title), at: 0)
      }
      blocks += partBlocks
    }
    let legend = letters.legend
    if !legend.isEmpty { blocks.append([Self.legendHead] + legend) }
    return blocks.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }
}

/// The letters that stand for texts, assigned in order of first use.
///
/// A letter depends only on what's before it, so a part shown alone has the letters that it has in
/// the whole run.
struct MarbleLetters {
  private let marbles: [Marbles.Marble]
  private let hasGroups: Bool
  private let values: [String]
  private let failures: [String]
  private let keys: [Marbles.Marble: String]
  private let style: TerminalStyle

  init(_ content: Marbles, _ style: TerminalStyle = .plain, after earlier: [Marbles.Part] = []) {
    self.style = style
    let used = Set(content.parts.flatMap { $0.rows.flatMap { $0.marbles.map(\.marble) } })
    // By time across all rows, so that letters ascend from left to right.
    let all = (earlier + content.parts).flatMap { part in
      part.rows.flatMap(\.marbles).stablySorted { $0.time < $1.time }
    }.map(\.marble).withoutRepeats()
    marbles = all.filter(used.contains)
    hasGroups = content.parts.contains { part in
      part.rows.contains { row in
        zip(row.marbles, row.marbles.dropFirst()).contains { $0.time == $1.time }
      }
    }
    values = marbles.compactMap { if case .value(let text) = $0 { text } else { nil } }
    failures = marbles.compactMap { if case .failure(let text) = $0 { text } else { nil } }
    var keys: [Marbles.Marble: String] = [.start: "^", .finished: "|", .cancelled: "!"]
    var (values, failures) = (0, 0)
    for marble in all {
      switch marble {
      case .value:
        keys[marble] = Self.letter(values)
        values += 1
      case .failure:
        failures += 1
        keys[marble] = failures == 1 ? "#" : "#\(failures)"
      case .start, .finished, .cancelled: break
      }
    }
    self.keys = keys
  }

  /// The symbol of a marble.
  subscript(marble: Marbles.Marble) -> String { keys[marble] ?? "?" }

  /// The symbol of a marble, in its colour.
  func painted(_ marble: Marbles.Marble) -> String { style.paint(self[marble], as: marble.role) }

  /// One line for each symbol in use.
  var legend: [String] {
    guard !marbles.isEmpty else { return [] }
    var entries: [(Marbles.Marble?, String)] = []
    if marbles.contains(.start) { entries.append((.start, "subscribed, or request made")) }
    if marbles.contains(.finished) { entries.append((.finished, "finished")) }
    if marbles.contains(.cancelled) { entries.append((.cancelled, "cancelled")) }
    if hasGroups { entries.append((nil, "at one instant, in this order")) }
    entries += failures.map { (.failure($0), "failed: \($0.quotedIfNeeded)") }
    entries += values.map { (.value($0), $0.quotedIfNeeded) }
    let symbols = entries.map { marble, _ in marble.map { self[$0] } ?? "()" }
    let width = symbols.map(\.count).max() ?? 0
    return zip(symbols, entries).map { symbol, entry in
      let padding = String(repeating: " ", count: width - symbol.count)
      return "  \(entry.0.map(painted) ?? symbol)\(padding)  \(entry.1)"
    }
  }

  /// Returns A to Z, then a to z, then A1 and so on.
  static func letter(_ index: Int) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    let round = index / letters.count
    return "\(letters[index % letters.count])\(round == 0 ? "" : "\(round)")"
  }
}

/// One part of a diagram, laid out in columns.
private struct MarbleGrid {
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

  init(_ part: Marbles.Part, _ letters: MarbleLetters, timesIn unit: TimeUnit) {
    names = part.rows.map(\.name.quotedIfNeeded)
    let times = Set(part.rows.flatMap(\.marbles).map(\.time)).sorted()
    let byTime = part.rows.map { Dictionary(grouping: $0.marbles) { $0.time } }
    var open = part.rows.map { _ in 0 }
    columns = times.map { time in
      let marbles = byTime.map { row in (row[time] ?? []).map(\.marble) }
      for (index, marbles) in marbles.enumerated() {
        for marble in marbles { open[index] = marble.subscriptions(after: open[index]) }
      }
      return Column(
        label: unit.text(of: time),
        cells: marbles.map { Self.cell($0) { letters[$0] } },
        painted: marbles.map { Self.cell($0, letters.painted) },
        isOpen: open.map { $0 > 0 })
    }
  }

  private static func cell(
    _ marbles: [Marbles.Marble], _ symbol: (Marbles.Marble) -> String
  ) -> String {
    let symbols = marbles.map(symbol).joined()
    return marbles.count > 1 ? "(\(symbols))" : symbols
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
    case .value: count
    case .finished, .failure, .cancelled: max(0, count - 1)
    }
  }
}
