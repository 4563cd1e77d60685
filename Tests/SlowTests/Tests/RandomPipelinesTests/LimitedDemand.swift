// The model of limited demand, for pipelines whose last operators pass requests on one by one.

extension Pipeline {
  /// The part above the last operators that pass requests on one for one.
  var feed: Pipeline {
    let count = (operators.lastIndex { $0.kind.demand != .passesOn } ?? -1) + 1
    return Pipeline(source: source, operators: Array(operators[..<count]))
  }

  /// The part above the last operator.
  var upstream: Pipeline { Pipeline(source: source, operators: operators.dropLast()) }

  /// Whether its signals are known exactly if it's requested bit by bit.
  var isLimitable: Bool {
    let feed = feed
    switch feed.operators.last?.kind.demand {
    case nil, .requestsAll, .buffers: return true
    // If upstream has to be limitable, too, that's so in any case.
    case .flattens: return feed.operators.last!.inner!.isLimitable
    case .passesOn, .other: return false
    }
  }
}

extension PipelineCase {
  /// The signals that the subscriber receives with limited demand.
  var limitedSignals: [TimedSignal] {
    guard pipeline.isLimitable else { return [] }
    let agenda = Agenda()
    var received: [TimedSignal] = []
    let stream = LimitedStream(
      pipeline, of: scripts, at: start.subscribed, initial: demand.initial ?? 0, on: agenda
    ) { [demand] event in
      received.append(event)
      return demand.perValue
    }
    for (index, later) in demand.requests.enumerated() {
      let moment = setUp(0).step(index).scheduled(after: later.time)
      agenda.add(at: moment) { stream.request(later.count, at: moment) }
    }
    agenda.run()
    return received
  }
}
