/// Where the publishers of a `flatMap` meet, which are made one by one, and those of a `merge`, which
/// are known from the start.
///
/// A value that has been taken out of the state is delivered before anything else leaves the gate,
/// so that a completion cannot overtake it.
@usableFromInline
final class MergingJunction<Downstream: Subscriber>: Junction<Downstream> {
  @usableFromInline
  let state: Locked<MergingState<Downstream.Input>>

  @inlinable
  init(
    _ name: String, maxPublishers: Subscribers.Demand, downstream: Downstream,
    onRequest: @escaping Request, onCancel: @escaping Cancel
  ) {
    state = Locked(MergingState(maxPublishers: maxPublishers))
    super.init(name, downstream: downstream, onRequest: onRequest, onCancel: onCancel)
  }

  @usableFromInline
  override var isCancelled: Bool { state.withLock { $0.isCancelled } }

  @usableFromInline
  override func doChores() { flushInside() }

  // MARK: From downstream

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    let (unlimited, hasWaiting) = state.withLock { $0.add(demand) }
    if hasWaiting { flush() }
    for subscription in unlimited { subscription.request(.unlimited) }
  }

  @inlinable
  func end() {
    state.withLock { $0.cancel() }?.cancel()
    releaseDownstream()
  }

  // MARK: From upstream

  @inlinable
  func attachUpstream(_ subscription: any Subscription) {
    guard let demand = state.withLock({ $0.attachUpstream(subscription) }) else {
      return subscription.cancel()
    }
    if demand > 0 { subscription.request(demand) }
  }

  /// Attaches a publisher whose values are to be published too.
  @inlinable
  @inline(__always)
  func merge<P: Publisher>(_ publisher: P)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    guard let child = makeChild() else { return }
    publisher.receive(subscriber: MergedStage(junction: self, child: child))
  }

  @inlinable
  func makeChild() -> MergedChild? { state.withLock { $0.makeChild() } }

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
  func attach(_ subscription: any Subscription, to child: MergedChild) {
    guard let demand = state.withLock({ $0.attach(subscription, to: child) }) else {
      return subscription.cancel()
    }
    subscription.request(demand)
  }

  @inlinable
  func receive(_ value: Downstream.Input, from child: MergedChild) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    var replacement = Subscribers.Demand.none
    if case .deliver(let isUnlimited) = state.withLock({ $0.arrive(value, from: child) }) {
      let more = downstream?.receive(value) ?? .none
      if more > 0 { add(more) }
      if !isUnlimited { replacement = state.withLock { $0.replacement } }
    }
    if wasOutside { leave() }
    return replacement
  }

  @inlinable
  func childCompleted(
    _ child: MergedChild, _ completion: Subscribers.Completion<Downstream.Failure>
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
    _ end: (inout MergingState<Downstream.Input>) -> MergingState<Downstream.Input>.Remains?
  ) {
    guard let remains = state.withLock(end) else { return }
    remains.cancel()
    complete(completion)
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
}

extension MergingJunction {
  /// Attaches a subscriber to publishers that are known from the start.
  ///
  /// - Parameter body: Merges them, one after another.
  @inlinable
  @inline(__always)
  static func merge(into subscriber: Downstream, _ body: (MergingJunction) -> Void) {
    let junction = MergingJunction(
      "Merge", maxPublishers: .unlimited, downstream: subscriber,
      onRequest: { junction, demand in
        if demand > 0 { unsafeDowncast(junction, to: MergingJunction.self).add(demand) }
      },
      onCancel: { junction in unsafeDowncast(junction, to: MergingJunction.self).end() })
    junction.announce()
    // What is known from the start stands for an upstream, which finishes behind the last of it.
    junction.attachUpstream(Subscriptions.empty)
    body(junction)
    junction.upstreamCompleted(.finished)
  }
}

/// Receives the values of one of the publishers.
@usableFromInline
struct MergedStage<Downstream: Subscriber>: Subscriber {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let junction: MergingJunction<Downstream>

  @usableFromInline
  let child: MergedChild

  @inlinable
  init(junction: MergingJunction<Downstream>, child: MergedChild) {
    self.junction = junction
    self.child = child
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { CombineIdentifier(child) }

  @inlinable
  func receive(subscription: any Subscription) { junction.attach(subscription, to: child) }

  @inlinable
  @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    junction.receive(input, from: child)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    junction.childCompleted(child, completion)
  }
}
