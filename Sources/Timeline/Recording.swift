extension Timeline {
  /// What a timeline has recorded: a value, from which every face is drawn.
  ///
  /// The faces are ``transcript()``, ``marbles(width:)`` and ``trace()``. They are made of this
  /// value alone, and so cannot disagree.
  public struct Recording: Hashable, Sendable {
    /// A stretch of the events, under a heading of its own.
    public struct Part: Hashable, Sendable {
      /// The heading; `nil` for what comes before the first.
      public let title: String?

      /// What happened, in order.
      public var events: [Event]

      /// Makes a part.
      public init(title: String? = nil, events: [Event] = []) {
        self.title = title
        self.events = events
      }
    }

    /// The events by their parts, in order.
    public var parts: [Part]

    /// Makes a recording of its parts.
    public init(parts: [Part] = []) { self.parts = parts }

    /// What happened, in order.
    public var events: [Event] { parts.flatMap(\.events) }

    /// The lanes in order of first use.
    public var lanes: [Lane] { events.map(\.lane).withoutRepeats() }

    /// The same recording without the events that do not satisfy a condition.
    ///
    /// The events keep their numbers, places and causes.
    ///
    /// ```swift
    /// // A transcript that is silent about demand:
    /// recording.filter { if case .request = $0.kind { false } else { true } }.transcript()
    /// ```
    public func filter(_ isIncluded: (Event) throws -> Bool) rethrows -> Recording {
      Recording(
        parts: try parts.map { part in
          Part(title: part.title, events: try part.events.filter(isIncluded))
        })
    }
  }
}

extension Sequence where Element: Hashable {
  /// The elements in order of their first use.
  func withoutRepeats() -> [Element] {
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}
