extension Timeline {
  /// The events and the waits that a timeline has recorded, as a value.
  ///
  /// ``transcript()``, ``marbles(width:)``, ``explanation(of:part:)`` and ``trace()`` write it as
  /// text, and the module `TimelinePictures` draws it as SVG. All of them are made from this value
  /// alone, so they can't disagree.
  public struct Recording: Hashable, Sendable {
    /// Some of the events, under a heading.
    public struct Part: Hashable, Sendable {
      /// The heading; `nil` for the events before the first heading.
      public let title: String?

      /// The events, in order.
      public var events: [Event]

      /// The waits, in order of their starts.
      public var waits: [Wait]

      /// Makes a part.
      public init(title: String? = nil, events: [Event] = [], waits: [Wait] = []) {
        self.title = title
        self.events = events
        self.waits = waits
      }
    }

    /// The parts, in order.
    public var parts: [Part]

    /// Makes a recording from its parts.
    public init(parts: [Part] = []) { self.parts = parts }

    /// The events of all parts, in order.
    public var events: [Event] { parts.flatMap(\.events) }

    /// The waits of all parts.
    public var waits: [Wait] { parts.flatMap(\.waits) }

    /// The lanes, in order of first use.
    public var lanes: [Lane] { events.map(\.lane).withoutRepeats() }

    /// Returns the same recording with only the events that satisfy a condition.
    ///
    /// The events keep their numbers, places and causes, and all waits stay.
    ///
    /// ```swift
    /// // A transcript without demand:
    /// recording.filter { if case .request = $0.kind { false } else { true } }.transcript()
    /// ```
    public func filter(_ isIncluded: (Event) throws -> Bool) rethrows -> Recording {
      Recording(
        parts: try parts.map { part in
          Part(
            title: part.title, events: try part.events.filter(isIncluded), waits: part.waits)
        })
    }
  }
}

extension Sequence where Element: Hashable {
  /// Returns the elements without repeats, in order of first use.
  package func withoutRepeats() -> [Element] {
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}
