/// The model of a pipeline whose values are requested bit by bit.
///
/// The last operators pass requests on one for one. Above them is the feed: a source, or an
/// operator whose own demand is known. The feed offers one signal after another, and the models of
/// those operators say what comes out. A value that makes none costs no demand.
final class LimitedStream {
  private let agenda: Agenda
  private let scripts: [Script]
  private let start: Start

  /// When the subscriber gets its subscription.
  private var handOver: Moment

  private let passing: ArraySlice<PipelineOperator>

  /// Gets each signal, and returns the demand that the subscriber returns.
  private var receive: (TimedSignal) -> Int

  private var offered: [TimedSignal] = []
  private var receivedCount = 0

  /// Changes when the signals are computed again.
  private var version = 0

  private var hasEnded = false

  /// Whether the operators are about to end the stream.
  private var isOver = false
  private var demand = 0

  /// Whether the feed delivers what was requested, one signal after another. A request from within
  /// such a delivery only adds to the demand.
  private var isDelivering = false

  /// Takes the next signal that may come now, and says what to do after its delivery.
  private var takeNext: () -> (Signal, then: (Moment) -> Void)? = { nil }

  private var onRequest: (Moment) -> Void = { _ in }
  private var onEnd: (Moment) -> Void = { _ in }

  /// A demand for everything.
  static let unlimited = Int.max

  /// Subscribes at a moment.
  ///
  /// - Parameters:
  ///   - initial: The demand requested on receiving the subscription.
  ///   - isUnlimited: Whether everything is requested, so that any pipeline has a model.
  init(
    _ pipeline: Pipeline, of scripts: [Script], at subscribed: Moment, initial: Int,
    isUnlimited: Bool = false, on agenda: Agenda, receive: @escaping (TimedSignal) -> Int
  ) {
    self.agenda = agenda
    self.scripts = scripts
    self.receive = receive
    start = Start(subscribed)
    handOver = subscribed
    guard !isUnlimited else {
      passing = []
      demand = Self.unlimited
      agenda.atEnd { [self] in forget() }
      pass(pipeline.model(of: scripts)(start).signals)
      return
    }
    let feed = pipeline.feed
    passing = pipeline.operators[feed.operators.count...]
    switch feed.operators.last?.kind.demand {
    case nil:
      let signals = feed.model(of: scripts)(start).signals
      switch feed.source.scripted.map({ scripts[$0].receiver }) {
      case .passthroughSubject: pass(signals)
      case .currentValueSubject: keepLatest(signals)
      case .future, nil: wait(signals)
      }
    case .requestsAll(let waits):
      wait(feed.model(of: scripts)(start).signals, endWaits: waits)
    case .buffers(let whenFull):
      let (run, attached) = OperatorKind.buffered(feed.upstream.model(of: scripts), start)
      handOver = attached
      buffer(run.signals, size: feed.operators.last!.number, whenFull, from: handOver)
    case .flattens:
      handOver = start.handOver
      flatten(feed.upstream, feed.operators.last!, from: handOver)
    case .passesOn, .other: preconditionFailure("The demand of \(feed.code()) has no model.")
    }
    agenda.atEnd { [self] in forget() }
    update()
    agenda.add(at: handOver) { [self] in request(initial, at: handOver) }
  }

  /// Makes the stream of some operators below a subject, which pushes signals.
  ///
  /// - Parameters:
  ///   - current: The current value of the subject and its version, if it has one.
  ///   - onRequest: Called with the moment of each request.
  ///   - onEnd: Called when it's cancelled or ends, which cancels the subject's subscription.
  init(
    below current: @escaping () -> (Signal, version: Int)?, _ operators: [PipelineOperator],
    at subscribed: Moment, initial: Int, on agenda: Agenda,
    onRequest: @escaping (Moment) -> Void, onEnd: @escaping (Moment) -> Void,
    receive: @escaping (TimedSignal) -> Int
  ) {
    self.agenda = agenda
    self.scripts = []
    self.receive = receive
    // Only a request brings the current value. The demand that a value returns doesn't.
    var hasRequested = false
    self.onRequest = {
      hasRequested = true
      onRequest($0)
    }
    self.onEnd = onEnd
    start = Start(subscribed)
    handOver = start.handOver
    passing = operators[...]
    takeNext = { [unowned self] in
      guard hasRequested, let (value, version) = current(), version > seen else { return nil }
      hasRequested = false
      seen = version
      caughtUp = version
      return (value, then: { _ in })
    }
    agenda.atEnd { [self] in forget() }
    update()
    agenda.add(at: handOver) { [self] in
      if initial > 0 { request(initial, at: handOver) }
    }
  }

  /// The newest version of the current value that was delivered, and the newest one that was
  /// delivered because of a request. Nothing older comes after that.
  private var seen = -1
  private var caughtUp = -1

  /// Offers a signal that a subject sends.
  func push(_ event: TimedSignal, version: Int? = nil) {
    if event.signal.isEnd { return offer(event) }
    guard demand > 0 else { return }
    if let version {
      if version <= caughtUp { return }
      seen = max(seen, version)
    }
    offer(event)
  }

  /// Requests more.
  func request(_ count: Int, at moment: Moment) {
    if hasEnded { return }
    add(count)
    // After their end, the operators pass no request on.
    if count > 0, !isOver { onRequest(moment) }
    deliver(from: moment)
  }

  /// Stops everything.
  func cancel(at moment: Moment) {
    if hasEnded { return }
    hasEnded = true
    onEnd(moment)
  }

  /// Releases all closures after the run, because they keep streams alive that keep them.
  private func forget() {
    receive = { _ in 0 }
    takeNext = { nil }
    onRequest = { _ in }
    onEnd = { _ in }
  }

  // MARK: Delivery

  private func add(_ count: Int) {
    demand = demand == Self.unlimited || count == Self.unlimited ? Self.unlimited : demand + count
  }

  /// Delivers what has been requested, from a moment on.
  private func deliver(from moment: Moment) {
    if isDelivering || hasEnded { return }
    isDelivering = true
    deliver(step: 0, from: moment)
  }

  private func deliver(step: Int, from moment: Moment) {
    let place = moment.step(step)
    agenda.add(at: place) { [self] in
      guard !hasEnded, let (signal, then) = takeNext() else {
        isDelivering = false
        return
      }
      offer(TimedSignal(place, signal))
      then(place.step(.max))
      if !signal.isEnd { deliver(step: step + 1, from: moment) }
    }
  }

  private func offer(_ event: TimedSignal) {
    if hasEnded { return }
    offered.append(event)
    update()
  }

  /// Runs all models again over everything that was offered so far.
  private func update() {
    let source = StreamModel { [offered, handOver] _ in StreamRun(handOver, offered) }
    let model = passing.reduce(source) { upstream, step in
      StreamModel { [scripts] start in step.kind.model(upstream, step, scripts, start) }
    }
    let signals = model(start).signals
    isOver = signals.end != nil
    // Another end may come before the one that was going to.
    version += 1
    for event in signals.dropFirst(receivedCount) {
      agenda.add(at: event.moment) { [self, version] in
        if hasEnded || version != self.version { return }
        receivedCount += 1
        if event.signal.isEnd {
          cancel(at: event.moment)
        } else if demand != Self.unlimited {
          demand -= 1
        }
        let more = receive(event)
        // After everything that the subscriber does within the call.
        if more > 0 { agenda.add(at: event.moment.step(.max)) { [self] in add(more) } }
      }
    }
  }

  // MARK: Feeds

  /// Values that are lost if they aren't requested by then.
  private func pass(_ signals: [TimedSignal]) {
    for event in signals {
      agenda.add(at: event.moment) { [self] in
        if event.signal.isEnd || demand > 0 { offer(event) }
      }
    }
  }

  /// Values of which the latest waits.
  private func keepLatest(_ signals: [TimedSignal]) {
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
  private func wait(_ signals: [TimedSignal], endWaits: Bool = false) {
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
  private func buffer(
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
  private func flatten(_ upstream: Pipeline, _ step: PipelineOperator, from handOver: Moment) {
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
