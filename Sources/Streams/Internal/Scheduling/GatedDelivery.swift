import Synchronization

/// What operators have in common that deliver on a scheduler: a downstream behind a gate.
///
/// The gate serialises the deliveries, whatever the scheduler does; the downstream is touched
/// inside it only. Upstream is never called from inside the gate.
@usableFromInline
class GatedDelivery<Downstream: Subscriber>: ScheduledSubscription {
  // Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  final var downstream: Downstream?

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

  /// Delivers a value, if no end has been delivered and nobody has cancelled.
  ///
  /// - Returns: The demand that it was answered with, for the caller to pass on.
  @inlinable
  final func deliver(_ input: Downstream.Input) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    var more = Subscribers.Demand.none
    if isOpen.load(ordering: .relaxed), let downstream { more = downstream.receive(input) }
    if wasOutside { leave() }
    return more
  }

  /// Delivers the end, if nobody has cancelled.
  @inlinable
  final func deliver(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let wasOutside = gate.enter()
    let downstream = downstream.take()
    let wasOpen = isOpen.exchange(false, ordering: .relaxed)
    if wasOpen { downstream?.receive(completion: completion) }
    if wasOutside { leave() }
  }

  @inlinable
  final func leave() {
    if !gate.leaveUndisturbed() { leaveReleasing() }
  }

  /// Leaves the gate after a cancellation; released outside, a downstream may run what it likes.
  @usableFromInline
  final func leaveReleasing() {
    var released: Downstream?
    gate.leave { if let downstream = downstream.take() { released = downstream } }
    _ = released
  }

  /// Lets go of the downstream, as soon as nobody is inside the gate.
  @usableFromInline
  override func release() {
    guard gate.enterOrDelegate() else { return }
    let released = downstream.take()
    leaveReleasing()
    _ = released
  }
}
