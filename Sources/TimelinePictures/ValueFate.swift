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

extension Timeline.Event.Kind {
  /// Whether a publisher sends this to its subscriber.
  fileprivate var goesDown: Bool {
    switch self {
    case .value, .finished, .failure: true
    default: false
    }
  }
}
