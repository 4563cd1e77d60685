import Synchronization

/// The newest of the publishers that a `switchToLatest` has received. Its subscription is under the
/// lock of the junction.
@usableFromInline
final class LatestPublisher {
  @usableFromInline
  var subscription: (any Subscription)?

  /// Whether its signals count: it has sent its subscription, it is still the newest, and it has not
  /// ended. Changes under the lock. Deliveries read it without.
  @usableFromInline
  let isLive = Atomic<Bool>(false)

  @inlinable
  init() {}
}

/// The state of a `switchToLatest`: its upstream, the newest publisher, and the demand that is not
/// met.
///
/// Each event is a `mutating` method that says what is to be done; the junction does it after
/// unlocking.
@usableFromInline
struct SwitchingState {
  @usableFromInline
  var upstream = JunctionUpstream.awaiting

  @usableFromInline
  var latest: LatestPublisher?

  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var hasEnded = false

  @usableFromInline
  var isCancelled = false

  @inlinable
  init() {}

  /// - Returns: Whether all publishers are to be requested of it; it is to be cancelled otherwise.
  @inlinable
  mutating func attachUpstream(_ subscription: any Subscription) -> Bool {
    !hasEnded && upstream.attach(subscription)
  }

  /// - Returns: A place for a new publisher, `nil` after the end; and the subscription of the one
  ///   before it, to be cancelled.
  @inlinable
  mutating func replaceLatest() -> (latest: LatestPublisher?, old: (any Subscription)?) {
    guard !hasEnded, case .attached = upstream else { return (nil, nil) }
    let new = LatestPublisher()
    latest?.isLive.store(false, ordering: .relaxed)
    let old = latest?.subscription.take()
    latest = new
    return (new, old)
  }

  /// - Returns: What to request from it, which may be nothing; `nil` if it is to be cancelled.
  @inlinable
  mutating func attach(
    _ subscription: any Subscription, to publisher: LatestPublisher
  ) -> Subscribers.Demand? {
    guard !hasEnded, latest === publisher, publisher.subscription == nil else { return nil }
    publisher.subscription = subscription
    publisher.isLive.store(true, ordering: .relaxed)
    return demand
  }

  /// - Returns: Whose values to request more of.
  @inlinable
  mutating func add(_ more: Subscribers.Demand) -> (any Subscription)? {
    guard !hasEnded else { return nil }
    demand += more
    return latest?.subscription
  }

  /// Takes a value off the demand.
  ///
  /// - Returns: Whether it is to be delivered.
  @inlinable
  mutating func arrive(from publisher: LatestPublisher) -> Bool {
    guard publisher.isLive.load(ordering: .relaxed) else { return false }
    precondition(demand > 0, "SwitchToLatest: a value arrived that wasn't requested")
    demand -= 1
    return true
  }

  /// - Returns: Whether that was the end of everything.
  @inlinable
  mutating func finish(_ publisher: LatestPublisher) -> (isEnd: Bool, old: (any Subscription)?) {
    guard publisher.isLive.load(ordering: .relaxed) else { return (false, nil) }
    publisher.isLive.store(false, ordering: .relaxed)
    let old = publisher.subscription.take()
    latest = nil
    hasEnded = upstream.isCompleted
    return (hasEnded, old)
  }

  /// - Returns: Whether that was the end of everything.
  @inlinable
  mutating func finishUpstream() -> (isEnd: Bool, old: (any Subscription)?) {
    guard let old = upstream.complete() else { return (false, nil) }
    let isEnd = !hasEnded && latest == nil
    if isEnd { hasEnded = true }
    return (isEnd, old)
  }

  /// - Returns: What is left over, but for what the failed publisher has; `nil` if its signals don't
  ///   count.
  @inlinable
  mutating func fail(_ publisher: LatestPublisher) -> JunctionRemains? {
    guard publisher.isLive.load(ordering: .relaxed) else { return nil }
    let failed = publisher.subscription.take()
    var remains = end()
    remains?.failed = failed
    return remains
  }

  /// - Returns: What is left over; `nil` if upstream had completed before.
  @inlinable
  mutating func failUpstream() -> JunctionRemains? {
    guard let failed = upstream.complete() else { return nil }
    var remains = end()
    remains?.failed = failed
    return remains
  }

  @inlinable
  mutating func cancel() -> JunctionRemains? {
    isCancelled = true
    return end()
  }

  /// - Returns: What is left over, the newest publisher first; `nil` if it had ended before.
  @inlinable
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
/// - Inside the gate: deliveries. Whether a value comes from the newest publisher is asked inside it:
///   a value that another thread brings during a switch is delivered before the new publisher's
///   first one, or dropped. A switch itself doesn't enter the gate, so it never waits for a delivery.
/// - Under the lock: which publisher is the newest, its subscription, and the demand that is not met.
///   With unlimited demand a value needs no lock.
/// - Delegated: only the release of downstream after a cancellation.
/// - Release: the thread that brings a new publisher cancels the old one, after unlocking. A
///   publisher that ends is let go of by the thread that brings its end.
@usableFromInline
final class SwitchingJunction<Downstream: Subscriber>: Junction<Downstream> {
  @usableFromInline
  let state = Locked(SwitchingState())

  /// Whether downstream wants all there is, so that values need not be counted. Turns true under the
  /// lock, and stays it.
  @usableFromInline
  let wantsAll = Atomic<Bool>(false)

  @inlinable
  init(downstream: Downstream, onRequest: @escaping Request, onCancel: @escaping Cancel) {
    super.init(
      "SwitchToLatest", downstream: downstream, onRequest: onRequest, onCancel: onCancel)
  }

  @usableFromInline
  override var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: From downstream

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    addToState(demand)?.request(demand)
  }

  /// - Returns: The subscription to request it from.
  @inlinable
  func addToState(_ demand: Subscribers.Demand) -> (any Subscription)? {
    state.withLock { state in
      let subscription = state.add(demand)
      if state.demand == .unlimited { wantsAll.store(true, ordering: .relaxed) }
      return subscription
    }
  }

  @inlinable
  func end() {
    state.withLock { $0.cancel() }?.cancel()
    releaseDownstream()
  }

  // MARK: From upstream

  @inlinable
  func attachUpstream(_ subscription: any Subscription) {
    if state.withLock({ $0.attachUpstream(subscription) }) {
      subscription.request(.unlimited)
    } else {
      subscription.cancel()
    }
  }

  /// - Returns: A place for the publisher that has come; `nil` if there is none any more.
  @inlinable
  func replaceLatest() -> LatestPublisher? {
    let (latest, old) = state.withLock { $0.replaceLatest() }
    old?.cancel()
    return latest
  }

  @inlinable
  func upstreamCompleted(_ completion: Subscribers.Completion<Downstream.Failure>) {
    switch completion {
    case .finished:
      if state.withLock({ $0.finishUpstream() }).isEnd { complete(.finished) }
    case .failure:
      fail(completion) { $0.failUpstream() }
    }
  }

  // MARK: From the newest publisher

  @inlinable
  func attach(_ subscription: any Subscription, to publisher: LatestPublisher) {
    guard let demand = state.withLock({ $0.attach(subscription, to: publisher) }) else {
      return subscription.cancel()
    }
    if demand > 0 { subscription.request(demand) }
  }

  @inlinable
  func receive(
    _ input: Downstream.Input, from publisher: LatestPublisher
  ) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    var more = Subscribers.Demand.none
    if publisher.isLive.load(ordering: .relaxed),
      wantsAll.load(ordering: .relaxed) || state.withLock({ $0.arrive(from: publisher) }),
      let downstream
    {
      more = downstream.receive(input)
      // Asked of the publisher that is the newest now: by return if that is the one that delivers.
      if more > 0, let newest = addToState(more), !publisher.isLive.load(ordering: .relaxed) {
        newest.request(more)
        more = .none
      }
    }
    if wasOutside { leave() }
    return more
  }

  @inlinable
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

  @inlinable
  func fail(
    _ completion: Subscribers.Completion<Downstream.Failure>,
    _ end: (inout SwitchingState) -> JunctionRemains?
  ) {
    guard let remains = state.withLock(end) else { return }
    remains.cancel()
    complete(completion)
  }
}
