/// The junction of `zip`.
///
/// Downstream gets its subscription once all publishers have been subscribed to and have sent
/// theirs, on the thread that completes that. Until then ends wait: a failure among them wins, and
/// only if there is none does a publisher that has finished without values end it all. What
/// downstream requests with its subscription is passed on after that decision.
///
/// A value that comes from within a delivery waits in its queue; the loop that delivers picks it up.
/// What downstream requests within a delivery, the loop passes on behind it, outside the gate. A
/// second thread may deliver the next combination meanwhile. The rest is as in
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
        precondition(demand > 0, "Zip: zero values were requested: request at least one")
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
    // Nothing was delivered yet, so this thread wasn't inside.
    _ = gate.enter()
    // As inside a delivery: values and requests wait for its end.
    isDelivering = true
    downstream?.receive(subscription: self)
    isDelivering = false
    isAnnounced = true
    if let earlyFailure { end(earlyFailure) } else { finishIfExhausted() }
    _ = deliverAndLeave(for: nil)
  }

  @inlinable
  func receive<Values>(
    _ value: Values.Value, from side: CombinedSide<Values>
  ) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    if !credit.isEnded, side.isLive { _ = side.values.put(value) }
    // From within a delivery it waits.
    return wasOutside ? deliverAndLeave(for: side) : .none
  }

  @inlinable
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>) {
    // Released here, outside the gate.
    var released: (any Subscription)?
    let wasOutside = gate.enter()
    if finish(side, releasing: &released) {
      switch completion {
      case .finished:
        finished.append(side)
        if isAnnounced, !isDelivering { finishIfExhausted() }
      case .failure:
        if isAnnounced {
          end(completion)
        } else if earlyFailure == nil {
          earlyFailure = completion
        }
      }
    }
    if wasOutside { leaveOrEnd() }
    _ = released
  }

  // MARK: To downstream

  /// Delivers what is complete, whether it was requested or not. Called inside the gate, and leaves
  /// it, also between two deliveries if downstream has requested more.
  ///
  /// - Returns: What to request of the publisher that made it complete.
  @inlinable
  func deliverAndLeave(for side: Side?) -> Subscribers.Demand {
    var total = Subscribers.Demand.none
    while true {
      let more = deliver()
      leaveOrEnd()
      guard more > 0 else { return total }
      forward(more, toAllBut: side)
      total += more
      _ = gate.enter()
    }
  }

  /// Delivers until downstream requests more. Called inside the gate.
  ///
  /// - Returns: What downstream has requested.
  @inlinable
  func deliver() -> Subscribers.Demand {
    // Before the subscription all waits.
    guard isAnnounced else { return .none }
    var more = Subscribers.Demand.none
    while more == .none, !credit.isEnded, let combination = combine() {
      isDelivering = true
      more = downstream?.receive(combination) ?? .none
      isDelivering = false
      more += requestedMeanwhile
      requestedMeanwhile = .none
      if !finished.isEmpty { finishIfExhausted() }
    }
    // Requested with the subscription, and there is nothing to deliver yet.
    more += requestedMeanwhile
    requestedMeanwhile = .none
    return credit.isEnded ? .none : more
  }

  /// Finishes if there cannot be another combination. Called inside the gate.
  @inlinable
  func finishIfExhausted() {
    if finished.contains(where: { !$0.hasValue }) { end(.finished) }
  }

  /// Leaves the gate. If the end was decided, tells downstream, and then cancels the publishers.
  @inlinable
  func leaveOrEnd() {
    let ending = ending.take()
    leave()
    guard let ending else { return }
    complete(ending)
    letGoOfSides()
  }
}
