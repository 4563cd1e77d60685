/// The calls by which the publishers of a `zip` or `combineLatest` reach their junction.
@usableFromInline
protocol Combining<Downstream>: AnyObject {
  associatedtype Downstream: Subscriber

  func attach(_ subscription: any Subscription, to side: Side)
  func receive<Values>(
    _ value: Values.Value, from side: CombinedSide<Values>
  ) -> Subscribers.Demand
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>)
}

/// The state of the combined publishers that is under the lock, beside their subscriptions.
@usableFromInline
struct CombiningState {
  /// How many of the publishers have not sent a subscription yet; counts one more until all have
  /// been subscribed to.
  @usableFromInline
  var unattached: Int

  /// How many of them have not finished yet.
  @usableFromInline
  var unfinished: Int

  /// Whether the downstream wants nothing more, not even the completion.
  @usableFromInline
  var isCancelled = false

  @inlinable
  init(sides: Int) {
    unattached = sides + 1
    unfinished = sides
  }
}

/// The part that the junctions of `zip` and `combineLatest` share: the ends of the publishers, and of
/// the whole.
///
/// - Inside the gate: deliveries, the values that wait for the other sides, and the ends of sides. An
///   end waits for a delivery on another thread, so a failure can't be taken for a finish.
/// - Under the lock: the subscriptions, so that requests and cancellations don't wait.
/// - Delegated: only the release of downstream and of the values after a cancellation.
/// - Outside both: requests and cancellations of the publishers. A publisher may wait for a thread
///   that waits to deliver here, so calling it inside the gate could block both threads for good.
///   The thread that delivers passes requests on once it has left the gate.
/// - The end is decided inside the gate (``ending``), and nothing is delivered after that decision.
///   The thread that leaves the gate then cancels the publishers and tells downstream. So an end from
///   within a delivery comes behind it.
/// - Release: the end and a cancellation take out all subscriptions under the lock, and cancel them
///   after unlocking. A side that finishes lets go of its own.
@usableFromInline
class CombiningJunction<Downstream: Subscriber>: Junction<Downstream> {
  @usableFromInline
  final let sides: [Side]

  /// Makes the next combination of what the sides have; `nil` if one of them has nothing. Formed
  /// where the types are known; called inside the gate.
  @usableFromInline
  final let combine: () -> Downstream.Input?

  /// The demand of downstream, where that is counted. Ends with the whole.
  @usableFromInline
  final let credit = DemandCredit()

  @usableFromInline
  final let state: Locked<CombiningState>

  /// Whether a combination is being delivered. Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  final var isDelivering = false

  /// The end that was decided, until the thread inside has left. Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  final var ending: Subscribers.Completion<Downstream.Failure>?

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
    _ = credit.end()
    state.withLock { $0.isCancelled = true }
    letGoOfSides()
    releaseDownstream()
  }

  /// Requests of each publisher that is live, but for one; stops if that ends it all.
  @inlinable
  final func forward(
    _ demand: Subscribers.Demand, toAllBut side: Side? = nil, _ update: () -> Void = {}
  ) {
    let subscriptions = state.withLock { _ in
      update()
      return sides.compactMap { $0 === side ? nil : $0.subscription }
    }
    for subscription in subscriptions where !credit.isEnded { subscription.request(demand) }
  }

  // MARK: From upstream

  /// - Parameter update: Called under the lock, if the publisher has taken its place.
  /// - Returns: Whether it has; the subscription is cancelled otherwise.
  @inlinable
  final func take(
    _ subscription: any Subscription, for side: Side, _ update: (CombiningState) -> Void
  ) -> Bool {
    let isTaken = state.withLock { state in
      guard !credit.isEnded, side.subscription == nil, !side.isFinished else { return false }
      side.subscription = subscription
      side.isLive = true
      state.unattached -= 1
      update(state)
      return true
    }
    if !isTaken { subscription.cancel() }
    return isTaken
  }

  /// Takes note of the end of a publisher. Called inside the gate.
  ///
  /// - Parameter released: Receives its subscription, for the caller to release outside.
  /// - Returns: Whether this counts: the publisher was live, and the whole had not ended before.
  @inlinable
  final func finish(_ side: Side, releasing released: inout (any Subscription)?) -> Bool {
    state.withLock { state in
      guard !credit.isEnded, side.isLive else { return false }
      side.isLive = false
      side.isFinished = true
      state.unfinished -= 1
      released = side.subscription.take()
      return true
    }
  }

  /// Decides on the end, if nothing has ended it before. Called inside the gate.
  @inlinable
  final func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if credit.end() { ending = completion }
  }

  /// Cancels the publishers that are live, after the end.
  @inlinable
  final func letGoOfSides() {
    for subscription in state.withLock({ _ in sides.compactMap { $0.subscription.take() } }) {
      subscription.cancel()
    }
  }
}
