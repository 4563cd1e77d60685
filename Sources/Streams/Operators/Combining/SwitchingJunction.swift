import Synchronization

/// The junction of `switchToLatest`, which listens to one publisher at a time.
///
/// - **A value** enters the gate, and then is checked: only the newest publisher's count. So if
///   another thread brings a value during a switch, it's delivered before the new publisher's first
///   one, or dropped. With unlimited demand, a value needs no lock.
/// - **A switch** doesn't enter the gate, so it never waits for a delivery. The thread that brings
///   a new publisher cancels the old one, after unlocking.
@usableFromInline
final class SwitchingJunction<Downstream: Subscriber>: Junction<SwitchingState, Downstream> {
  @usableFromInline
  init(downstream: Downstream) { super.init(SwitchingState(), downstream: downstream) }

  @usableFromInline override var name: String { "SwitchToLatest" }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "SwitchToLatest: zero values were requested: request at least one")
    add(demand)?.request(demand)
  }

  /// Adds to the demand.
  ///
  /// - Returns: The subscription to request it from.
  @usableFromInline
  func add(_ demand: Subscribers.Demand) -> SubscriptionObject? {
    state.withLock { $0?.request(demand) }
  }

  // MARK: From upstream

  /// Makes room for a new publisher, and cancels the old one.
  ///
  /// - Returns: A place for the new publisher; `nil` after the end.
  @usableFromInline
  func replaceLatest() -> LatestPublisher? {
    let latest = LatestPublisher()
    let old = state.withLock { $0?.replaceLatest(with: latest) }
    old?.subscription?.cancel()
    return old == nil ? nil : latest
  }

  @usableFromInline
  func upstreamCompleted(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if hasFinished(completion, { $0?.upstream.end() ?? .over }) { finishIfDone() }
  }

  // MARK: From the newest publisher

  @usableFromInline
  func latestAttached(_ latest: LatestPublisher, _ subscription: any Subscription) {
    let object = subscription._object.value
    guard let demand = state.withLock({ $0?.attach(object, to: latest) }) else {
      return subscription.cancel()
    }
    if demand > 0 { subscription.request(demand) }
  }

  @inlinable
  func latestSent(
    _ input: Downstream.Input, from publisher: LatestPublisher
  ) -> Subscribers.Demand {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    var more = Subscribers.Demand.none
    if accepts(from: publisher) {
      more = deliver(input)
      // Requested from the publisher that is the newest now. If that's the one that delivers,
      // returning the demand is enough.
      if more > 0, let newest = add(more), !isLatest(publisher) {
        newest.request(more)
        more = .none
      }
    }
    if wasOutside { leave(as: me) }
    return more
  }

  @inlinable
  func accepts(from publisher: LatestPublisher) -> Bool {
    if publisher.wantsAll.load(ordering: .relaxed), isOpen { return true }
    return state.withLock { $0?.accept(from: publisher) ?? false }
  }

  @usableFromInline
  func isLatest(_ publisher: LatestPublisher) -> Bool {
    state.withLock { $0?.latest === publisher }
  }

  @usableFromInline
  func latestCompleted(
    _ publisher: LatestPublisher, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    if hasFinished(completion, { $0?.end(publisher) ?? .over }) { finishIfDone() }
  }
}

/// A publisher that a `switchToLatest` has received. It's the newest one until the next arrives.
@usableFromInline final class LatestPublisher {
  /// Whether it's the newest and everything has been requested, so that its values needn't be
  /// counted. Changes under the lock, and can be read without it.
  @usableFromInline let wantsAll = Atomic(false)
}

/// The state of a `switchToLatest`: its upstream, the newest publisher, and the unmet demand.
@usableFromInline struct SwitchingState: JunctionState {
  @usableFromInline var upstream = Attachment.awaiting

  /// The newest publisher; `nil` if there was none yet, or it has ended.
  var latest: LatestPublisher?

  /// The connection to ``latest``.
  var attachment = Attachment.over

  var demand = Subscribers.Demand.none

  @usableFromInline var isDone: Bool { upstream.isOver && attachment.isOver }

  @usableFromInline var subscriptions: [SubscriptionObject] {
    [attachment.subscription, upstream.subscription].compactMap { $0 }
  }

  /// - Returns: What was the connection to the old publisher, for the caller to cancel; `nil` if
  ///   upstream has ended.
  mutating func replaceLatest(with new: LatestPublisher) -> Attachment? {
    if upstream.isOver { return nil }
    let old = endLatest()
    latest = new
    attachment = .awaiting
    new.wantsAll.store(demand == .unlimited, ordering: .relaxed)
    return old
  }

  /// - Returns: The demand to request from it, which may be none; `nil` if the caller has to cancel
  ///   it.
  mutating func attach(
    _ subscription: SubscriptionObject, to publisher: LatestPublisher
  ) -> Subscribers.Demand? {
    latest === publisher && attachment.attach(subscription) ? demand : nil
  }

  /// - Returns: The newest publisher's subscription, to request more values from.
  mutating func request(_ more: Subscribers.Demand) -> SubscriptionObject? {
    demand += more
    latest?.wantsAll.store(demand == .unlimited, ordering: .relaxed)
    return attachment.subscription
  }

  /// Subtracts a value from the demand, if it was requested. One that wasn't is delivered too.
  ///
  /// - Returns: Whether to deliver the value.
  @usableFromInline
  mutating func accept(from publisher: LatestPublisher) -> Bool {
    guard latest === publisher else { return false }
    if demand > 0 { demand -= 1 }
    return true
  }

  /// - Returns: What the connection to the publisher was, for the caller to release.
  mutating func end(_ publisher: LatestPublisher) -> Attachment {
    latest === publisher ? endLatest() : .over
  }

  /// Nothing that the newest publisher sends counts any more.
  private mutating func endLatest() -> Attachment {
    latest?.wantsAll.store(false, ordering: .relaxed)
    latest = nil
    return attachment.end()
  }
}
