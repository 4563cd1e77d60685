/// Puts the lanes of a part in the order in which data flows through them.
///
/// Each event with a cause in another lane says which of the two lanes stands above the other. Some
/// events say it more clearly than others, so the clear ones are heard first. A later one that
/// contradicts them is ignored. So any recording has an order, even one whose data goes in circles.
struct LaneOrder {
  /// Lanes that one line of code recorded, which stay together, each below the requests it made. Or
  /// a single lane.
  private struct Group {
    var lanes: [Timeline.Lane]
    /// The groups that stand below this one.
    var below: [Int] = []
    /// The number of groups that still have to stand above this one.
    var waits = 0

    var isConsole: Bool { lanes.allSatisfy { $0.role == .console } }
  }

  private var groups: [Group] = []
  private var groupOfLane: [Timeline.Lane: Int] = [:]

  /// The lanes from top to bottom.
  private(set) var lanes: [Timeline.Lane]

  /// Orders the lanes of these events.
  ///
  /// - Parameters:
  ///   - events: The events in the order of time.
  ///   - causes: The position of each event's cause among them, which is before the event's own.
  ///   - origins: The positions of the values that each event is made of.
  init(_ events: [Timeline.Event], causes: [Int?], origins: [[Int]]) {
    lanes = []
    collectGroups(of: events, makers: Self.makers(of: events, causes: causes))
    var edges: [(rank: Int, above: Int, below: Int)] = []
    for (index, event) in events.enumerated() {
      for cause in [causes[index]].compactMap({ $0 }) + origins[index] {
        guard let flow = Flow(from: events[cause], to: event),
          let first = groupOfLane[events[cause].lane], let second = groupOfLane[event.lane]
        else { continue }
        edges.append(flow.isUpward ? (flow.rank, second, first) : (flow.rank, first, second))
      }
    }
    for rank in 0...Flow.lastRank {
      for edge in edges where edge.rank == rank { add(edge.above, above: edge.below) }
    }
    lanes = sorted()
  }

  /// The lanes that made a request, for all requests that answer to no other lane.
  private static func makers(
    of events: [Timeline.Event], causes: [Int?]
  ) -> [Timeline.Lane: Timeline.Lane] {
    var makers: [Timeline.Lane: Timeline.Lane] = [:]
    var others: Set<Timeline.Lane> = []
    for (event, cause) in zip(events, causes) {
      guard let cause = cause.map({ events[$0] }), cause.lane != event.lane else { continue }
      if case .network(.started) = event.kind, event.lane.role == .request {
        let isAsked = cause.kind.isUpstreamSignal || cause.kind == .subscription
        let isInPipeline = cause.lane.role != .request && cause.lane.role != .console
        // A request that follows from another one, such as that of a retry, has the same maker.
        let maker = isInPipeline ? (isAsked ? cause.lane : nil) : makers[cause.lane]
        if let maker, makers[event.lane, default: maker] == maker {
          makers[event.lane] = maker
        } else {
          others.insert(event.lane)
        }
      } else if event.lane.role != .console, makers[cause.lane] != event.lane {
        others.insert(cause.lane)
      }
    }
    return makers.filter { !others.contains($0.key) }
  }

  private mutating func collectGroups(
    of events: [Timeline.Event], makers: [Timeline.Lane: Timeline.Lane]
  ) {
    var lines: [Timeline.Lane: Timeline.SourceLine] = [:]
    for event in events where lines[event.lane] == nil {
      if let line = event.line { lines[event.lane] = line }
    }
    var groupOfLine: [Timeline.SourceLine: Int] = [:]
    let all = events.map(\.lane).withoutRepeats()
    for lane in all where makers[lane] == nil {
      let isPartOfPipeline = lane.role != .console && lane.role != .request
      let line = isPartOfPipeline ? lines[lane] : nil
      if let line, let group = groupOfLine[line] {
        groups[group].lanes.append(lane)
        groupOfLane[lane] = group
      } else {
        if let line { groupOfLine[line] = groups.count }
        groupOfLane[lane] = groups.count
        groups.append(Group(lanes: [lane]))
      }
    }
    for lane in all {
      guard let maker = makers[lane], let group = groupOfLane[maker],
        let position = groups[group].lanes.firstIndex(of: maker)
      else { continue }
      groupOfLane[lane] = group
      groups[group].lanes.insert(lane, at: position)
    }
  }

  private mutating func add(_ above: Int, above below: Int) {
    guard above != below, !groups[above].isConsole, !groups[above].below.contains(below),
      !reaches(above, from: below)
    else { return }
    groups[above].below.append(below)
    groups[below].waits += 1
  }

  private func reaches(_ target: Int, from start: Int) -> Bool {
    var seen: Set<Int> = []
    var next = [start]
    while let group = next.popLast() {
      if group == target { return true }
      if seen.insert(group).inserted { next += groups[group].below }
    }
    return false
  }

  /// Takes the group of the earliest first use that nothing has to stand above, again and again.
  /// Printed output stands at the bottom.
  private func sorted() -> [Timeline.Lane] {
    var groups = groups
    var rest = Array(groups.indices)
    var lanes: [Timeline.Lane] = []
    while !rest.isEmpty {
      let free = rest.filter { groups[$0].waits == 0 }
      guard let next = free.first(where: { !groups[$0].isConsole }) ?? free.first else { break }
      lanes += groups[next].lanes
      for below in groups[next].below { groups[below].waits -= 1 }
      rest.removeAll { $0 == next }
    }
    return lanes
  }
}

/// The direction in which one event led to another, and how clearly it says so.
private struct Flow {
  static let lastRank = 3

  /// 0 for the clearest.
  let rank: Int
  /// Whether the effect stands above its cause.
  let isUpward: Bool

  /// `nil` if the two events say nothing about the order of their lanes.
  init?(from cause: Timeline.Event, to effect: Timeline.Event) {
    guard cause.lane != effect.lane, cause.lane.role != .console else { return nil }
    switch (effect.kind, cause.kind.isUpstreamSignal) {
    case (.value, false), (.finished, false), (.failure, false),
      (.network(.response), false), (.network(.chunk), false), (.network(.finished), false),
      (.network(.failed), false), (.note, _), (.printed, _):
      self.init(rank: 0, isUpward: false)
    // A request stands above the task that sends it.
    case (.network(.started), true): self.init(rank: 0, isUpward: true)
    case (.network(.started), false):
      self.init(rank: cause.kind == .subscription ? 0 : 2, isUpward: cause.kind == .subscription)
    case (.request, true), (.cancelled, true), (.network(.cancelled), true):
      self.init(rank: 1, isUpward: true)
    case (.subscription, let isUpward): self.init(rank: 2, isUpward: isUpward)
    case (_, let isUpward): self.init(rank: 3, isUpward: isUpward)
    }
  }

  private init(rank: Int, isUpward: Bool) {
    self.rank = rank
    self.isUpward = isUpward
  }
}

extension Timeline.Event.Kind {
  /// Whether a subscriber sends this to its publisher: demand or cancellation.
  var isUpstreamSignal: Bool {
    switch self {
    case .request, .cancelled, .network(.cancelled): true
    default: false
    }
  }
}
