/// The relay of a stage that hands it downstream before it subscribes to its upstream. Requests
/// that come in between are kept.
@usableFromInline class LateRelay: DetachingRelay {
  /// The demand of downstream until the stage is attached. Touched under the lock only.
  @exclusivity(unchecked) private final var owed = Subscribers.Demand.none

  @usableFromInline
  override final func request(_ demand: Subscribers.Demand) {
    check(demand)
    let isEarly = lock.withLock {
      guard phase.load(ordering: .relaxed) == .awaiting else { return false }
      owed += demand
      return true
    }
    if !isEarly { forward(demand) }
  }

  /// Keeps the upstream subscription, and requests what downstream has requested so far.
  ///
  /// - Parameter extra: How many values to request for the stage itself, in the same request.
  @usableFromInline
  final func attachLate(_ subscription: any Subscription, requesting extra: Int = 0) {
    guard attach(subscription) else { return }
    // Nothing is added any more.
    let demand = lock.withLock { owed } + extra
    if demand > 0 { forward(demand) }
  }
}
