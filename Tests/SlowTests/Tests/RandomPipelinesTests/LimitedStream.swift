/// The model of a pipeline whose values are requested bit by bit.
///
/// The last operators pass requests on one for one. Above them is the feed: a source, or an
/// operator whose own demand is known. The feed offers one signal after another, and the models of
/// those operators say what comes out. A value that makes none costs no demand.
final class LimitedStream {
  let agenda: Agenda
  let scripts: [Script]
  let start: Start

  /// When the subscriber gets its subscription.
  private var handOver: Moment

  private let passing: ArraySlice<PipelineOperator>

  /// Gets each signal, and returns the demand that the subscriber returns.
  private var receive: (TimedSignal) -> Int

  private(set) var offered: [TimedSignal] = []
  private var receivedCount = 0

  /// Changes when the signals are computed again.
  private var version = 0

  private var hasEnded = false

  /// Whether the operators are about to end the stream.
  private var isOver = false
  private(set) var demand = 0

  /// Whether the feed delivers what was requested, one signal after another. A request from within
  /// such a delivery only adds to the demand.
  private var isDelivering = false

  /// Takes the next signal that may come now, and says what to do after its delivery.
  var takeNext: () -> (Signal, then: (Moment) -> Void)? = { nil }

  var onRequest: (Moment) -> Void = { _ in }
  var onEnd: (Moment) -> Void = { _ in }

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
  func deliver(from moment: Moment) {
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

  func offer(_ event: TimedSignal) {
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
}
