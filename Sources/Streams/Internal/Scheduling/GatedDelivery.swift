import Synchronization

/// The part that operators share which deliver on a scheduler: a downstream behind a gate.
///
/// Contract:
/// - **Inside the gate:** everything that downstream receives. A delivery on the thread that is
///   inside nests; a delivery on another thread waits. Upstream and the scheduler are called outside
///   the gate.
/// - **Order:** values are delivered in the order in which the scheduler runs them. The end is
///   delivered behind all values that were accepted before it, even if a queue of many threads runs
///   its action first: the thread that delivers the last of those values then delivers the end. No
///   thread waits for that. If a scheduler drops an action instead of running it, the end that comes
///   behind it is not delivered.
/// - **Release:** downstream is released at its end, or by the thread that cancels. If another thread
///   is inside the gate at that moment, the cancelling thread delegates the release to it and
///   returns.
@usableFromInline
class GatedDelivery<Downstream: Subscriber>: ScheduledSubscription {
  // The rest is touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  final var downstream: Downstream?

  /// How many of the accepted values have had their turn.
  @exclusivity(unchecked)
  @usableFromInline
  final var turns = 0

  /// After how many turns the end that waits is to be delivered.
  @exclusivity(unchecked)
  @usableFromInline
  final var turnsBeforeEnd = Int.max

  /// An end that has overtaken values, and waits for them.
  @exclusivity(unchecked)
  @usableFromInline
  final var end: Subscribers.Completion<Downstream.Failure>?

  @inlinable
  init(_ name: String, cancelsCompletion: Bool = false, downstream: Downstream) {
    self.downstream = downstream
    super.init(name, cancelsCompletion: cancelsCompletion)
  }

  /// Hands the subscription on.
  @inlinable
  final func handOver() {
    let wasOutside = gate.enter()
    downstream?.receive(subscription: self)
    if wasOutside { leave() }
  }

  /// Delivers an accepted value on the scheduler, and the end behind it if that waits for this value
  /// only. After a cancellation nothing is delivered.
  ///
  /// - Returns: The demand that downstream answers with. The caller requests it from upstream,
  ///   outside the gate.
  @inlinable
  final func deliverAccepted(_ input: Downstream.Input) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    turns &+= 1
    let more = pass(input)
    if turns >= turnsBeforeEnd, let end = end.take() { pass(end) }
    if wasOutside { leave() }
    return more
  }

  /// Delivers the end on the scheduler, or leaves it to the last value that was accepted before it.
  ///
  /// - Parameters:
  ///   - completion: The end.
  ///   - count: How many values were accepted before it.
  @inlinable
  final func deliver(
    _ completion: Subscribers.Completion<Downstream.Failure>, behind count: Int
  ) {
    let wasOutside = gate.enter()
    if turns >= count {
      pass(completion)
    } else if downstream != nil {
      end = completion
      turnsBeforeEnd = count
    }
    if wasOutside { leave() }
  }

  /// Delivers a value. Only inside the gate.
  @inlinable
  @inline(__always)
  final func pass(_ input: Downstream.Input) -> Subscribers.Demand {
    guard isOpen.load(ordering: .relaxed), let downstream else { return .none }
    return downstream.receive(input)
  }

  /// Delivers the end, and lets go of downstream. Only inside the gate.
  @inlinable
  final func pass(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let downstream = downstream.take()
    let wasOpen = isOpen.exchange(false, ordering: .relaxed)
    if wasOpen { downstream?.receive(completion: completion) }
  }

  @inlinable
  final func leave() {
    if !gate.leaveUndisturbed() { leaveReleasing() }
  }

  /// Leaves the gate after a cancellation. Releasing may run code of the user's, so that happens
  /// outside.
  @usableFromInline
  final func leaveReleasing() {
    var released: (Downstream?, Subscribers.Completion<Downstream.Failure>?)
    gate.leave {
      if let downstream = downstream.take() { released.0 = downstream }
      if let end = end.take() { released.1 = end }
    }
    _ = released
  }

  /// Lets go of downstream, or delegates that to the thread that is inside the gate.
  @usableFromInline
  override func release() {
    guard gate.enterOrDelegate() else { return }
    let released = (downstream.take(), end.take())
    leaveReleasing()
    _ = released
  }
}
