/// One of the publishers that `zip` or `combineLatest` combines. Guarded by the junction's lock, so
/// its variables need no check for overlapping accesses. With that check, `zip` would take
/// almost three times as long.
@usableFromInline class Side {
  @usableFromInline enum Phase {
    /// It hasn't sent a subscription yet.
    case awaiting
    case live(SubscriptionObject)
    /// It has ended, or has been cancelled. It sends nothing more.
    case over
  }

  @exclusivity(unchecked) @usableFromInline final var phase = Phase.awaiting
  @inlinable final var isLive: Bool { if case .live = phase { true } else { false } }
  @inlinable final var isOver: Bool { if case .over = phase { true } else { false } }

  @inlinable final var subscription: SubscriptionObject? {
    if case .live(let subscription) = phase { subscription } else { nil }
  }

  /// Whether it has no value for the next combination. Stored here, because a method of a generic
  /// class that's called through its base class is never specialised.
  @exclusivity(unchecked) @usableFromInline final var isEmpty = true

  @inlinable init() {}

  /// Keeps the subscription.
  ///
  /// - Returns: Whether it's the first one. If not, the caller cancels it.
  @inlinable
  final func attach(_ subscription: SubscriptionObject) -> Bool {
    guard case .awaiting = phase else { return false }
    phase = .live(subscription)
    return true
  }

  /// Takes out its values, for the caller to release after unlocking.
  @usableFromInline func removeValues() -> Any? { nil }
}

/// A side, and its values for later combinations.
@usableFromInline final class CombinedSide<Value>: Side {
  /// All values that wait for the other sides in `zip`, and the latest one in `combineLatest`.
  @exclusivity(unchecked) @usableFromInline var values = FIFO<Value>()

  @inlinable override init() {}

  @inlinable
  func append(_ value: Value) {
    values.append(value)
    isEmpty = false
  }

  @inlinable
  func popFirst() -> Value? {
    let first = values.popFirst()
    isEmpty = values.isEmpty
    return first
  }

  @usableFromInline
  override func removeValues() -> Any? {
    isEmpty = true
    return values.isEmpty ? nil : values.removeAll()
  }
}

extension [Side] {
  /// The subscriptions of all sides, or of all but one.
  @inlinable
  func subscriptions(except side: Side? = nil) -> [SubscriptionObject] {
    compactMap { $0 === side ? nil : $0.subscription }
  }

  /// Ends all sides.
  ///
  /// - Returns: Their subscriptions, for the caller to cancel after unlocking.
  @inlinable
  func end() -> [SubscriptionObject] {
    defer { for side in self { side.phase = .over } }
    return subscriptions()
  }
}

/// Receives the values of one side.
@usableFromInline
struct CombinedSubscriber<Value, State: CombiningState, Downstream: Subscriber>: JunctionSubscriber
where State.Output == Downstream.Input, State.Failure == Downstream.Failure {
  @usableFromInline let junction: CombiningJunction<State, Downstream>
  @usableFromInline let side: CombinedSide<Value>

  @inlinable
  init(junction: CombiningJunction<State, Downstream>, side: CombinedSide<Value>) {
    self.junction = junction
    self.side = side
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(side) }

  @inlinable
  func receive(subscription: any Subscription) { junction.attach(subscription, to: side) }

  @inlinable
  func receive(_ input: Value) -> Subscribers.Demand { junction.receive(input, from: side) }

  @inlinable
  func receive(completion: Subscribers.Completion<State.Failure>) {
    junction.complete(side, completion)
  }
}
