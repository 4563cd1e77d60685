/// The methods through which the publishers of a `zip` or `combineLatest` reach their junction.
@usableFromInline
protocol Combining<Downstream>: AnyObject {
  associatedtype Downstream: Subscriber

  func attach(_ subscription: any Subscription, to side: Side)
  func receive<Values>(
    _ value: Values.Value, from side: CombinedSide<Values>
  ) -> Subscribers.Demand
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>)
}

/// The state of the combined publishers that the lock guards, in addition to their subscriptions.
@usableFromInline
struct CombiningState {
  /// How many of the publishers haven't sent a subscription yet. It's one more until all have been
  /// subscribed to.
  @usableFromInline
  var unattached: Int32

  /// How many of the publishers haven't finished yet.
  @usableFromInline
  var unfinished: Int32

  /// Whether downstream has cancelled, so that it doesn't even get the completion.
  @usableFromInline
  var isCancelled = false

  @inlinable
  init(sides: Int) {
    unattached = Int32(sides) + 1
    unfinished = Int32(sides)
  }
}

/// The part that the junctions of `zip` and `combineLatest` share: how a publisher ends, and how
/// the combined stream ends.
///
/// - Inside the gate: deliveries, the values that wait for the other sides, and the ends of sides.
///   If another thread is delivering, an end waits for it. Recording the end of a side and deciding
///   what follows is one step, so a failure can't be taken for a finish.
/// - Under the lock: the subscriptions, so that requests and cancellations don't wait.
/// - Left as a note: only the release of downstream and of the values after a cancellation.
/// - Outside both: the junction's own requests and cancellations of the publishers. A publisher may
///   be waiting for a thread that is waiting to deliver here, so calling it inside the gate could
///   block both threads forever. If downstream requests or cancels during a delivery, that call
///   goes to the publishers at once. In `zip`, a request is the exception: it's passed on once the
///   delivering thread has left the gate.
/// - The end is decided inside the gate (``ending``), and nothing is delivered after that decision.
///   Once it has left the gate, the thread cancels the publishers and delivers the completion. So
///   if the end comes from within a delivery, the completion arrives after that delivery.
/// - Release: when the stream ends or is cancelled, all subscriptions are taken out under the lock,
///   and cancelled after unlocking. A side that finishes releases its own.
@usableFromInline
class CombiningJunction<Downstream: Subscriber>: Junction<Downstream> {
  @usableFromInline
  final let sides: Sides

  /// Downstream's demand, which only `combineLatest` counts. It ends when the combined stream ends.
  @usableFromInline
  final let credit = DemandCredit()

  /// Guards ``state`` and the subscriptions. A `Locked` would be one more object in each `zip`.
  @usableFromInline
  final let lock = Lock()

  // Touched under the lock only, see ``withState(_:)``.
  @exclusivity(unchecked)
  @usableFromInline
  final var state: CombiningState

  /// Whether a combination is being delivered. Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  final var isDelivering = false

  /// The end that has been decided on, until the thread inside the gate leaves. Touched inside the
  /// gate only.
  @exclusivity(unchecked)
  @usableFromInline
  final var ending: Subscribers.Completion<Downstream.Failure>?

  @usableFromInline
  init(
    _ name: JunctionName, downstream: Downstream, sides: Sides, onRequest: @escaping Request,
    onCancel: @escaping Cancel
  ) {
    self.sides = sides
    state = CombiningState(sides: sides.count)
    super.init(name, downstream: downstream, onRequest: onRequest, onCancel: onCancel)
  }

  /// Runs a closure under the lock. Nothing is called or released there.
  @inlinable
  @inline(__always)
  final func withState<Result>(_ body: (inout CombiningState) -> Result) -> Result {
    lock.withLock { body(&state) }
  }

  @usableFromInline
  override final var isCancelled: Bool { withState { $0.isCancelled } }

  @usableFromInline
  override final func takeRemains() -> Any? { sides.compactMap { $0.takeValues() } }

  // MARK: From downstream

  /// Cancels all publishers, because downstream cancels.
  @inlinable
  final func cancelAll() {
    _ = credit.end()
    withState { $0.isCancelled = true }
    letGoOfSides()
    releaseDownstream()
  }

  /// Requests values from every live publisher except `side`. Stops if one of the requests ends the
  /// combined stream.
  ///
  /// - Parameter update: Called under the lock, before the subscriptions are read.
  @inlinable
  final func forward(
    _ demand: Subscribers.Demand, toAllBut side: Side? = nil, _ update: () -> Void = {}
  ) {
    let subscriptions = withState { _ in
      update()
      return sides.compactMap { $0 === side ? nil : $0.subscription }
    }
    for subscription in subscriptions where !credit.isEnded { subscription.request(demand) }
  }

  // MARK: From upstream

  /// Keeps the subscription of a publisher, or cancels it if it isn't wanted.
  ///
  /// - Parameter update: Called under the lock, if the subscription is kept.
  /// - Returns: Whether it's kept.
  @inlinable
  final func take(
    _ subscription: any Subscription, for side: Side, _ update: (CombiningState) -> Void
  ) -> Bool {
    let object = subscription._object.value
    let isTaken = withState { state in
      guard !credit.isEnded, side.subscription == nil, !side.isFinished else { return false }
      side.subscription = object
      side.isLive = true
      state.unattached -= 1
      update(state)
      return true
    }
    if !isTaken { subscription.cancel() }
    return isTaken
  }

  /// Records the end of a publisher. Called inside the gate.
  ///
  /// - Parameter released: Receives its subscription, for the caller to release outside the gate.
  /// - Returns: Whether this counts: the publisher was live, and the combined stream hadn't ended.
  @inlinable
  final func finish(_ side: Side, releasing released: inout SubscriptionObject?) -> Bool {
    withState { state in
      guard !credit.isEnded, side.isLive else { return false }
      side.isLive = false
      side.isFinished = true
      state.unfinished -= 1
      released = side.subscription.take()
      return true
    }
  }

  /// Decides how the combined stream ends, unless it has ended before. Called inside the gate.
  @inlinable
  final func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if credit.end() { ending = completion }
  }

  /// Cancels the publishers that are still live, after the end.
  @inlinable
  final func letGoOfSides() {
    for subscription in withState({ _ in sides.compactMap { $0.subscription.take() } }) {
      subscription.cancel()
    }
  }
}
