/// A stage of a chain: a subscriber that passes signals on to the next one, which it stores inline.
///
/// A stage is a struct that is generic over its downstream. So a whole chain is one value, and the
/// optimiser sees through its methods. If a stage has to remember something, it keeps that in a
/// separate object. By default, a stage passes the subscription and the completion on unchanged.
@usableFromInline protocol Stage: Subscriber, Named {
  associatedtype Downstream: Subscriber
  associatedtype Input = Downstream.Input
  associatedtype Failure = Downstream.Failure

  var downstream: Downstream { get }
}

extension Stage {
  /// Uses the next subscriber without retaining it.
  ///
  /// In an extension of this protocol, `downstream` calls a getter, and its result is retained
  /// while it's used: all objects of the rest of the chain, for each value. The optimiser (Swift
  /// 6.3) only removes that if the use is in a closure.
  @inlinable @inline(__always)
  func withDownstream<Result>(_ body: (Downstream) -> Result) -> Result { body(downstream) }

  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @inlinable var _depth: _Hint<Int> { downstream._depth }

  @inlinable
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }
}

extension Stage where Failure == Downstream.Failure {
  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    withDownstream { $0.receive(completion: completion) }
  }
}

/// A stage that a source can look through, as if the chain consisted of its last subscriber alone.
///
/// It promises two things. When it receives its subscription, passing that on is the last thing it
/// does. And if it passes a value on, it does so within the call that brings the value, on the same
/// thread. A stage that does something after `downstream.receive(subscription:)`, or delivers later
/// or on another thread, must not adopt this. The hints of its downstream would reorder its work.
@usableFromInline protocol TransparentStage: Stage {}

extension TransparentStage {
  @inlinable static var _requestsLast: _Hint<Bool> { Downstream._requestsLast }
}

/// A stage that keeps track of its own end: it hands a ``RelaySubscription`` downstream.
@usableFromInline protocol RelayStage: Stage {
  associatedtype Relay: RelaySubscription

  var relay: Relay { get }
}

extension RelayStage {
  @usableFromInline var name: String { relay.operatorName }

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

/// A subscriber or subscription that shows nothing of itself except the name of its operator.
@usableFromInline
protocol Named: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  var name: String { get }
}

extension Named {
  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { name }
}
