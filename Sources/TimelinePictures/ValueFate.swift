import Timeline

/// What became of a value.
enum ValueFate {
  /// Something was made of it, or it made something happen.
  case used
  /// It reached the end of its pipeline, so the program has it.
  case delivered
  /// It reached an operator that let nothing out for it.
  case dropped

  /// The fate of each event of a part. Events that aren't values count as used.
  static func fates(_ lanes: LaneRows) -> [ValueFate] {
    var used: Set<Int> = []
    var passingLanes: Set<Timeline.Lane> = []
    for (index, event) in lanes.events.enumerated() where event.lane.role != .console {
      for source in lanes.origins[index] + [lanes.causes[index]].compactMap({ $0 })
      where lanes.events[source].lane != event.lane || event.kind.isStart {
        used.insert(source)
        let kind = lanes.events[source].kind
        if event.kind.goesDown, kind.goesDown { passingLanes.insert(lanes.events[source].lane) }
        // A subscription goes down to the lane that gets the values.
        if event.kind == .subscription, kind == .subscription,
          lanes.events[source].lane != event.lane
        {
          passingLanes.insert(lanes.events[source].lane)
        }
      }
    }
    return lanes.events.enumerated().map { index, event in
      guard case .value = event.kind, !used.contains(index) else { return .used }
      return passingLanes.contains(event.lane) ? .dropped : .delivered
    }
  }
}

extension ValueFate {
  /// The values that were dropped when they arrived, each with the row of the operator that dropped
  /// it: the lane that's subscribed to the value's own.
  ///
  /// An operator that delivers a value later than it came keeps values. When it drops one, the
  /// record doesn't say, so its values aren't here.
  static func droppers(_ lanes: LaneRows) -> [(value: Int, row: Int)] {
    let fates = fates(lanes)
    let lines = Dictionary(grouping: lanes.lines, by: \.row)
    func life(of event: Int) -> LaneRows.Line? {
      lanes.rowOfEvent[event].flatMap { lines[$0]?.last { $0.start <= event } }
    }
    var keepers: Set<Int> = []
    // The positions of the subscriptions that each subscription led to below it, and of the life
    // whose demand led to it.
    var below: [Int: [Int]] = [:]
    var asking: [Int: Int] = [:]
    for (index, event) in lanes.events.enumerated() {
      if case .value = event.kind, let row = lanes.rowOfEvent[index] {
        let isLate = (lanes.origins[index] + [lanes.causes[index]].compactMap(\.self)).contains {
          lanes.events[$0].time < event.time && lanes.events[$0].kind.goesDown
        }
        if isLate { keepers.insert(row) }
      }
      guard event.kind == .subscription, let cause = lanes.causes[index],
        lanes.events[cause].lane != event.lane
      else { continue }
      switch lanes.events[cause].kind {
      case .subscription: below[cause, default: []].append(index)
      // Some operators subscribe when they're asked for values.
      case .request:
        asking[index] = life(of: cause)?.start
      default: break
      }
    }
    let lineOfStart = Dictionary(lanes.lines.map { ($0.start, $0) }) { first, _ in first }
    return lanes.events.indices.flatMap { value -> [(value: Int, row: Int)] in
      guard fates[value] == .dropped, !lanes.isHidden[value], let row = lanes.rowOfEvent[value],
        let life = life(of: value)
      else { return [] }
      return (below[life.start] ?? [asking[life.start]].compactMap(\.self)).compactMap { start in
        guard let line = lineOfStart[start], start < value, line.end.map({ value < $0 }) ?? true,
          !keepers.contains(line.row), line.row > row
        else { return nil }
        return (value, line.row)
      }
    }
  }
}

extension Timeline.Event.Kind {
  /// Whether a publisher sends this to its subscriber.
  fileprivate var goesDown: Bool {
    switch self {
    case .value, .finished, .failure: true
    default: false
    }
  }
}
