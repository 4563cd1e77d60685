// The model of limited demand, for pipelines whose last operators pass requests on one by one.

extension PipelineCase {
  /// Where the values come from that wait for demand or are lost without it.
  enum Feed {
    /// Values that wait, from a moment on. The end follows the last one. If there are none, it only
    /// waits if `endWaits`.
    case waiting([TimedSignal], from: Moment, endWaits: Bool = false)
    /// Values that are lost if they aren't requested by then.
    case passing([TimedSignal])
    /// Values for a buffer, which hands over its subscription at a moment.
    case buffered([TimedSignal], size: Int, FullBuffer, handOver: Moment)
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
    let last = operators[firstPassing - 1]
    let head = Pipeline(source: pipeline.source, operators: Array(operators[..<firstPassing]))
    switch last.kind.demand {
    case .requestsAll(let waits): return waiting(head, passing, endWaits: waits)
    case .buffers(let whenFull):
      let upstream = Pipeline(source: head.source, operators: head.operators.dropLast())
      let (run, handOver) = OperatorKind.buffered(upstream.model(of: scripts), start)
      return (
        .buffered(run.signals, size: last.number, whenFull, handOver: handOver), passing
      )
    case .passesOn, .other: return nil
    }
  }

  private func waiting(
    _ pipeline: Pipeline, _ passing: [PipelineOperator], endWaits: Bool = false
  ) -> (Feed, [PipelineOperator]) {
    let signals = pipeline.model(of: scripts)(start).signals
    return (.waiting(signals, from: signals.first?.moment ?? .never, endWaits: endWaits), passing)
  }

  /// The signals that the subscriber receives with limited demand.
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
    var handOver = start.subscribed
    /// Delivers what has been requested.
    var settle: (Moment) -> Void = { _ in }
    var onRequest = {}
    func request(_ count: Int, at moment: Moment) {
      demand += count
      if count > 0 { onRequest() }
      settle(moment)
    }

    switch feed {
    case .waiting(let signals, let moment, endWaits: let endWaits):
      var waiting: [Signal] = []
      settle = { moment in
        var step = 0
        while let next = waiting.first,
          demand > 0 || (next.isEnd && !(endWaits && next == .finished && offered.isEmpty))
        {
          waiting.removeFirst()
          offer(TimedSignal(moment.step(step), next))
          step += 1
        }
      }
      happenings.append(
        (
          moment,
          {
            waiting = signals.map(\.signal)
            settle(moment)
          }
        ))
    case .passing(let signals):
      for event in signals {
        happenings.append((event.moment, { if event.signal.isEnd || demand > 0 { offer(event) } }))
      }
    case .buffered(let signals, let size, let whenFull, let moment):
      handOver = moment
      var queue: [Signal] = []
      var end: Signal?
      // The failure of a full buffer waits for the next request.
      var awaitsRequest = false
      settle = { moment in
        // Nothing comes before the subscription.
        if moment < handOver { return }
        var step = 0
        while demand > 0, !queue.isEmpty {
          offer(TimedSignal(moment.step(step), queue.removeFirst()))
          step += 1
        }
        if let end, demand > 0 || (end != .finished && !awaitsRequest) {
          offer(TimedSignal(moment.step(step), end))
          queue = []
        }
      }
      for event in signals {
        happenings.append(
          (
            event.moment,
            {
              if end != nil { return }
              if event.signal.isEnd {
                end = event.signal
              } else if queue.count < size {
                queue.append(event.signal)
              } else {
                switch whenFull {
                case .dropsNewest: break
                case .dropsOldest: queue = queue.dropFirst() + [event.signal]
                case .fails: (end, awaitsRequest) = (.failure("full"), true)
                }
              }
              settle(event.moment)
            }
          ))
      }
      onRequest = { awaitsRequest = false }
    }
    update()
    // On receiving the subscription.
    happenings.append(
      (handOver, { request(self.demand.initial ?? 0, at: handOver) }))
    for (index, later) in self.demand.requests.enumerated() {
      let moment = setUp(0).step(index).scheduled(after: later.time)
      happenings.append((moment, { request(later.count, at: moment) }))
    }
    let order = happenings.indices.sorted {
      (happenings[$0].0, $0) < (happenings[$1].0, $1)
    }
    for index in order where happenings[index].0.time != .max { happenings[index].1() }
    return received
  }
}
