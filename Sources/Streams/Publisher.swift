/// A type that delivers a sequence of values over time to its subscribers.
///
/// Each subscriber gets its own subscription first, then at most as many values as it has
/// requested, and then at most one completion. The signals of one subscription are serialised. A
/// failure ends the subscription.
///
/// Follows Combine's `Publisher`.
public protocol Publisher<Output, Failure> {
  /// The type of values that this publisher delivers.
  associatedtype Output

  /// The type of error that this publisher can fail with, or `Never` if it can't fail.
  associatedtype Failure: Error

  /// Attaches a subscriber. Implement this method, but call `subscribe(_:)` instead.
  ///
  /// - Parameter subscriber: Receives the subscription first, then values and the completion.
  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input

  /// Delivers all values during this call, without a subscription, if this publisher can. This
  /// makes `flatMap { Just($0) }` 31 times as fast as OpenCombine's, instead of 5. For this library
  /// only, like everything that returns a ``_Hint``: keep the default.
  ///
  /// - Parameters:
  ///   - isWanted: Whether to go on.
  ///   - deliver: Receives each value.
  /// - Returns: Whether it did. If not, it has done nothing.
  func _deliverAll(while isWanted: () -> Bool, _ deliver: (Output) -> Void) -> _Hint<Bool>
}

extension Publisher {
  /// No: values are delivered to a subscriber that requests them.
  @inlinable
  public func _deliverAll(while isWanted: () -> Bool, _ deliver: (Output) -> Void) -> _Hint<Bool> {
    .no
  }

  /// Attaches a subscriber to this publisher.
  ///
  /// - Parameter subscriber: Receives the subscription first. It receives no values before it
  ///   requests some. A completion can arrive without a request if there's no value to wait for.
  @inlinable @inline(__always)
  public func subscribe<S>(_ subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    if Introspection.looks(at: Self.self) {
      attachTapped(subscriber)
    } else {
      receive(subscriber: subscriber)
    }
  }

  /// Attaches a stage. Every operator reaches its upstream this way.
  ///
  /// It does what `subscribe(_:)` does, but calls `receive(subscriber:)` through a pointer. That
  /// method is always inlined, so that the optimiser sees a chain as one function. Calling it on a
  /// stored property puts the next operator inside the borrow of this one, and the optimiser (Swift
  /// 6.3) crashes when five different operators are nested like that. A pointer ends the nesting,
  /// and costs nothing per value. `Tests/SlowTests` has chains of 40 operators.
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

/// A hint that publishers and subscribers of this library give each other, to save work.
///
/// It changes how fast something is delivered, never what. Hints are requirements of public
/// protocols, because a source knows its subscriber only through these. They have defaults that
/// hint at nothing, and every type is correct with them. No type outside the library gives a hint
/// by accident, because only the library can make a `_Hint`.
@frozen public struct _Hint<Value> {
  @usableFromInline let value: Value

  @inlinable init(_ value: Value) { self.value = value }
}

extension _Hint<Bool> {
  @inlinable static var yes: _Hint { _Hint(true) }
  @inlinable static var no: _Hint { _Hint(false) }
}
