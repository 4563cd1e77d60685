/// Where publishers meet of which each contributes to a combination: those of `zip` and of
/// `combineLatest`.
@usableFromInline
protocol Combining<Downstream>: AnyObject {
  associatedtype Downstream: Subscriber

  func attach(_ subscription: any Subscription, to side: Side)
  func receive<Value>(_ value: Value, from side: CombinedSide<Value>) -> Subscribers.Demand
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>)
}

/// What a junction of combined publishers knows, beside what is known of each.
@usableFromInline
struct CombiningState {
  /// How many of the publishers have not sent a subscription yet.
  @usableFromInline
  var unattached: Int

  /// How many of them have not finished yet.
  @usableFromInline
  var unfinished: Int

  /// What downstream wants: with `combineLatest` all that is not met, with `zip` what was requested
  /// during a delivery.
  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var isDelivering = false

  @usableFromInline
  var hasEnded = false

  /// Whether the downstream wants nothing more, not even the completion.
  @usableFromInline
  var isCancelled = false

  @inlinable
  init(sides: Int) {
    unattached = sides
    unfinished = sides
  }
}

/// What `zip` and `combineLatest` have in common: the ends of the publishers, and of the whole.
@usableFromInline
class CombiningJunction<Downstream: Subscriber>: Junction<Downstream> {
  @usableFromInline
  final let sides: [Side]

  /// Makes the next combination of what the sides have; `nil` if one of them has nothing. Formed
  /// where the types are known; called inside the gate.
  @usableFromInline
  final let combine: () -> Downstream.Input?

  @usableFromInline
  final let state: Locked<CombiningState>

  @usableFromInline
  init(
    _ name: String, downstream: Downstream, sides: [Side],
    combine: @escaping () -> Downstream.Input?, onRequest: @escaping Request,
    onCancel: @escaping Cancel
  ) {
    self.sides = sides
    self.combine = combine
    state = Locked(CombiningState(sides: sides.count))
    super.init(name, downstream: downstream, onRequest: onRequest, onCancel: onCancel)
  }

  @usableFromInline
  override final var isCancelled: Bool { state.withLock { $0.isCancelled } }

  @usableFromInline
  override final func takeRemains() -> Any? { sides.map { $0.takeValues() } }

  // MARK: From downstream

  /// Cancels all publishers, for downstream.
  @inlinable
  final func cancelAll() {
    state.withLock { state in
      state.hasEnded = true
      state.isCancelled = true
    }
    letGoOfSides()
    releaseDownstream()
  }

  /// The publishers that are live.
  @inlinable
  final func subscriptions(except side: Side? = nil) -> [any Subscription] {
    sides.compactMap { $0 === side ? nil : $0.subscription }
  }

  // MARK: From upstream

  /// - Returns: Whether the publisher has taken its place; the subscription is cancelled otherwise.
  @inlinable
  final func take(
    _ subscription: any Subscription, for side: Side, _ update: (inout CombiningState) -> Void
  ) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.hasEnded, side.subscription == nil, !side.isFinished else { return false }
      side.subscription = subscription
      state.unattached -= 1
      update(&state)
      return true
    }
    if !isTaken { subscription.cancel() }
    return isTaken
  }

  /// - Returns: Whether this is news: neither the publisher nor the whole had ended before.
  @inlinable
  final func finish(_ side: Side) -> Bool {
    // What goes here is released outside the lock.
    let (isNews, released) = state.withLock { state -> (Bool, (any Subscription)?) in
      guard !state.hasEnded, !side.isFinished else { return (false, nil) }
      side.isFinished = true
      state.unfinished -= 1
      return (true, side.subscription.take())
    }
    _ = released
    return isNews
  }

  // MARK: The end

  /// - Returns: Whether it had not ended before.
  @inlinable
  final func endOnce() -> Bool {
    state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
  }

  /// Cancels the publishers that are live, after the end.
  @inlinable
  final func letGoOfSides() {
    for subscription in state.withLock({ _ in sides.compactMap { $0.subscription.take() } }) {
      subscription.cancel()
    }
  }
}
