import VirtualTime

/// The content of a marble diagram: for each part and lane, the marbles and their instants.
///
/// You can make it from a recording, draw it as text, and read the text back:
///
/// ```swift
/// let marbles = Marbles(timeline.recording)
/// print(marbles.drawing(), terminator: "")
/// try Marbles(parsing: marbles.drawing()) == marbles  // true
/// ```
///
/// It leaves demand out. Events of one instant keep their order within a lane, but not between
/// lanes. For that, see the transcript or the trace.
public struct Marbles: Hashable, Sendable {
  /// One symbol in a diagram.
  public enum Marble: Hashable, Sendable {
    /// A subscription, or the start of a network request: `^`.
    case start
    /// A value, a remark, a printed line, a response, a chunk of a body, or a request that waits
    /// for connectivity or is sent after that wait: a letter.
    case value(String)
    /// The stream or response finished: `|`.
    case finished
    /// A failure: `#`.
    case failure(String)
    /// Cancellation: `!`.
    case cancelled
  }

  /// A marble at its instant.
  public struct Placed: Hashable, Sendable {
    /// The instant.
    public let time: VirtualTime

    /// The marble.
    public let marble: Marble

    /// Places a marble at an instant.
    public init(_ marble: Marble, at time: VirtualTime) {
      self.time = time
      self.marble = marble
    }
  }

  /// One row of a diagram.
  public struct Row: Hashable, Sendable {
    /// The lane's name.
    public let name: String

    /// The marbles in order. There is at least one, and times never descend.
    public var marbles: [Placed]

    /// Makes a row.
    public init(_ name: String, _ marbles: [Placed]) {
      self.name = name
      self.marbles = marbles
    }
  }

  /// The rows under one heading.
  public struct Part: Hashable, Sendable {
    /// The heading; `nil` for the rows before the first heading.
    public let title: String?

    /// The rows, in the order in which data flows through them.
    public var rows: [Row]

    /// Makes a part.
    public init(title: String? = nil, rows: [Row] = []) {
      self.title = title
      self.rows = rows
    }
  }

  /// The parts, in order.
  public var parts: [Part]

  /// Makes the content of a diagram from its parts.
  public init(parts: [Part] = []) { self.parts = parts }

  /// Makes the content of a diagram from a recording.
  ///
  /// A part without a title and without marbles is left out.
  public init(_ recording: Timeline.Recording) {
    parts = recording.parts.compactMap { part in
      let diagram = Diagram(part)
      var rows = diagram.rows.map { Row($0.name, []) }
      for mark in diagram.marks {
        guard let marble = Marble(mark.event.kind) else { continue }
        rows[mark.row].marbles.append(Placed(marble, at: mark.event.time))
      }
      guard part.title != nil || !rows.isEmpty else { return nil }
      return Part(title: part.title, rows: rows)
    }
  }
}

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
  /// Times are written in one unit, the largest in which at least half of them are whole numbers. A
  /// time that isn't has its own unit, such as `1500us`. Rows stand in the order in which data
  /// flows through the lanes. Lives that a lane has at the same time get a row each, such as
  /// `load 1` and `load 2`.
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
}
