/// A stage of a chain: a subscriber that hands on to the next one, which it stores inline.
///
/// A stage is a struct and generic over its downstream, so that a whole chain is one value whose
/// methods the optimiser sees through; what a stage has to remember it keeps in an object beside
/// it. What stands here is what a stage does that does not care: everything passes unchanged.
@usableFromInline
protocol Stage: Subscriber {
  associatedtype Downstream: Subscriber

  var downstream: Downstream { get }
}

extension Stage {
  @inlinable
  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable
  var _depth: _Hint<Int> { downstream._depth }

  @inlinable
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }
}

extension Stage where Failure == Downstream.Failure {
  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

/// A stage that a source may look through, as if the chain were its last member alone.
///
/// It promises two things: handing on the subscription is the last thing it does when it gets one,
/// and a value that it passes on is passed on within the call that brings it, on the same thread. A
/// stage that does something after `downstream.receive(subscription:)`, or delivers later or
/// elsewhere, must not adopt this: the hints of its downstream would reorder its work.
@usableFromInline
protocol TransparentStage: Stage {}

extension TransparentStage {
  @inlinable
  static var _requestsLast: _Hint<Bool> { Downstream._requestsLast }

  @inlinable
  func _beginRun() -> _Hint<Bool> { downstream._beginRun() }

  @inlinable
  func _endRun() { downstream._endRun() }
}

/// A stage with an end of its own: it shows a ``RelaySubscription`` downstream.
@usableFromInline
protocol RelayStage: Stage {
  associatedtype Relay: RelaySubscription

  var relay: Relay { get }
}

extension RelayStage {
  @inlinable
  func receive(subscription: any Subscription) {
    guard relay.attach(subscription) else { return }
    downstream.receive(subscription: relay)
  }

  /// Ends the stage with upstream and tells downstream; after the end that is dropped.
  @inlinable
  func passEnd(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard relay.isActive, relay.end() != nil else { return }
    downstream.receive(completion: completion)
  }

  /// Ends the stage before upstream has ended: cancels upstream, then tells downstream; nothing of
  /// it after a cancellation.
  @inlinable
  func endEarly(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard let upstream = relay.detach() else { return }
    upstream.cancel()
    if relay.conclude() { downstream.receive(completion: completion) }
  }
}

extension RelayStage where Failure == Downstream.Failure {
  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    passEnd(completion)
  }
}
