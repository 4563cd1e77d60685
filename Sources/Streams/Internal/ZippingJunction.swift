/// Where the publishers of a `zip` meet.
@usableFromInline
final class ZippingJunction<Downstream: Subscriber>: CombiningJunction<Downstream>, Combining {
  // Both are touched inside the gate only.

  /// Whether downstream has been shown the subscription, or is just being shown it.
  @exclusivity(unchecked)
  @usableFromInline
  var isAnnounced = false

  /// What failed before.
  @exclusivity(unchecked)
  @usableFromInline
  var earlyFailure: Subscribers.Completion<Downstream.Failure>?

  @inlinable
  init(downstream: Downstream, sides: [Side], combine: @escaping () -> Downstream.Input?) {
    super.init(
      "Zip", downstream: downstream, sides: sides, combine: combine,
      onRequest: { junction, demand in
        precondition(demand > 0, "Zip: a request for no value breaks the contract")
        unsafeDowncast(junction, to: ZippingJunction.self).add(demand)
      },
      onCancel: { junction in unsafeDowncast(junction, to: ZippingJunction.self).cancelAll() })
  }

  // MARK: From downstream

  /// Requests of all publishers; behind the delivery, if there is one.
  @inlinable
  func add(_ demand: Subscribers.Demand) {
    let subscriptions = state.withLock { state -> [any Subscription] in
      guard !state.isDelivering else {
        state.demand += demand
        return []
      }
      return self.subscriptions()
    }
    for subscription in subscriptions { subscription.request(demand) }
  }

  // MARK: From upstream

  @inlinable
  func attach(_ subscription: any Subscription, to side: Side) {
    var isLast = false
    guard take(subscription, for: side, { isLast = $0.unattached == 0 }), isLast else { return }
    inside {
      isAnnounced = true
      downstream?.receive(subscription: self)
      if let earlyFailure { fail(earlyFailure) } else { finishIfExhausted() }
    }
  }

  @inlinable
  func receive<Value>(_ value: Value, from side: CombinedSide<Value>) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    var more = Subscribers.Demand.none
    let (isDropped, isDelivering) = state.withLock {
      ($0.hasEnded || side.isFinished, $0.isDelivering)
    }
    if !isDropped {
      side.values.append(value)
      // What is sent from within a delivery waits for its end.
      if !isDelivering { more = deliver(for: side) }
    }
    if wasOutside { leave() }
    return more
  }

  @inlinable
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>) {
    inside {
      // In here, so that nobody else takes a failure that has not been told yet for a finish.
      guard finish(side) else { return }
      switch completion {
      case .finished:
        if isAnnounced, !state.withLock({ $0.isDelivering }) { finishIfExhausted() }
      case .failure:
        if isAnnounced { fail(completion) } else { earlyFailure = completion }
      }
    }
  }

  // MARK: To downstream

  /// Delivers what is complete, whether it was requested or not.
  ///
  /// - Returns: What to request of the publisher that made it complete.
  @inlinable
  func deliver(for side: Side) -> Subscribers.Demand {
    var total = Subscribers.Demand.none
    while let combination = combine() {
      state.withLock { $0.isDelivering = true }
      var more = downstream?.receive(combination) ?? .none
      let others = state.withLock { state in
        state.isDelivering = false
        more += state.demand
        state.demand = .none
        return subscriptions(except: side)
      }
      if finishIfExhausted() { break }
      if more > 0 { for other in others { other.request(more) } }
      total += more
    }
    return total
  }

  /// Finishes if there cannot be another combination.
  ///
  /// - Returns: Whether it has ended, now or before.
  @inlinable
  @discardableResult
  func finishIfExhausted() -> Bool {
    let (hasEnded, finished) = state.withLock { ($0.hasEnded, sides.filter(\.isFinished)) }
    guard !hasEnded else { return true }
    guard finished.contains(where: { !$0.hasValue }) else { return false }
    if endOnce() {
      complete(.finished)
      letGoOfSides()
    }
    return true
  }

  @inlinable
  func fail(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard endOnce() else { return }
    complete(completion)
    letGoOfSides()
  }
}
