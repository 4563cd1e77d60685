import Synchronization

/// A publisher that a `switchToLatest` has received. It's the newest one until the next arrives.
/// The junction's lock guards its subscription.
final class LatestPublisher {
  var subscription: SubscriptionObject?

  /// Whether its signals count: it's still the newest and hasn't ended. They count before its
  /// subscription too. Changes under the lock. Deliveries read it without the lock.
  let isLive = Atomic<Bool>(true)
}

/// The state of a `switchToLatest`: its upstream, the newest publisher, and the unmet demand.
///
/// Each event is a `mutating` method that returns what to do, and the junction does it after
/// unlocking.
struct SwitchingState {
  var upstream = JunctionUpstream.awaiting
  var latest: LatestPublisher?
  var demand = Subscribers.Demand.none
  var hasEnded = false
  var isCancelled = false

  /// - Returns: Whether the subscription is kept. If so, the caller requests all publishers from
  ///   it. If not, the caller cancels it.
  mutating func attachUpstream(_ subscription: SubscriptionObject) -> Bool {
    !hasEnded && upstream.attach(subscription)
  }

  /// - Returns: A place for the new publisher, or `nil` if it comes after the end; and the old
  ///   publisher's subscription, for the caller to cancel.
  mutating func replaceLatest() -> (latest: LatestPublisher?, old: SubscriptionObject?) {
    guard !hasEnded, !upstream.isCompleted else { return (nil, nil) }
    let new = LatestPublisher()
    latest?.isLive.store(false, ordering: .relaxed)
    let old = latest?.subscription.take()
    latest = new
    return (new, old)
  }

  /// - Returns: The demand to request from it, which may be none; `nil` if the caller has to cancel
  ///   it.
  mutating func attach(
    _ subscription: SubscriptionObject, to publisher: LatestPublisher
  ) -> Subscribers.Demand? {
    guard !hasEnded, latest === publisher, publisher.subscription == nil else { return nil }
    publisher.subscription = subscription
    return demand
  }

  /// - Returns: The newest publisher's subscription, to request more values from.
  mutating func add(_ more: Subscribers.Demand) -> SubscriptionObject? {
    guard !hasEnded else { return nil }
    demand += more
    return latest?.subscription
  }

  /// Subtracts a value from the demand, if it was requested. One that wasn't is delivered too.
  ///
  /// - Returns: Whether to deliver the value.
  mutating func arrive(from publisher: LatestPublisher) -> Bool {
    guard publisher.isLive.load(ordering: .relaxed) else { return false }
    if demand > 0 { demand -= 1 }
    return true
  }

  /// - Returns: Whether the whole stream has ended, and the subscription that the caller releases.
  mutating func finish(_ publisher: LatestPublisher) -> (isEnd: Bool, old: SubscriptionObject?) {
    guard publisher.isLive.load(ordering: .relaxed) else { return (false, nil) }
    publisher.isLive.store(false, ordering: .relaxed)
    let old = publisher.subscription.take()
    latest = nil
    hasEnded = upstream.isCompleted
    return (hasEnded, old)
  }

  /// - Returns: Whether the whole stream has ended, and the subscription that the caller releases.
  mutating func finishUpstream() -> (isEnd: Bool, old: SubscriptionObject?) {
    let (isFirst, old) = upstream.complete()
    guard isFirst else { return (false, nil) }
    let isEnd = !hasEnded && latest == nil
    if isEnd { hasEnded = true }
    return (isEnd, old)
  }

  /// - Returns: The subscriptions that are left over; `nil` if the publisher's signals don't count.
  mutating func fail(_ publisher: LatestPublisher) -> JunctionRemains? {
    guard publisher.isLive.load(ordering: .relaxed) else { return nil }
    let failed = publisher.subscription.take()
    var remains = end()
    remains?.failed = failed
    return remains
  }

  /// - Returns: The subscriptions that are left over; `nil` if upstream or the stream had ended
  ///   before.
  mutating func failUpstream() -> JunctionRemains? {
    let (isFirst, failed) = upstream.complete()
    guard isFirst else { return nil }
    var remains = end()
    remains?.failed = failed
    return remains
  }

  mutating func cancel() -> JunctionRemains? {
    isCancelled = true
    return end()
  }

  /// - Returns: The subscriptions that are left over, the newest publisher's first; `nil` if the
  ///   stream had ended before.
  mutating func end() -> JunctionRemains? {
    guard !hasEnded else { return nil }
    hasEnded = true
    var remains = JunctionRemains()
    latest?.isLive.store(false, ordering: .relaxed)
    if let subscription = latest?.subscription.take() {
      remains.subscriptions.append(subscription)
    }
    if let last = upstream.end() { remains.subscriptions.append(last) }
    latest = nil
    return remains
  }
}

/// The junction of `switchToLatest`, which listens to one publisher at a time.
///
/// - Inside the gate: deliveries, and the check that a value comes from the newest publisher. So if
///   another thread brings a value during a switch, it's delivered before the new publisher's first
///   one, or dropped. A switch itself doesn't enter the gate, so it never waits for a delivery.
/// - Under the lock: which publisher is the newest, its subscription, and the unmet demand. With
///   unlimited demand, a value needs no lock.
/// - Left as a note: only the release of downstream after a cancellation.
/// - Release: the thread that brings a new publisher cancels the old one, after unlocking. When a
///   publisher ends, the thread that brings its completion releases its subscription.
final class SwitchingJunction<Downstream: Subscriber>: Junction<Downstream> {
  let state = Locked(SwitchingState())

  /// Whether downstream's demand is unlimited, so that values needn't be counted. It turns true
  /// under the lock, and stays true.
  let wantsAll = Atomic<Bool>(false)

  init(downstream: Downstream, onRequest: @escaping Request, onCancel: @escaping Cancel) {
    super.init(
      .switchToLatest, downstream: downstream, onRequest: onRequest, onCancel: onCancel)
  }

  override var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: From downstream

  func add(_ demand: Subscribers.Demand) {
    addToState(demand)?.request(demand)
  }

  /// Adds to the unmet demand.
  ///
  /// - Returns: The subscription to request it from.
  func addToState(_ demand: Subscribers.Demand) -> SubscriptionObject? {
    state.withLock { state in
      let subscription = state.add(demand)
      if state.demand == .unlimited { wantsAll.store(true, ordering: .relaxed) }
      return subscription
    }
  }

  func end() {
    state.withLock { $0.cancel() }?.cancel()
    releaseDownstream()
  }

  // MARK: From upstream

  func attachUpstream(_ subscription: any Subscription) {
    let object = subscription._object.value
    if state.withLock({ $0.attachUpstream(object) }) {
      subscription.request(.unlimited)
    } else {
      subscription.cancel()
    }
  }

  /// Makes room for a new publisher, and cancels the old one.
  ///
  /// - Returns: A place for the new publisher; `nil` after the end.
  func replaceLatest() -> LatestPublisher? {
    let (latest, old) = state.withLock { $0.replaceLatest() }
    old?.cancel()
    return latest
  }

  func upstreamCompleted(_ completion: Subscribers.Completion<Downstream.Failure>) {
    switch completion {
    case .finished:
      if state.withLock({ $0.finishUpstream() }).isEnd { complete(.finished) }
    case .failure:
      fail(completion) { $0.failUpstream() }
    }
  }

  // MARK: From the newest publisher

  func attach(_ subscription: any Subscription, to publisher: LatestPublisher) {
    let object = subscription._object.value
    guard let demand = state.withLock({ $0.attach(object, to: publisher) }) else {
      return subscription.cancel()
    }
    if demand > 0 { subscription.request(demand) }
  }

  func receive(
    _ input: Downstream.Input, from publisher: LatestPublisher
  ) -> Subscribers.Demand {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    var more = Subscribers.Demand.none
    if publisher.isLive.load(ordering: .relaxed),
      wantsAll.load(ordering: .relaxed) || state.withLock({ $0.arrive(from: publisher) })
    {
      more = deliver(input)
      // Requested from the publisher that is the newest now. If that's the one that delivers,
      // returning the demand is enough.
      if more > 0, let newest = addToState(more), !publisher.isLive.load(ordering: .relaxed) {
        newest.request(more)
        more = .none
      }
    }
    if wasOutside { leave(as: me) }
    return more
  }

  func completed(
    _ publisher: LatestPublisher, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    switch completion {
    case .finished:
      if state.withLock({ $0.finish(publisher) }).isEnd { complete(.finished) }
    case .failure:
      fail(completion) { $0.fail(publisher) }
    }
  }

  func fail(
    _ completion: Subscribers.Completion<Downstream.Failure>,
    _ end: (inout SwitchingState) -> JunctionRemains?
  ) {
    guard let remains = state.withLock(end) else { return }
    remains.cancel()
    complete(completion)
  }
}
