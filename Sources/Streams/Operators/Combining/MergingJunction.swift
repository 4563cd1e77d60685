/// The junction of `flatMap`, whose publishers are made one by one, and of `merge`, whose
/// publishers are known from the start. ``MergingState`` says what to do.
///
/// - **A value** enters the gate, and then takes one from the demand. So a completion can't
///   overtake it. The user's closure runs outside the gate, where upstream delivers.
/// - **Waiting values** are delivered by the call that brings the demand or, if another thread is
///   inside the gate, by that thread. The finish comes after them in the same way. A failure enters
///   the gate itself, because it has to be delivered after the value before it.
/// - **Depth:** deeply nested streams pass their signals through ``Trampoline``.
@usableFromInline
final class MergingJunction<Downstream: Subscriber>:
  Junction<MergingState<Downstream.Input>, Downstream>
{
  @usableFromInline enum Kind: String {
    case flatMap = "FlatMap"
    case merge = "Merge"
  }

  private let kind: Kind

  /// How many publishers may be active at a time.
  @usableFromInline let maxPublishers: Subscribers.Demand

  /// The number of junctions that this one is nested in.
  @usableFromInline let depth: Int

  @usableFromInline
  init(_ kind: Kind, maxPublishers: Subscribers.Demand, downstream: Downstream) {
    (self.kind, self.maxPublishers) = (kind, maxPublishers)
    depth = downstream._depth.value
    super.init(MergingState(maxPublishers: maxPublishers), downstream: downstream)
  }

  /// Subscribes to a `flatMap` or a `merge`.
  ///
  /// - Parameters:
  ///   - publisher: The operator itself.
  ///   - subscribe: Subscribes the new junction to the operator's publishers.
  @inlinable @inline(__always)
  static func start<Operator: Publisher>(
    _ kind: Kind, of publisher: Operator, maxPublishers: Subscribers.Demand,
    for downstream: Downstream, _ subscribe: (MergingJunction) -> Void
  ) where Operator.Output == Downstream.Input, Operator.Failure == Downstream.Failure {
    if Trampoline.isNeeded(atDepth: downstream._depth.value) {
      return Trampoline.attach(downstream, to: publisher)
    }
    let junction = MergingJunction(kind, maxPublishers: maxPublishers, downstream: downstream)
    downstream.receive(subscription: junction)
    subscribe(junction)
  }

  @usableFromInline override var name: String { kind.rawValue }

  // MARK: From downstream

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    if demand == 0 {
      precondition(kind == .merge, "FlatMap: zero values were requested: request at least one")
    } else {
      add(demand)
    }
  }

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    let subscriptions = state.withLock { $0?.request(demand) ?? [] }
    flush()
    // Downstream may have cancelled meanwhile.
    for subscription in subscriptions where isOpen { subscription.request(.unlimited) }
  }

  // MARK: From upstream

  /// Puts off a value that has no place. When it gets one, `start` makes the publisher and calls
  /// ``begin(_:)``.
  @usableFromInline
  func putOff(_ start: @escaping () -> Void) {
    let isMine = state.withLock { state in
      state?.early.append(start)
      // Meanwhile, another thread may have made room.
      return state?.beginsEarly() ?? false
    }
    if isMine { beginEarly() }
  }

  /// Begins the publishers of early values. It's a loop, so many that finish at once need no stack.
  @usableFromInline
  func beginEarly() {
    while let start = state.withLock({ $0?.nextEarly() }) { start() }
  }

  @inlinable
  func upstreamCompleted(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if hasFinished(completion, { $0?.upstream.end() ?? .over }) { flush() }
  }

  // MARK: From the publishers

  /// Merges a publisher into the stream. It has got a place.
  @inlinable @inline(__always)
  func begin<P: Publisher>(_ publisher: P)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    // Delivered without a subscription if possible, because the difference can't be seen.
    if deliversAll(of: publisher) {
      childFinished()
    } else {
      publisher.attach(MergedSubscriber(junction: self, child: MergedChild()))
    }
  }

  /// Delivers all values of a publisher without a subscription, if that's possible. The demand has
  /// to be unlimited, because then only the end of the stream can stop the publisher.
  @inlinable @inline(__always)
  func deliversAll<P: Publisher>(of publisher: P) -> Bool
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    guard !Introspection.looks(at: P.self), state.withLock({ $0?.demand == .unlimited }) else {
      return false
    }
    return publisher._deliverAll(while: { isOpen }) { _ = childSent($0, from: nil) }.value
  }

  @inlinable
  func childAttached(_ child: MergedChild, _ subscription: any Subscription) {
    let object = subscription._object.value
    if let demand = state.withLock({ $0?.attach(object, to: child) }) {
      subscription.request(demand)
    } else {
      subscription.cancel()
    }
  }

  /// - Parameter child: The publisher; `nil` if it has no subscription.
  @inlinable
  func childSent(_ value: Downstream.Input, from child: MergedChild?) -> Subscribers.Demand {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    var replacement = Subscribers.Demand.none
    if let demand = state.withLock({ $0?.accept(value, from: child) }) {
      let more = deliver(value)
      if more > 0 { add(more) }
      // Unless all have been requested meanwhile.
      if demand != .unlimited, state.withLock({ $0.map { $0.demand != .unlimited } ?? false }) {
        replacement = .max(1)
      }
    }
    if wasOutside { leave(as: me) }
    return replacement
  }

  @inlinable
  func childCompleted(
    _ child: MergedChild, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    if hasFinished(completion, { $0?.end(child) ?? .over }) { childFinished() }
  }

  @inlinable
  func childFinished() {
    switch state.withLock({ $0?.childFinished() ?? .nothing }) {
    case .nothing: break
    case .request(let upstream): upstream.request(.max(1))
    case .begin: beginEarly()
    case .finish: flush()
    }
  }

  // MARK: To downstream

  /// Delivers the waiting values that there's demand for, and then the finish if the stream is
  /// done: now or, if another thread is inside the gate, on that thread.
  @inlinable
  func flush() {
    if gate.isMine {
      flushInside()
    } else if gate.enterOrLeaveNote() {
      flushInside()
      leave()
    }
  }

  @usableFromInline override func actOnNotes() { flushInside() }

  @inlinable
  func flushInside() {
    guard state.withLock({ $0?.beginsFlushing() ?? false }) else { return }
    while let (child, value) = state.withLock({ $0?.nextWaiting() }) {
      let more = deliver(value)
      if more > 0 { add(more) }
      state.withLock { $0?.subscriptionToAskAgain(of: child) }?.request(.max(1))
    }
    finishIfDone()
  }
}

/// Receives the values of one of the publishers.
@usableFromInline struct MergedSubscriber<Downstream: Subscriber>: Subscriber, Named {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let junction: MergingJunction<Downstream>
  @usableFromInline let child: MergedChild

  @inlinable
  init(junction: MergingJunction<Downstream>, child: MergedChild) {
    (self.junction, self.child) = (junction, child)
  }

  @inlinable static var _requestsLast: _Hint<Bool> { .yes }
  @inlinable var _depth: _Hint<Int> { _Hint(junction.depth + 1) }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(child) }
  @usableFromInline var name: String { junction.name }

  @inlinable
  func receive(subscription: any Subscription) { junction.childAttached(child, subscription) }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    junction.childSent(input, from: child)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    junction.childCompleted(child, completion)
  }
}
