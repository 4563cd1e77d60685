import VirtualTime

extension Timeline.Recording {
  /// The recording as a marble diagram of plain characters, with a row for each lane and a column
  /// for each instant.
  ///
  /// ```
  ///            0ms  120ms  300ms
  /// request 1  ^----(A|)
  /// user       ^-----------(B|)
  ///
  /// Not to scale: one column is one instant, and a line runs from ^ to the end.
  ///   ^   subscribed, or request made
  ///   |   finished
  ///   ()  at one instant, in this order
  ///   A   200 OK, 44 bytes
  ///   B   Ada
  /// ```
  ///
  /// Demand is left out. Times are written in one unit, the largest in which at least half of them
  /// are whole numbers. A time that isn't has its own unit, such as `1500us`. Rows stand in the
  /// order in which data flows through the lanes. Lives that a lane has at the same time get a row
  /// each, such as `load 1` and `load 2`. Events of one instant keep their order within a lane, but
  /// not between lanes. For that, see ``transcript()``.
  ///
  /// - Parameter width: The maximum width in characters. A wider diagram continues in another block
  ///   of rows below. If `nil`, it never does. The legend isn't wrapped, and a block has at least
  ///   one column.
  /// - Returns: Lines that each end in a newline, or `No events.`
  public func marbles(width: Int? = 100) -> String { Marbles(self).drawing(width: width) }

  /// The recording as a marble diagram, in a style of a terminal.
  ///
  /// - Parameters:
  ///   - width: The maximum width in characters.
  ///   - style: The colours.
  ///   - earlier: The parts of the run before these, whose texts have the first letters.
  package func marbles(
    width: Int, in style: TerminalStyle, after earlier: Timeline.Recording = Self(parts: [])
  ) -> String {
    Marbles(self).drawing(width: width, in: style, after: Marbles(earlier).parts)
  }
}

/// The content of a marble diagram: for each part and row, the marbles and their instants.
struct Marbles {
  /// One symbol in a diagram.
  enum Marble: Hashable {
    /// A subscription, or the start of a network request: `^`.
    case start
    /// A letter, for everything with a text that isn't a failure.
    case value(String)
    /// The stream or response finished: `|`.
    case finished
    /// A failure: `#`.
    case failure(String)
    /// Cancellation: `!`.
    case cancelled
  }

  struct Row {
    let name: String
    /// In order. There is at least one, and times never descend.
    var marbles: [(time: VirtualTime, marble: Marble)] = []
  }

  struct Part {
    /// The heading; `nil` for the rows before the first heading.
    let title: String?
    var rows: [Row]
  }

  let parts: [Part]

  /// A part without a title and without marbles is left out.
  init(_ recording: Timeline.Recording) {
    parts = recording.parts.compactMap { part in
      let lanes = LaneRows(part)
      var rows = lanes.rows.map { Row(name: $0.name) }
      for (event, row) in zip(lanes.events, lanes.rowOfEvent) {
        guard let row, let marble = Marble(event.kind) else { continue }
        rows[row].marbles.append((event.time, marble))
      }
      guard part.title != nil || !rows.isEmpty else { return nil }
      return Part(title: part.title, rows: rows)
    }
  }

  /// Draws the diagram in a style of a terminal.
  ///
  /// - Parameters:
  ///   - width: The maximum width in characters.
  ///   - style: The colours.
  ///   - earlier: The parts before these, whose texts have the first letters.
  func drawing(
    width: Int?, in style: TerminalStyle = .plain, after earlier: [Part] = []
  ) -> String {
    guard !parts.isEmpty else { return "No events.\n" }
    let letters = MarbleLetters(parts, style, after: earlier)
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
    let head = "Not to scale: one column is one instant, and a line runs from ^ to the end."
    if !legend.isEmpty { blocks.append([head] + legend) }
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
  private let keys: [Marbles.Marble: String]
  private let style: TerminalStyle

  init(
    _ parts: [Marbles.Part], _ style: TerminalStyle = .plain, after earlier: [Marbles.Part] = []
  ) {
    self.style = style
    let rows = parts.flatMap(\.rows)
    let used = Set(rows.flatMap { $0.marbles.map(\.marble) })
    // By time across all rows, so that letters ascend from left to right.
    let all = (earlier + parts).flatMap { part in
      part.rows.flatMap(\.marbles).stablySorted { $0.time < $1.time }
    }.map(\.marble).withoutRepeats()
    marbles = all.filter(used.contains)
    hasGroups = rows.contains { row in
      zip(row.marbles, row.marbles.dropFirst()).contains { $0.time == $1.time }
    }
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
    for marble in marbles {
      if case .failure(let text) = marble {
        entries.append((marble, "failed: \(text.quotedIfNeeded)"))
      }
    }
    for marble in marbles {
      if case .value(let text) = marble { entries.append((marble, text.quotedIfNeeded)) }
    }
    let symbols = entries.map { marble, _ in marble.map { self[$0] } ?? "()" }
    let width = symbols.map(\.count).max() ?? 0
    return zip(symbols, entries).map { symbol, entry in
      let padding = String(repeating: " ", count: width - symbol.count)
      return "  \(entry.0.map(painted) ?? symbol)\(padding)  \(entry.1)"
    }
  }

  /// Returns A to Z, then a to z, then A1 and so on.
  private static func letter(_ index: Int) -> String {
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
    let times = Set(part.rows.flatMap { $0.marbles.map(\.time) }).sorted()
    let byTime = part.rows.map { Dictionary(grouping: $0.marbles, by: \.time) }
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
  /// Makes the marble of an event, or `nil` for demand.
  fileprivate init?(_ kind: Timeline.Event.Kind) {
    switch kind {
    case .subscription, .network(.started): self = .start
    case .request: return nil
    case .value(let text), .note(let text), .printed(let text): self = .value(text)
    case .finished, .network(.finished): self = .finished
    case .failure(let text), .network(.failed(let text)): self = .failure(text)
    case .cancelled, .network(.cancelled): self = .cancelled
    case .network(.waiting), .network(.sent), .network(.response), .network(.chunk):
      self = .value(kind.description)
    }
  }

  fileprivate var role: TerminalStyle.Role {
    switch self {
    case .start: .start
    case .value: .value
    case .finished: .finished
    case .failure: .failure
    case .cancelled: .cancelled
    }
  }

  /// Returns how many of a row's subscriptions are open after this marble.
  fileprivate func subscriptions(after count: Int) -> Int {
    switch self {
    case .start: count + 1
    case .value: count
    case .finished, .failure, .cancelled: max(0, count - 1)
    }
  }
}
