/// Where the publishers of a `flatMap` meet: the one subscription that the downstream sees.
///
/// The gate serialises what goes downstream, and the downstream is touched inside it only; a
/// request or a cancellation from another thread does not wait for it, but leaves word. State is
/// under the lock, and nothing is called under it. A value that has been taken out of the state is
/// delivered before anything else leaves the gate, so that a completion cannot overtake it.
@usableFromInline
final class FlatMapJunction<Downstream: Subscriber>: SourceSubscription {
  @usableFromInline
  let state: Locked<FlatMapState<Downstream.Input>>

  @usableFromInline
  let gate = Gate()

  // Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  var downstream: Downstream?

  @inlinable
  init(
    maxPublishers: Subscribers.Demand, downstream: Downstream, onRequest: @escaping Request,
    onCancel: @escaping Cancel
  ) {
    state = Locked(FlatMapState(maxPublishers: maxPublishers))
    self.downstream = downstream
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  @usableFromInline
  override var description: String { "FlatMap" }

  // MARK: From downstream

  @inlinable
  func attachDownstream() {
    inside { downstream?.receive(subscription: self) }
  }

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "FlatMap: a request for no value breaks the contract")
    let (unlimited, hasWaiting) = state.withLock { $0.add(demand) }
    if hasWaiting { flush() }
    for subscription in unlimited { subscription.request(.unlimited) }
  }

  @inlinable
  func end() {
    guard let remains = state.withLock({ $0.cancel() }) else { return }
    remains.cancel()
    if gate.enterOrDelegate() {
      let released = downstream.take()
      leave()
      _ = released
    }
  }

  // MARK: From upstream

  @inlinable
  func attachUpstream(_ subscription: any Subscription) {
    guard let demand = state.withLock({ $0.attachUpstream(subscription) }) else {
      return subscription.cancel()
    }
    if demand > 0 { subscription.request(demand) }
  }

  @inlinable
  func makeChild() -> FlatMapChild? { state.withLock { $0.makeChild() } }

  @inlinable
  func upstreamCompleted(_ completion: Subscribers.Completion<Downstream.Failure>) {
    switch completion {
    case .finished:
      _ = state.withLock { $0.removeUpstream() }
      finishIfDone()
    case .failure:
      fail(completion) { $0.failUpstream() }
    }
  }

  // MARK: From the publishers

  @inlinable
  func attach(_ subscription: any Subscription, to child: FlatMapChild) {
    guard let demand = state.withLock({ $0.attach(subscription, to: child) }) else {
      return subscription.cancel()
    }
    subscription.request(demand)
  }

  @inlinable
  func receive(_ value: Downstream.Input, from child: FlatMapChild) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    var replacement = Subscribers.Demand.none
    if state.withLock({ $0.arrive(value, from: child) }) == .deliver {
      let more = downstream?.receive(value) ?? .none
      if more > 0 { add(more) }
      replacement = state.withLock { $0.replacement }
    }
    if wasOutside { leave() }
    return replacement
  }

  @inlinable
  func childCompleted(
    _ child: FlatMapChild, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    switch completion {
    case .finished:
      guard let removal = state.withLock({ $0.remove(child) }) else { return }
      removal.upstream?.request(.max(1))
      finishIfDone()
    case .failure:
      fail(completion) { $0.fail(child) }
    }
  }

  // MARK: To downstream

  @inlinable
  func finishIfDone() {
    if state.withLock({ $0.endIfDone() }) { complete(.finished) }
  }

  @inlinable
  func fail(
    _ completion: Subscribers.Completion<Downstream.Failure>,
    _ end: (inout FlatMapState<Downstream.Input>) -> FlatMapState<Downstream.Input>.Remains?
  ) {
    guard let remains = state.withLock(end) else { return }
    remains.cancel()
    complete(completion)
  }

  @inlinable
  func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    inside { downstream.take()?.receive(completion: completion) }
  }

  /// Delivers what waits, here or, if another thread is inside, there.
  @inlinable
  func flush() {
    if gate.isMine {
      flushInside()
    } else if gate.enterOrDelegate() {
      flushInside()
      leave()
    }
  }

  @inlinable
  func flushInside() {
    guard state.withLock({ $0.beginFlush() }) else { return }
    while let (child, value) = state.withLock({ $0.nextToFlush() }) {
      let more = downstream?.receive(value) ?? .none
      if more > 0 { add(more) }
      state.withLock { $0.refill(child) }?.request(.max(1))
    }
    finishIfDone()
  }

  @inlinable
  func inside(_ body: () -> Void) {
    let wasOutside = gate.enter()
    body()
    if wasOutside { leave() }
  }

  @inlinable
  func leave() {
    if gate.leaveUndisturbed() { return }
    var released: Downstream?
    gate.leave {
      flushInside()
      if state.withLock({ $0.isCancelled }), let downstream = downstream.take() {
        released = downstream
      }
    }
    // Released here, outside the gate.
    _ = released
  }
}
