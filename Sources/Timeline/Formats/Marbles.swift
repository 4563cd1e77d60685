import VirtualTime

/// What a marble diagram shows: per part and lane, which marbles lie at which instants.
///
/// It can be made of a recording, drawn as text and read back:
///
/// ```swift
/// let marbles = Marbles(timeline.recording)
/// print(marbles.drawing(), terminator: "")
/// try Marbles(parsing: marbles.drawing()) == marbles  // true
/// ```
///
/// Demand is left out. The order of events at one instant is kept within a lane, but not between
/// lanes: that is what the transcript and the trace tell.
public struct Marbles: Hashable, Sendable {
  /// One sign in a diagram.
  public enum Marble: Hashable, Sendable {
    /// A subscription, or the start of a network request: `^`.
    case start
    /// A value, a remark, a printed line, a response, a part of a body, or that a request waits for
    /// a network: a letter.
    case value(String)
    /// The end of all values: `|`.
    case finished
    /// An error: `#`.
    case failure(String)
    /// Cancellation: `!`.
    case cancelled
  }

  /// A marble at its instant.
  public struct Placed: Hashable, Sendable {
    /// When.
    public let time: VirtualTime

    /// What.
    public let marble: Marble

    /// Places a marble.
    public init(_ marble: Marble, at time: VirtualTime) {
      self.time = time
      self.marble = marble
    }
  }

  /// One row of a diagram.
  public struct Row: Hashable, Sendable {
    /// The lane's name.
    public let name: String

    /// The marbles in order; at least one, the times never descending.
    public var marbles: [Placed]

    /// Makes a row.
    public init(_ name: String, _ marbles: [Placed]) {
      self.name = name
      self.marbles = marbles
    }
  }

  /// The rows under one heading.
  public struct Part: Hashable, Sendable {
    /// The heading; `nil` for what comes before the first.
    public let title: String?

    /// The rows in order of the lanes' first use.
    public var rows: [Row]

    /// Makes a part.
    public init(title: String? = nil, rows: [Row] = []) {
      self.title = title
      self.rows = rows
    }
  }

  /// The parts in order.
  public var parts: [Part]

  /// Makes the content of a diagram from its parts.
  public init(parts: [Part] = []) { self.parts = parts }

  /// Makes the content of a diagram from what was recorded.
  ///
  /// A part without a title and without marbles is left out.
  public init(_ recording: Timeline.Recording) {
    parts = recording.parts.compactMap { part in
      let events = part.events.compactMap { event in
        Marble(event.kind).map { (event.lane, Placed($0, at: event.time)) }
      }
      guard part.title != nil || !events.isEmpty else { return nil }
      let byLane = Dictionary(grouping: events) { $0.0 }
      // The dictionary is only looked up: it has no order.
      let rows = events.map(\.0).withoutRepeats().map { lane in
        Row(lane.name, (byLane[lane] ?? []).map(\.1))
      }
      return Part(title: part.title, rows: rows)
    }
  }
}

extension Timeline.Recording {
  /// What happened as a marble diagram of plain characters: one row a lane, one column an instant.
  ///
  /// ```
  ///            0ms  120ms  300ms
  /// request 1  ^----(A|)
  /// user       ^-----------(B|)
  ///
  /// Not to scale: one column is one instant, and a line runs from ^ to the end.
  ///   ^   subscribed or sent
  ///   |   finished
  ///   ()  at one instant, in this order
  ///   A   200 OK, 44 bytes
  ///   B   Ada
  /// ```
  ///
  /// - Parameter width: Where the diagram continues in another block of rows below, in characters;
  ///   `nil` for never. The legend is not wrapped.
  /// - Returns: Lines that each end in a newline; `No events.` if there are none.
  public func marbles(width: Int? = 100) -> String { Marbles(self).drawing(width: width) }
}

extension Marbles.Marble {
  /// The marble of an event, or `nil` for demand.
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
