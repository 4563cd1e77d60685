/// A type that can deliver a sequence of values over time to its subscribers.
///
/// A publisher delivers, to each subscriber on its own: one subscription, then at most as many
/// values as were requested, then at most one completion. All signals of one subscription are
/// serialised; a value of `Failure` ends it.
///
/// Source of the rule: Combine's `Publisher`.
public protocol Publisher<Output, Failure> {
  /// The kind of values this publisher can deliver.
  associatedtype Output

  /// The kind of error this publisher can fail with; `Never` if it cannot.
  associatedtype Failure: Error

  /// Attaches the subscriber. Call ``subscribe(_:)-(S)`` instead; implement this.
  ///
  /// - Parameter subscriber: Receives the subscription first, then values and the completion.
  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input

  /// The one value that this publisher delivers on request, if that is all it does. For this library
  /// alone, as everything that returns a ``_Hint``; leave it at its default.
  var _singleValue: _Hint<Output?> { get }
}

extension Publisher {
  /// Nothing is known: subscribe to find out.
  @inlinable
  public var _singleValue: _Hint<Output?> { _Hint(nil) }

  /// Attaches a subscriber to this publisher.
  ///
  /// - Parameter subscriber: Receives the subscription first; nothing else is delivered before it
  ///   requests a demand (a completion may be, where there is no value to wait for).
  @inlinable
  @inline(__always)
  public func subscribe<S>(_ subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    receive(subscriber: subscriber)
  }
}
