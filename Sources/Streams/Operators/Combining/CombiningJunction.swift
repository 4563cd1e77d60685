/// The state of `zip` or `combineLatest`.
///
/// Each event is a `mutating` method that says what to do, and ``CombiningJunction`` does it after
/// unlocking. One thread at a time delivers, because deliveries are inside the junction's gate. A
/// signal from within a delivery only changes the state. The thread that delivers asks what's next
/// when the delivery is over.
@usableFromInline protocol CombiningState {
  associatedtype Output
  associatedtype Failure: Error

  static var name: JunctionName { get }

  /// The publishers that are combined, in order.
  var sides: [Side] { get }

  var phase: CombiningPhase { get set }

  /// Whether the end has been decided, so that nothing more is accepted or requested.
  var isOver: Bool { get }

  /// Downstream requests more.
  ///
  /// - Parameter isWithinDelivery: Whether the thread that requests is inside the gate.
  /// - Returns: The publishers to request it from now.
  mutating func request(
    _ demand: Subscribers.Demand, isWithinDelivery: Bool
  ) -> [SubscriptionObject]

  /// A publisher has sent a subscription.
  mutating func attach(_ subscription: SubscriptionObject, to side: Side) -> AttachingAction

  /// A publisher has sent a value.
  ///
  /// - Parameter replaced: Receives the value that it replaces, for the caller to release.
  mutating func receive<Value>(
    _ value: Value, from side: CombinedSide<Value>, replaced: inout Value?
  ) -> CombiningAction<Output, Failure>

  /// A publisher has ended.
  mutating func complete(
    _ side: Side, _ completion: Subscribers.Completion<Failure>
  ) -> CombiningAction<Output, Failure>

  /// Downstream has got a combination.
  ///
  /// - Parameters:
  ///   - demand: The demand that it has returned.
  ///   - side: The publisher whose value led to the delivery, which gets the demand.
  mutating func delivered(
    returning demand: Subscribers.Demand, to side: Side?
  ) -> CombiningAction<Output, Failure>

  /// Says what to do while nothing is being delivered.
  mutating func next(for side: Side?) -> CombiningAction<Output, Failure>
}

extension CombiningState {
  /// Downstream has its subscription.
  @inlinable
  mutating func announced() -> CombiningAction<Output, Failure> {
    guard phase == .delivering else { return .wait }
    phase = .idle
    return next(for: nil)
  }

  /// Downstream cancels.
  ///
  /// - Returns: The publishers to cancel.
  @inlinable
  mutating func cancel() -> [SubscriptionObject] {
    phase = .cancelled
    return sides.end()
  }
}

@usableFromInline enum CombiningPhase: Equatable {
  /// Some publishers are missing, and downstream waits for its subscription. Only `zip` does that.
  case attaching(missing: Int)
  /// Downstream is just getting its subscription or a combination.
  case delivering
  case idle
  /// Downstream has got the completion, or is just getting it.
  case ended
  /// Downstream has cancelled, and doesn't even get a completion that's on its way.
  case cancelled
}

/// What to do after an event.
@usableFromInline enum CombiningAction<Output, Failure: Error> {
  case wait
  case deliver(Output)
  /// Request this from these publishers, and return it to the one whose value was delivered.
  case request(Subscribers.Demand, from: [SubscriptionObject])
  /// For `zip`.
  case complete(Subscribers.Completion<Failure>, thenCancel: [SubscriptionObject])
  /// For `combineLatest`.
  case cancel([SubscriptionObject], thenComplete: Subscribers.Completion<Failure>)
}

/// What to do with a publisher's subscription.
@usableFromInline enum AttachingAction {
  case cancel
  /// Request this, unless it's `.none`.
  case request(Subscribers.Demand)
  /// All publishers are there: hand downstream its subscription.
  case announce
}

/// The junction of `zip` and `combineLatest`: it does what their state says.
///
/// - Inside the gate: deliveries. If another thread is delivering, a value or an end waits for it.
/// - Under the lock: everything that changes. Requests and cancellations need nothing else, so they
///   don't wait.
/// - Left as a note: only the release of downstream and of the values after a cancellation.
/// - Outside both: requests to the publishers, and their cancellation. A publisher may be waiting
///   for a thread that is waiting to deliver here, so calling it inside the gate could block both
///   threads forever. Downstream's own calls during a delivery are the exception: a cancellation
///   goes to the publishers at once, and so does a request if the state says so.
@usableFromInline
final class CombiningJunction<State: CombiningState, Downstream: Subscriber>: Junction<Downstream>
where State.Output == Downstream.Input, State.Failure == Downstream.Failure {
  @usableFromInline let state: Locked<State>

  @inlinable
  init(_ state: State, downstream: Downstream) {
    self.state = Locked(state)
    super.init(
      State.name, downstream: downstream,
      onRequest: { junction, demand in
        precondition(
          demand > 0, "\(State.name.rawValue): zero values were requested: request at least one")
        unsafeDowncast(junction, to: CombiningJunction.self).forward(demand)
      },
      onCancel: { junction in unsafeDowncast(junction, to: CombiningJunction.self).cancelAll() })
  }

  @usableFromInline override var isCancelled: Bool { state.withLock { $0.phase == .cancelled } }

  @usableFromInline
  override func takeRemains() -> Any? {
    state.withLock { state in state.sides.compactMap { $0.removeValues() } }
  }

  // MARK: From downstream

  @inlinable
  func forward(_ demand: Subscribers.Demand) {
    let isInside = gate.isMine
    let subscriptions = state.withLock { $0.request(demand, isWithinDelivery: isInside) }
    request(demand, from: subscriptions)
  }

  /// Stops if one of the requests ends the stream.
  @inlinable
  func request(_ demand: Subscribers.Demand, from subscriptions: [SubscriptionObject]) {
    for subscription in subscriptions where !state.withLock({ $0.isOver }) {
      subscription.request(demand)
    }
  }

  @inlinable
  func cancelAll() {
    for subscription in state.withLock({ $0.cancel() }) { subscription.cancel() }
    releaseDownstream()
  }

  // MARK: From the publishers

  @inlinable
  func attach(_ subscription: any Subscription, to side: Side) {
    let object = subscription._object.value
    switch state.withLock({ $0.attach(object, to: side) }) {
    case .cancel: subscription.cancel()
    case .request(let demand): if demand > 0 { subscription.request(demand) }
    case .announce: begin()
    }
  }

  /// Hands downstream its subscription. Meanwhile, signals of the publishers only change the state.
  @inlinable
  func begin() {
    // Nothing has been delivered yet, so this thread wasn't inside.
    _ = gate.enter()
    handOver()
    _ = act(state.withLock { $0.announced() }, for: nil)
  }

  @inlinable
  func receive<Value>(_ value: Value, from side: CombinedSide<Value>) -> Subscribers.Demand {
    // Released outside the gate.
    var replaced: Value?
    let wasOutside = gate.enter()
    let action = state.withLock { $0.receive(value, from: side, replaced: &replaced) }
    // From within a delivery, the state only takes note.
    let demand = wasOutside ? act(action, for: side) : .none
    _ = replaced
    return demand
  }

  @inlinable
  func complete(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>) {
    let wasOutside = gate.enter()
    let (subscription, action) = state.withLock { state in
      // Released outside the gate.
      (side.subscription, state.complete(side, completion))
    }
    if wasOutside { _ = act(action, for: nil) }
    _ = subscription
  }

  // MARK: To downstream

  /// Does what the state says, until it says nothing more. Called inside the gate, and leaves it.
  ///
  /// - Parameter side: The publisher whose value came, if one did.
  /// - Returns: The demand for that publisher.
  @inlinable
  func act(_ first: CombiningAction<State.Output, State.Failure>, for side: Side?)
    -> Subscribers.Demand
  {
    var action = first
    var total = Subscribers.Demand.none
    while true {
      switch action {
      case .wait:
        leave()
        return total
      case .deliver(let combination):
        let returned = deliver(combination)
        action = state.withLock { $0.delivered(returning: returned, to: side) }
      case .request(let demand, let subscriptions):
        total += demand
        // Meanwhile, another thread may deliver the next combination.
        leave()
        request(demand, from: subscriptions)
        _ = gate.enter()
        action = state.withLock { $0.next(for: side) }
      case .complete(let completion, let subscriptions):
        leave()
        complete(completion)
        for subscription in subscriptions { subscription.cancel() }
        return total
      case .cancel(let subscriptions, let completion):
        leave()
        for subscription in subscriptions { subscription.cancel() }
        complete(completion)
        return total
      }
    }
  }
}
