import VirtualTime

extension Timeline.Recording {
  /// The recording as a marble diagram of plain characters, with a row for each lane and a column
  /// for each instant.
  ///
  /// ```
  ///            0ms  120ms         300ms
  /// request 1  ^----(200, 44 B|)
  /// user       ^------------------(Ada|)
  /// console                       A
  ///
  ///   200  OK
  ///   A    Good morning, Ada!
  ///
  /// Not to scale: one column is one instant, and a line runs from ^ to the end.
  ///   ^   subscribed, or request made
  ///   |   finished
  ///   ()  at one instant, in this order
  /// ```
  ///
  /// A text of up to 12 characters stands in the row itself, unless it could be taken for something
  /// else there. Any other has a letter, which the key below the part explains.
  ///
  /// Demand is left out. Times are written in one unit, the largest in which at least half of them
  /// are whole numbers. A time that isn't has its own unit, such as `1500us`. Rows stand in the
  /// order in which data flows through the lanes. Lives that a lane has at the same time get a row
  /// each, such as `load 1` and `load 2`. Events of one instant keep their order within a lane, but
  /// not between lanes. For that, see ``transcript()``.
  ///
  /// - Parameter width: The maximum width in characters. A wider diagram continues in another block
  ///   of rows below. If `nil`, it never does. The key isn't wrapped, and a block has at least one
  ///   column.
  /// - Returns: Lines that each end in a newline, or `No events.`
  public func marbles(width: Int? = 100) -> String { marbles(width: width, in: .plain) }

  /// The recording as a marble diagram, in a style of a terminal.
  package func marbles(width: Int?, in style: TerminalStyle) -> String {
    let marbles = Marbles(self)
    return Self.text(
      of: marbles.parts.flatMap { $0.diagram(marbles.unit, width: width, in: style).paragraphs }
        + [marbles.signs])
  }

  /// The diagram without the signs that all diagrams have, such as `^`.
  package func marblesWithoutSigns() -> String {
    let marbles = Marbles(self)
    return Self.text(of: marbles.parts.flatMap { $0.diagram(marbles.unit).paragraphs })
  }

  /// The diagram of the first part up to a moment, with the rows and the letters of the whole part.
  ///
  /// - Parameters:
  ///   - time: The last moment to draw.
  ///   - width: The width at which blocks end, and longer texts are cut.
  ///   - style: The colours.
  package func marbleDiagram(
    until time: VirtualTime, cutTo width: Int, in style: TerminalStyle
  ) -> MarbleDiagram? {
    let marbles = Marbles(self)
    return marbles.parts.first?
      .diagram(marbles.unit, until: time, width: width, textWidth: width, in: style)
  }

  private static func text(of paragraphs: [[String]]) -> String {
    let paragraphs = paragraphs.filter { !$0.isEmpty }
    guard !paragraphs.isEmpty else { return "No events.\n" }
    return paragraphs.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }
}

/// The lines of a part's marble diagram.
package struct MarbleDiagram {
  /// The heading, if there's one.
  package let title: [String]
  /// The rows; those that are too wide go on in another block.
  package let blocks: [[String]]
  /// What letters, failures and statuses mean.
  package let key: [String]

  /// The lines that belong together.
  fileprivate var paragraphs: [[String]] {
    [title + (blocks.first ?? [])] + blocks.dropFirst() + [key]
  }
}

/// The content of a marble diagram: for each part and row, the marbles and their instants.
struct Marbles {
  /// One symbol in a diagram.
  enum Marble: Hashable {
    /// A subscription, or the start of a network request: `^`.
    case start
    /// Everything with a text that isn't a failure, in words of the program.
    case value(String)
    /// What happens to a network request before its end.
    case network(Timeline.Event.Network)
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

    /// Whether several marbles belong to one instant.
    fileprivate var hasGroups: Bool {
      zip(marbles, marbles.dropFirst()).contains { $0.time == $1.time }
    }
  }

  struct Part {
    /// The heading; `nil` for the rows before the first heading.
    let title: String?
    var rows: [Row]

    /// All marbles up to a moment, each once, by time across all rows.
    func marbles(until time: VirtualTime = .max) -> [Marble] {
      rows.flatMap(\.marbles).filter { $0.time <= time }
        .stablySorted { $0.time < $1.time }.map(\.marble).withoutRepeats()
    }

    func diagram(
      _ unit: TimeUnit, until time: VirtualTime = .max, width: Int? = 100, textWidth: Int? = nil,
      in style: TerminalStyle = .plain
    ) -> MarbleDiagram {
      let key = MarbleKey(self, style)
      let heading = title.map { "# \($0.quotedIfNeeded)".cut(to: textWidth) }
      return MarbleDiagram(
        title: heading.map { [style.paint($0, as: .title)] } ?? [],
        blocks: MarbleGrid(self, until: time, key, timesIn: unit).blocks(width: width),
        key: key.lines(for: marbles(until: time), width: textWidth))
    }
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

  /// The unit of all times.
  var unit: TimeUnit {
    TimeUnit(fitting: parts.flatMap { $0.rows.flatMap { $0.marbles.map(\.time) } })
  }

  /// The signs in use, which mean the same in all parts.
  fileprivate var signs: [String] {
    let marbles = Set(parts.flatMap { $0.marbles() })
    guard !marbles.isEmpty else { return [] }
    let signs = [
      (marbles.contains(.start), "^", "subscribed, or request made"),
      (marbles.contains(.finished), "|", "finished"),
      (marbles.contains(.cancelled), "!", "cancelled"),
      (
        parts.contains { $0.rows.contains(where: \.hasGroups) }, "()",
        "at one instant, in this order"
      ),
    ].filter { $0.0 }
    let width = signs.map { $0.1.count }.max() ?? 0
    return ["Not to scale: one column is one instant, and a line runs from ^ to the end."]
      + signs.map { "  \($0.1.padded(to: width))  \($0.2)" }
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
    case .network(let event): self = .network(event)
    }
  }
}
