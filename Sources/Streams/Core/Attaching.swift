extension Publisher {
  /// Attaches a stage to this publisher. Every operator reaches its upstream this way.
  ///
  /// It does what `receive(subscriber:)` does, but calls it through a pointer. Because
  /// `receive(subscriber:)` is always inlined, the optimiser sees a chain as one function. Calling
  /// it on a stored property puts the next operator inside the borrow of this one, and the
  /// optimiser (Swift 6.3) crashes when five different operators are nested like that. A pointer
  /// ends the nesting, and costs nothing per value. `Tests/SlowTests` has chains of 40 operators.
  ///
  /// - Parameter stage: Receives the subscription, the values and the completion.
  @inlinable @inline(__always)
  func attach<S: Subscriber>(_ stage: S) where S.Input == Output, S.Failure == Failure {
    if Introspection.looks(at: Self.self) {
      attachTapped(stage)
    } else {
      attachUnseen(stage)
    }
  }

  /// Attaches a stage without telling a hook, for publishers that are part of another one.
  @inlinable @inline(__always)
  func attachUnseen<S: Subscriber>(_ stage: S) where S.Input == Output, S.Failure == Failure {
    withUnsafePointer(to: self) { $0.pointee.receive(subscriber: stage) }
  }
}

/// A hint that only this library can give.
///
/// To save work, some publishers and subscribers tell each other more than Combine's protocols do.
/// Times are for a value or for setting up a chain, and ratios are those to OpenCombine's time:
///
/// | Hint | Says | Buys |
/// |---|---|---|
/// | `Subscriber._requestsLast` | when it receives its subscription, its last request is the last thing it does | a source emits from the frame that attaches the chain, where the optimiser sees the whole chain: a sequence takes 3.0 ns per value instead of 3.8, and `Just` is set up in 167 ns instead of 232 |
/// | `Subscriber._depth` | how many merged streams its stream is nested in | stack space: deep nesting goes through ``Trampoline`` |
/// | `Subscription._object` | the object that it is | memory, and 5 to 15 % of the time to set up a chain: an object is cheaper to keep than `any Subscription` |
/// | `Publisher._deliverAll(while:_:)` | it can deliver all values at once | `flatMap` and `merge` deliver a sequence or a `Just` without a subscription: `flatMap { Just }` is 31 times as fast instead of 5 |
///
/// A hint changes how fast something is delivered, never what. ``Subscriber``, ``Publisher``
/// and ``Subscription`` have defaults that hint at nothing, and every type is correct with them.
/// Hints are requirements of public protocols, because a source knows its subscriber only through
/// these protocols. They return a `_Hint` so that a type outside the library can't give one by
/// accident, because it can't make one.
@frozen public struct _Hint<Value> {
  @usableFromInline let value: Value

  @inlinable init(_ value: Value) { self.value = value }
}

extension _Hint<Bool> {
  @inlinable static var yes: _Hint { _Hint(true) }
  @inlinable static var no: _Hint { _Hint(false) }
}
