/// The stage of `receive(on:)` on an ``ImmediateScheduler``: it passes signals on where they
/// arrive.
///
/// There is nothing to schedule and no other thread to keep out, so it needs none of the machinery
/// of ``ScheduledDelivery``. Only the demand is handled in the same way: demand that downstream
/// returns for a value is requested after the delivery.
@usableFromInline struct ImmediateStage<Downstream: Subscriber>: RelayStage, TransparentStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: RelaySubscription

  @inlinable
  init(name: StaticString, downstream: Downstream) {
    self.downstream = downstream
    relay = RelaySubscription(name, trapsOnNoDemand: false)
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    let more = downstream.receive(input)
    if more > 0 { relay.request(more) }
    return .none
  }
}
