// The model of limited demand, for pipelines whose last operators pass requests on one by one.

extension PipelineCase {
  /// Where the values come from that wait for demand or are lost without it.
  enum Feed {
    /// Values that wait, from a moment on. The end follows the last one. If there are none, it only
    /// waits if `endWaits`.
    case waiting([TimedSignal], from: Moment, endWaits: Bool = false)
    /// Values that are lost if they aren't requested by then.
    case passing([TimedSignal])
  }

  /// The last source of values above those operators, with its operators; `nil` if there is none
  /// whose demand has an exact model.
  var feed: (Feed, [PipelineOperator])? {
    let operators = pipeline.operators
    let firstPassing = (operators.lastIndex { $0.kind.demand != .passesOn } ?? -1) + 1
    let passing = Array(operators[firstPassing...])
    guard firstPassing > 0 else {
      switch pipeline.source {
      case .scripted(let index):
        switch scripts[index].receiver {
        case .passthroughSubject:
          return (.passing(scripts[index].model(start, index: index).signals), passing)
        case .future: break
        case .currentValueSubject: return nil
        }
      default: break
      }
      return waiting(Pipeline(source: pipeline.source), passing)
    }
    guard case .requestsAll(let waits) = operators[firstPassing - 1].kind.demand else { return nil }
    let head = Pipeline(source: pipeline.source, operators: Array(operators[..<firstPassing]))
    return waiting(head, passing, endWaits: waits)
  }

  private func waiting(
    _ pipeline: Pipeline, _ passing: [PipelineOperator], endWaits: Bool = false
  ) -> (Feed, [PipelineOperator]) {
    let signals = pipeline.model(of: scripts)(start).signals
    return (.waiting(signals, from: signals.first?.moment ?? .never, endWaits: endWaits), passing)
  }

  /// What the subscriber receives with limited demand.
  ///
  /// It goes through everything that happens, in order, and offers one value after another to the
  /// operators. Their models say how many values come out. A value that makes none costs no demand.
  var limitedSignals: [TimedSignal] {
    guard let (feed, operators) = feed else { return [] }
    var offered: [TimedSignal] = []
    var received: [TimedSignal] = []
    var demand = 0

    func offer(_ event: TimedSignal) {
      if received.end != nil { return }
      offered.append(event)
      update()
    }
    /// Runs all models again over everything that was offered so far.
    func update() {
      let source: StreamModel = { [offered] start in StreamRun(start.subscribed, offered) }
      let model = operators.reduce(source) { upstream, step in
        { start in step.kind.model(upstream, step, scripts, start) }
      }
      let new = model(start).signals.dropFirst(received.count)
      let count = new.count { !$0.signal.isEnd }
      demand += count * (self.demand.perValue - 1)
      received += new
    }

    var happenings: [(Moment, () -> Void)] = []
    var waiting: [Signal] = []
    var endWaits = false
    func pull(at moment: Moment) {
      var step = 0
      while let next = waiting.first,
        demand > 0 || (next.isEnd && !(endWaits && next == .finished && offered.isEmpty))
      {
        waiting.removeFirst()
        offer(TimedSignal(moment.step(step), next))
        step += 1
      }
    }
    func request(_ count: Int, at moment: Moment) {
      demand += count
      pull(at: moment)
    }

    switch feed {
    case .waiting(let signals, let moment, endWaits: let waits):
      happenings.append(
        (
          moment,
          {
            waiting = signals.map(\.signal)
            endWaits = waits
            pull(at: moment)
          }
        ))
    case .passing(let signals):
      for event in signals {
        happenings.append((event.moment, { if event.signal.isEnd || demand > 0 { offer(event) } }))
      }
    }
    update()
    // On receiving the subscription.
    happenings.append((start.subscribed, { request(self.demand.initial ?? 0, at: start.subscribed) }))
    for (index, later) in self.demand.requests.enumerated() {
      let moment = setUp(0).step(index).scheduled(after: later.time)
      happenings.append((moment, { request(later.count, at: moment) }))
    }
    let order = happenings.indices.sorted {
      (happenings[$0].0, $0) < (happenings[$1].0, $1)
    }
    for index in order where happenings[index].0 != .never { happenings[index].1() }
    return received
  }
}
