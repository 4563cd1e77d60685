/// A type that receives values from a publisher.
///
/// Follows Combine's `Subscriber`.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of values that this subscriber receives.
  associatedtype Input

  /// The type of error that this subscriber can receive, or `Never` if it can't receive one.
  associatedtype Failure: Error

  /// Tells the subscriber that it's attached and can request values.
  ///
  /// - Parameter subscription: The connection to the publisher. Keep it to request more values or
  ///   to cancel.
  func receive(subscription: any Subscription)

  /// Delivers one value.
  ///
  /// - Returns: How many *more* values the subscriber wants. They're added to the outstanding
  ///   demand.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells the subscriber that no more values will come.
  ///
  /// - Parameter completion: `.finished`, or `.failure` with the error that ended the stream.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Whether this subscriber does nothing more after its last request when it receives its
  /// subscription. If so, values can arrive right after that call as well as during it. A sequence
  /// then emits from the frame that attaches the chain, where the optimiser sees all of it: that
  /// takes 3.0 ns per value instead of 3.8. For this library only, like everything that returns a
  /// ``_Hint``: keep the default.
  static var _requestsLast: _Hint<Bool> { get }

  /// The number of merged streams that this subscriber's stream is nested in. Deep nesting goes
  /// through a ``Trampoline``, which saves stack space. For this library only: keep the default.
  var _depth: _Hint<Int> { get }
}

extension Subscriber {
  /// No: values arrive during the call that requests them.
  @inlinable public static var _requestsLast: _Hint<Bool> { .no }

  /// Zero: the stream isn't nested in a merged stream.
  @inlinable public var _depth: _Hint<Int> { _Hint(0) }
}

extension Subscriber where Input == () {
  /// Delivers one value of a stream of `Void`.
  ///
  /// - Returns: How many more values the subscriber wants.
  @inlinable public func receive() -> Subscribers.Demand { receive(()) }
}
