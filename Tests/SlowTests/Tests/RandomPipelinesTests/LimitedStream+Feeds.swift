// The feeds: each offers the signals of a source, or of an operator whose own demand is known.
extension LimitedStream {
  /// Values that are lost if they aren't requested by then.
  func pass(_ signals: [TimedSignal]) {
    for event in signals {
      agenda.add(at: event.moment) { [self] in
        if event.signal.isEnd || demand > 0 { offer(event) }
      }
    }
  }

  /// Values of which the latest waits.
  func keepLatest(_ signals: [TimedSignal]) {
    var latest: Signal?
    takeNext = { [unowned self] in
      guard demand > 0, let next = latest else { return nil }
      latest = nil
      return (next, then: { _ in })
    }
    for event in signals {
      agenda.add(at: event.moment) { [self] in
        if event.signal.isEnd || demand > 0 {
          latest = nil
          offer(event)
        } else {
          latest = event.signal
        }
      }
    }
  }

  /// Values that wait, from the first moment on. The end follows the last one. If there are none,
  /// it only waits if `endWaits`.
  func wait(_ signals: [TimedSignal], endWaits: Bool = false) {
    guard let moment = signals.first?.moment else { return }
    var waiting: [Signal] = []
    takeNext = { [unowned self] in
      guard let next = waiting.first,
        demand > 0 || (next.isEnd && !(endWaits && next == .finished && offered.isEmpty))
      else { return nil }
      waiting.removeFirst()
      return (next, then: { _ in })
    }
    agenda.add(at: moment) { [self] in
      waiting = signals.map(\.signal)
      deliver(from: moment)
    }
  }

  /// Values for a buffer, which hands over its subscription at a moment.
  func buffer(
    _ signals: [TimedSignal], size: Int, _ whenFull: FullBuffer, from handOver: Moment
  ) {
    var queue: [Signal] = []
    var end: Signal?
    // The failure of a full buffer waits for the next request.
    var awaitsRequest = false
    onRequest = { _ in awaitsRequest = false }
    takeNext = { [unowned self] in
      if demand > 0, !queue.isEmpty { return (queue.removeFirst(), then: { _ in }) }
      guard let last = end, demand > 0 || (last != .finished && !awaitsRequest) else { return nil }
      return (last, then: { _ in })
    }
    for event in signals {
      agenda.add(at: event.moment) { [self] in
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
        // Nothing comes before the subscription.
        if event.moment > handOver { deliver(from: event.moment) }
      }
    }
  }

  /// The values of the publishers that `flatMap` makes. Each is asked for one value at a time, and
  /// its value waits in one queue with all others.
  func flatten(_ upstream: Pipeline, _ step: PipelineOperator, from handOver: Moment) {
    var queue: [(value: Signal, child: LimitedStream)] = []
    var children: [LimitedStream] = []
    var activeCount = 0
    var upstreamHasEnded = false
    takeNext = { [unowned self] in
      if demand > 0, !queue.isEmpty {
        let (value, child) = queue.removeFirst()
        return (value, then: { child.request(1, at: $0) })
      }
      let isDone = queue.isEmpty && upstreamHasEnded && activeCount == 0
      return isDone ? (.finished, then: { _ in }) : nil
    }
    agenda.add(at: handOver.step(.max)) { [self] in
      let isBounded = step.kind.name.contains("maxPublishers")
      var outer: LimitedStream?
      outer = LimitedStream(
        upstream, of: scripts, at: start.subscribed.step(1), initial: step.number,
        isUnlimited: !isBounded, on: agenda
      ) { [self] event in
        switch event.signal {
        case .finished:
          upstreamHasEnded = true
          deliver(from: event.moment)
        case .failure: offer(event)
        case .value(let value):
          activeCount += 1
          var child: LimitedStream?
          child = LimitedStream(
            step.inner!, of: scripts, at: event.moment.step(0), initial: 1,
            isUnlimited: demand == Self.unlimited, on: agenda
          ) { [self] event in
            switch event.signal {
            case .finished:
              activeCount -= 1
              if isBounded { outer!.request(1, at: event.moment.step(0)) }
              deliver(from: event.moment.step(1))
            case .failure: offer(event)
            case .value(let number):
              let signal = Signal.value(number &+ value)
              if demand > 0, queue.isEmpty {
                offer(TimedSignal(event.moment, signal))
                return 1
              }
              queue.append((signal, child!))
            }
            return 0
          }
          children.append(child!)
        }
        return 0
      }
      onEnd = { moment in
        outer!.cancel(at: moment)
        for child in children { child.cancel(at: moment) }
      }
    }
  }
}
