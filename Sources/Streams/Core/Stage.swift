/// A stage of a chain: a subscriber that does its operator's work on a signal, and passes it on to
/// the next subscriber, which it stores inline.
///
/// A stage is a struct that is generic over its downstream. So a whole chain is one value, and the
/// optimiser makes one function of it. If a stage has to remember something, it keeps that in an
/// object next to it. By default, it passes the subscription and the completion on unchanged.
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
/// It promises that passing the subscription on is the last thing it does with it, and that it
/// passes a value on only within the call that brings it. If a stage that doesn't keep this promise
/// adopted it, its work would come in another order: a source may wait with values until the last
/// subscriber of the chain has made its request.
@usableFromInline protocol TransparentStage: Stage {}

extension TransparentStage {
  @inlinable static var _requestsLast: _Hint<Bool> { Downstream._requestsLast }
}
