/// The junction of `zip`.
///
/// Downstream gets its subscription once all publishers have been subscribed to and have sent
/// theirs, on the thread that completes that. Completions that come earlier wait until then. If
/// there's a failure among them, the stream fails. If not, a publisher that has finished without
/// values finishes the stream. Demand that downstream requests on receiving its subscription is
/// passed on after that decision.
///
/// A value that arrives from within a delivery waits in its queue, and the loop that delivers picks
/// it up. If downstream requests more during a delivery, the loop passes that on after the
/// delivery, outside the gate. Meanwhile, a second thread may deliver the next combination. For the
/// rest, see ``CombiningJunction``.
@usableFromInline
final class ZippingJunction<Downstream: Subscriber>: CombiningJunction<Downstream>, Combining {
  /// Takes the first value of each side, which has to have one, and combines them. Adds to its
  /// second argument how many sides that leaves without values. Formed where the types are known,
  /// and captures nothing, so it takes no memory of its own. Called inside the gate.
  @usableFromInline
  typealias Combine = (Sides, inout Int32) -> Downstream.Input

  @usableFromInline
  let combine: Combine

  // All of these are touched inside the gate only.

  /// Demand that was requested from within the current delivery.
  @exclusivity(unchecked)
  @usableFromInline
  var requestedMeanwhile = Subscribers.Demand.none

  /// How many sides have no value for the next combination.
  @exclusivity(unchecked)
  @usableFromInline
  var emptySides: Int32

  /// Whether one of the publishers has finished.
  @exclusivity(unchecked)
  @usableFromInline
  var hasFinishedSide = false

  /// Whether downstream has its subscription. Until then, all completions wait.
  @exclusivity(unchecked)
  @usableFromInline
  var isAnnounced = false

  /// The first failure that came before downstream had its subscription.
  @exclusivity(unchecked)
  @usableFromInline
  var earlyFailure: Subscribers.Completion<Downstream.Failure>?

  @inlinable
  init(downstream: Downstream, sides: Sides, combine: @escaping Combine) {
    self.combine = combine
    emptySides = Int32(sides.count)
    super.init(
      .zip, downstream: downstream, sides: sides,
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

  /// Records that all publishers have been subscribed to.
  @inlinable
  func allAreSubscribed() {
    let isLast = withState { state in
      state.unattached -= 1
      return state.unattached == 0
    }
    if isLast { begin() }
  }

  /// Hands the subscription downstream. Then handles the completions that came before it, and then
  /// passes on what downstream has requested.
  @inlinable
  func begin() {
    // Nothing has been delivered yet, so this thread wasn't inside.
    _ = gate.enter()
    // As in a delivery, values and requests wait until it's over.
    isDelivering = true
    handOver()
    isDelivering = false
    isAnnounced = true
    if let earlyFailure = earlyFailure.take() { end(earlyFailure) } else { finishIfExhausted() }
    _ = deliverAndLeave(for: nil)
  }

  @inlinable
  func receive<Values>(
    _ value: Values.Value, from side: CombinedSide<Values>
  ) -> Subscribers.Demand {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    if !credit.isEnded, side.isLive {
      if side.values.isEmpty { emptySides &-= 1 }
      _ = side.values.put(value)
    }
    // A value from within a delivery waits.
    guard wasOutside else { return .none }
    if emptySides == 0 { return deliverAndLeave(for: side, as: me) }
    leave(as: me)
    return .none
  }

  @inlinable
  func completed(_ side: Side, _ completion: Subscribers.Completion<Downstream.Failure>) {
    // Released here, outside the gate.
    var released: SubscriptionObject?
    let wasOutside = gate.enter()
    if finish(side, releasing: &released) {
      switch completion {
      case .finished:
        hasFinishedSide = true
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

  /// Delivers all complete combinations, whether they were requested or not. Called inside the
  /// gate, and leaves it. If downstream requests more, also leaves it between two deliveries, to
  /// pass that on.
  ///
  /// - Returns: The demand for `side`, the publisher whose value completed a combination.
  @inlinable
  func deliverAndLeave(
    for side: Side?, as me: UInt = ThreadID.current
  ) -> Subscribers.Demand {
    var total = Subscribers.Demand.none
    while true {
      let more = deliverNext()
      leaveOrEnd(as: me)
      if more == .none { return total }
      forward(more, toAllBut: side)
      total += more
      _ = gate.enter(as: me)
    }
  }

  /// Delivers combinations until downstream requests more or none is left. Called inside the gate.
  ///
  /// - Returns: The demand that downstream has requested.
  @inlinable
  func deliverNext() -> Subscribers.Demand {
    // Before the subscription, everything waits.
    guard isAnnounced else { return .none }
    while emptySides == 0, !credit.isEnded {
      let combination = nextCombination()
      isDelivering = true
      let returned = deliver(combination)
      isDelivering = false
      if hasFinishedSide { finishIfExhausted() }
      if returned > 0 || requestedMeanwhile > 0 { return takeRequested(and: returned) }
    }
    // Requested on receiving the subscription, with nothing to deliver yet.
    return requestedMeanwhile > 0 ? takeRequested(and: .none) : .none
  }

  @inlinable
  func nextCombination() -> Downstream.Input {
    var emptied: Int32 = 0
    let combination = combine(sides, &emptied)
    emptySides = emptied
    return combination
  }

  @inlinable
  func takeRequested(and returned: Subscribers.Demand) -> Subscribers.Demand {
    let more = returned + requestedMeanwhile
    requestedMeanwhile = .none
    return credit.isEnded ? .none : more
  }

  /// Finishes if there can't be another combination. Called inside the gate.
  @inlinable
  func finishIfExhausted() {
    if sides.contains(where: { $0.isFinished && !$0.hasValue }) { end(.finished) }
  }

  /// Leaves the gate. If the end has been decided, delivers the completion and then cancels the
  /// publishers.
  @inlinable
  func leaveOrEnd(as me: UInt = ThreadID.current) {
    let ending = ending.take()
    leave(as: me)
    guard let ending else { return }
    complete(ending)
    letGoOfSides()
  }
}
