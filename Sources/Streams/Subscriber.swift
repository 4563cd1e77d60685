/// A type that receives values from a publisher.
///
/// Source of the rule: Combine's `Subscriber`.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values this subscriber receives.
  associatedtype Input

  /// The kind of error this subscriber may receive; `Never` if it cannot.
  associatedtype Failure: Error

  /// Tells the subscriber that it is attached and may request values.
  ///
  /// - Parameter subscription: The connection to the publisher; keep it to request more or cancel.
  func receive(subscription: any Subscription)

  /// Delivers one value.
  ///
  /// - Parameter input: The value.
  /// - Returns: How many values *more* are wanted; added to the demand that is outstanding.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells the subscriber that no more values will come.
  ///
  /// - Parameter completion: `.finished`, or `.failure` with the error that ended the stream.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Whether this subscriber does nothing after its last request when it gets its subscription, so
  /// that values may come right behind that call as well as during it. For this library alone, as
  /// everything that returns a ``_Hint``; leave it at its default.
  static var _requestsLast: _Hint<Bool> { get }

  /// Begins a run of values from this thread. For this library alone; leave it at its default.
  ///
  /// - Returns: Whether ``_endRun()`` has to be called after the run.
  func _beginRun() -> _Hint<Bool>

  /// Ends the run. For this library alone; leave it at its default.
  func _endRun()

  /// The number of merged streams that this subscriber's stream is nested in. For this library alone;
  /// leave it at its default.
  var _depth: _Hint<Int> { get }
}

extension Subscriber {
  /// No: values come during the request that asks for them.
  @inlinable
  public static var _requestsLast: _Hint<Bool> { .no }

  /// Does nothing.
  @inlinable
  public func _beginRun() -> _Hint<Bool> { .no }

  /// Does nothing.
  @inlinable
  public func _endRun() {}

  /// None: a stream of its own.
  @inlinable
  public var _depth: _Hint<Int> { _Hint(0) }
}

extension Subscriber where Input == () {
  /// Delivers one value of a stream of nothing but moments.
  ///
  /// - Returns: How many values more are wanted.
  @inlinable
  public func receive() -> Subscribers.Demand { receive(()) }
}
