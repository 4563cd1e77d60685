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

  /// Delivers all values during this call, without a subscription, if this publisher can. For this
  /// library only, like everything that returns a ``_Hint``: keep the default.
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
}
