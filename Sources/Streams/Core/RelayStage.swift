/// A stage that knows whether it has ended, from the ``RelaySubscription`` that it hands
/// downstream.
@usableFromInline protocol RelayStage: Stage {
  associatedtype Relay: RelaySubscription

  var relay: Relay { get }
}

extension RelayStage {
  @usableFromInline var name: String { relay.name }

  @inlinable
  func receive(subscription: any Subscription) {
    guard relay.attach(subscription) else { return }
    downstream.receive(subscription: relay)
  }

  /// Ends the stage with upstream's completion and delivers that, even before a subscription.
  /// Ignored if the stage has ended.
  @inlinable
  func passEnd(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if relay.end().isFirst { withDownstream { $0.receive(completion: completion) } }
  }
}

extension RelayStage where Failure == Downstream.Failure {
  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if relay.isActive { passEnd(completion) }
  }
}
