/// Where the publishers of a `combineLatest` meet.
@usableFromInline
final class LatestJunction<Downstream: Subscriber>: CombiningJunction<Downstream>, Combining {
  @inlinable
  init(downstream: Downstream, sides: [Side], combine: @escaping () -> Downstream.Input?) {
    super.init(
      "CombineLatest", downstream: downstream, sides: sides, combine: combine,
      onRequest: { junction, demand in
        precondition(demand > 0, "CombineLatest: a request for no value breaks the contract")
        unsafeDowncast(junction, to: LatestJunction.self).add(demand)
      },
      onCancel: { junction in unsafeDowncast(junction, to: LatestJunction.self).cancelAll() })
  }

  // MARK: From downstream

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    let subscriptions = state.withLock { state in
      state.demand += demand
      return self.subscriptions()
    }
    for subscription in subscriptions { subscription.request(demand) }
  }

  // MARK: From upstream

  @inlinable
  func attach(_ subscription: any Subscription, to side: Side) {
    var demand = Subscribers.Demand.none
    // Nothing was delivered yet: this is all that was ever requested.
    guard take(subscription, for: side, { demand = $0.demand }), demand > 0 else { return }
    subscription.request(demand)
  }

  @inlinable
  func receive<Value>(_ value: Value, from side: CombinedSide<Value>) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    var more = Subscribers.Demand.none
    var replaced: Value?
    if !state.withLock({ $0.hasEnded || side.isFinished }) {
      replaced = side.values.popFirst()
      side.values.append(value)
      if let combination = combine(), beginDelivery() {
        more = downstream?.receive(combination) ?? .none
        state.withLock { state in
          state.isDelivering = false
          state.demand += more
        }
      }
    }
    if wasOutside { leave() }
    // Released here, outside the gate.
    _ = replaced
    return more
  }

  @inlinable
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>) {
    inside {
      // In here, so that nobody else takes a failure that has not been told yet for a finish.
      guard finish(side) else { return }
      switch completion {
      case .finished:
        if state.withLock({ $0.unfinished == 0 }), endOnce() { complete(.finished) }
      case .failure:
        guard endOnce() else { return }
        letGoOfSides()
        complete(completion)
      }
    }
  }

  /// - Returns: Whether a combination may be delivered; it is left out otherwise.
  @inlinable
  func beginDelivery() -> Bool {
    state.withLock { state in
      guard !state.isDelivering, state.demand > 0 else { return false }
      state.isDelivering = true
      state.demand -= 1
      return true
    }
  }
}
