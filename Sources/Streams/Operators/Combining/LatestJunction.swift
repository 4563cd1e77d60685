/// The junction of `combineLatest`.
///
/// Each side keeps its latest value. A value that arrives from within a delivery, or while
/// downstream has no demand, replaces the side's value and delivers nothing. Replaced values are
/// released outside the gate. For the rest, see ``CombiningJunction``.
final class LatestJunction<Downstream: Subscriber>: CombiningJunction<Downstream>, Combining {
  /// Makes a combination of the latest values; `nil` if a side has none. Formed where the types are
  /// known. Called inside the gate.
  let combine: () -> Downstream.Input?

  init(downstream: Downstream, sides: Sides, combine: @escaping () -> Downstream.Input?) {
    self.combine = combine
    super.init(
      .combineLatest, downstream: downstream, sides: sides,
      onRequest: { junction, demand in
        precondition(demand > 0, "CombineLatest: zero values were requested: request at least one")
        unsafeDowncast(junction, to: LatestJunction.self).add(demand)
      },
      onCancel: { junction in unsafeDowncast(junction, to: LatestJunction.self).cancelAll() })
  }

  // MARK: From downstream

  func add(_ demand: Subscribers.Demand) {
    // Counted under the lock too, so that it's requested exactly once from a publisher that is just
    // attaching.
    forward(demand) { credit.add(demand) }
  }

  // MARK: From upstream

  func attach(_ subscription: any Subscription, to side: Side) {
    var demand = Subscribers.Demand.none
    // Nothing has been delivered yet, so this is everything that was ever requested.
    guard take(subscription, for: side, { _ in demand = credit.demand }), demand > 0 else { return }
    subscription.request(demand)
  }

  // region: value
  func receive<Values>(
    _ value: Values.Value, from side: CombinedSide<Values>
  ) -> Subscribers.Demand {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    var more = Subscribers.Demand.none
    var replaced: Values.Value?
    if !credit.isEnded, side.isLive {
      replaced = side.values.put(value)
      if !isDelivering, let combination = combine(), credit.take() {
        isDelivering = true
        more = deliver(combination)
        isDelivering = false
        if more > 0 { credit.add(more) }
      }
    }
    if wasOutside { leaveOrEnd(as: me) }
    // Released here, outside the gate.
    _ = replaced
    return more
  }
  // endregion

  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>) {
    // Released here, outside the gate.
    var released: SubscriptionObject?
    let wasOutside = gate.enter()
    if finish(side, releasing: &released) {
      switch completion {
      case .finished: if withState({ $0.unfinished == 0 }) { end(.finished) }
      case .failure: end(completion)
      }
    }
    if wasOutside { leaveOrEnd() }
    _ = released
  }

  /// Leaves the gate. If the end has been decided, cancels the publishers and then delivers the
  /// completion.
  func leaveOrEnd(as me: UInt = ThreadID.current) {
    let ending = ending.take()
    leave(as: me)
    guard let ending else { return }
    letGoOfSides()
    complete(ending)
  }
}
