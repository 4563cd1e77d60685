/// The junction of `combineLatest`.
///
/// Each side keeps its latest value. A value that comes from within a delivery, or that nobody has
/// requested a combination for, replaces the one before it and delivers nothing. A value that is
/// replaced is released outside the gate. The rest is as in ``CombiningJunction``.
@usableFromInline
final class LatestJunction<Downstream: Subscriber>: CombiningJunction<Downstream>, Combining {
  @inlinable
  init(downstream: Downstream, sides: [Side], combine: @escaping () -> Downstream.Input?) {
    super.init(
      "CombineLatest", downstream: downstream, sides: sides, combine: combine,
      onRequest: { junction, demand in
        precondition(demand > 0, "CombineLatest: zero values were requested: request at least one")
        unsafeDowncast(junction, to: LatestJunction.self).add(demand)
      },
      onCancel: { junction in unsafeDowncast(junction, to: LatestJunction.self).cancelAll() })
  }

  // MARK: From downstream

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    // Counted under the lock too, so that it is requested once of a publisher that attaches now.
    forward(demand) { credit.add(demand) }
  }

  // MARK: From upstream

  @inlinable
  func attach(_ subscription: any Subscription, to side: Side) {
    var demand = Subscribers.Demand.none
    // Nothing was delivered yet: this is all that was ever requested.
    guard take(subscription, for: side, { _ in demand = credit.demand }), demand > 0 else { return }
    subscription.request(demand)
  }

  // region: value
  @inlinable
  func receive<Values>(
    _ value: Values.Value, from side: CombinedSide<Values>
  ) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    var more = Subscribers.Demand.none
    var replaced: Values.Value?
    if !credit.isEnded, side.isLive {
      replaced = side.values.put(value)
      if !isDelivering, let combination = combine(), credit.take() {
        isDelivering = true
        more = downstream?.receive(combination) ?? .none
        isDelivering = false
        if more > 0 { credit.add(more) }
      }
    }
    if wasOutside { leaveOrEnd() }
    // Released here, outside the gate.
    _ = replaced
    return more
  }
  // endregion

  @inlinable
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>) {
    // Released here, outside the gate.
    var released: (any Subscription)?
    let wasOutside = gate.enter()
    if finish(side, releasing: &released) {
      switch completion {
      case .finished: if state.withLock({ $0.unfinished == 0 }) { end(.finished) }
      case .failure: end(completion)
      }
    }
    if wasOutside { leaveOrEnd() }
    _ = released
  }

  /// Leaves the gate. If the end was decided, cancels the publishers, and then tells downstream.
  @inlinable
  func leaveOrEnd() {
    let ending = ending.take()
    leave()
    guard let ending else { return }
    letGoOfSides()
    complete(ending)
  }
}
