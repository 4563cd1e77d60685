/// The junction of `zip`.
///
/// Downstream gets its subscription once all publishers have been subscribed to and have sent
/// theirs, on the thread that completes that. Until then ends wait: a failure among them wins, and
/// only if there is none does a publisher that has finished without values end it all. What
/// downstream requests with its subscription is passed on after that decision.
///
/// A value that comes from within a delivery waits in its queue; the loop that delivers picks it up.
/// What is requested from within a delivery is requested behind it. The rest is as in
/// ``CombiningJunction``.
@usableFromInline
final class ZippingJunction<Downstream: Subscriber>: CombiningJunction<Downstream>, Combining {
  // All are touched inside the gate only.

  /// Demand that was requested from within the delivery that goes on.
  @exclusivity(unchecked)
  @usableFromInline
  var requestedMeanwhile = Subscribers.Demand.none

  /// The publishers that have finished.
  @exclusivity(unchecked)
  @usableFromInline
  var finished: [Side] = []

  /// Whether downstream has its subscription. Until then all ends wait.
  @exclusivity(unchecked)
  @usableFromInline
  var isAnnounced = false

  /// The first failure that came before that.
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

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    if gate.isMine, isDelivering {
      requestedMeanwhile += demand
    } else {
      forward(demand)
    }
  }

  // MARK: From upstream

  @inlinable
  func attach(_ subscription: any Subscription, to side: Side) {
    var isLast = false
    if take(subscription, for: side, { isLast = $0.unattached == 0 }), isLast { begin() }
  }

  /// Takes note that all publishers have been subscribed to.
  @inlinable
  func allAreSubscribed() {
    let isLast = state.withLock { state in
      state.unattached -= 1
      return state.unattached == 0
    }
    if isLast { begin() }
  }

  /// Hands the subscription on. What has come before is looked at first, and then what downstream
  /// requests is passed on.
  @inlinable
  func begin() {
    inside {
      // As inside a delivery: values and requests wait for its end.
      isDelivering = true
      downstream?.receive(subscription: self)
      isDelivering = false
      isAnnounced = true
      guard !credit.isEnded else { return }
      if let earlyFailure { return fail(earlyFailure) }
      if finishIfExhausted() { return }
      _ = deliver(for: nil)
      let requested = requestedMeanwhile
      requestedMeanwhile = .none
      if requested > 0, !credit.isEnded { forward(requested) }
    }
  }

  @inlinable
  func receive<Values>(
    _ value: Values.Value, from side: CombinedSide<Values>
  ) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    var more = Subscribers.Demand.none
    if !credit.isEnded, side.isLive {
      _ = side.values.put(value)
      // A value that is sent from within a delivery, or before the subscription, waits.
      if isAnnounced, !isDelivering { more = deliver(for: side) }
    }
    if wasOutside { leave() }
    return more
  }

  @inlinable
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>) {
    inside {
      guard finish(side) else { return }
      switch completion {
      case .finished:
        finished.append(side)
        if isAnnounced, !isDelivering { finishIfExhausted() }
      case .failure:
        if isAnnounced {
          fail(completion)
        } else if earlyFailure == nil {
          earlyFailure = completion
        }
      }
    }
  }

  // MARK: To downstream

  /// Delivers what is complete, whether it was requested or not.
  ///
  /// - Returns: What to request of the publisher that made it complete.
  @inlinable
  func deliver(for side: Side?) -> Subscribers.Demand {
    var total = Subscribers.Demand.none
    while let combination = combine() {
      isDelivering = true
      var more = downstream?.receive(combination) ?? .none
      isDelivering = false
      more += requestedMeanwhile
      requestedMeanwhile = .none
      if credit.isEnded { break }
      if !finished.isEmpty, finishIfExhausted() { break }
      if more > 0 {
        forward(more, toAllBut: side)
        total += more
      }
    }
    return total
  }

  /// Finishes if there cannot be another combination.
  ///
  /// - Returns: Whether it has.
  @inlinable
  @discardableResult
  func finishIfExhausted() -> Bool {
    guard finished.contains(where: { !$0.hasValue }), credit.end() else { return false }
    complete(.finished)
    letGoOfSides()
    return true
  }

  @inlinable
  func fail(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard credit.end() else { return }
    complete(completion)
    letGoOfSides()
  }
}
