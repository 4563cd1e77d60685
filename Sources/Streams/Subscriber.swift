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

  /// Whether this subscriber, when it is handed its subscription, does nothing after its last
  /// request, so that nobody can tell if the values come during that call or right behind it.
  ///
  /// A source may then emit from the frame that attaches the subscriber, where the whole chain is
  /// visible to the optimiser. An implementation detail; leave it at its default, `false`.
  static var _endsWithRequest: Bool { get }

  /// Announces a run of values from this thread, so that what guards a delivery is entered once
  /// for all of them. An implementation detail; the default does nothing.
  ///
  /// - Returns: Whether ``_endDeliveries()`` is to be called after the run.
  func _beginDeliveries() -> Bool

  /// Ends the run of values that was announced.
  func _endDeliveries()
}

extension Subscriber {
  /// `false`: values come during the request that asks for them.
  @inlinable
  public static var _endsWithRequest: Bool { false }

  /// Nothing to enter.
  @inlinable
  public func _beginDeliveries() -> Bool { false }

  /// Nothing to leave.
  @inlinable
  public func _endDeliveries() {}
}

extension Subscriber where Input == () {
  /// Delivers one value of a stream of nothing but moments.
  ///
  /// - Returns: How many values more are wanted.
  @inlinable
  public func receive() -> Subscribers.Demand { receive(()) }
}
