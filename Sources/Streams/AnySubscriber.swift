/// A subscriber that hides the type of another subscriber.
///
/// Wrapping an `AnySubscriber` again adds nothing. Follows Combine's `AnySubscriber`.
public struct AnySubscriber<Input, Failure>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Failure: Error {
  @usableFromInline let erased: ErasedSubscriber

  /// The identifier of the wrapped subscriber.
  public let combineIdentifier: CombineIdentifier

  /// Creates a subscriber that hides the type of another one.
  ///
  /// - Parameter s: The subscriber to wrap. It receives everything that this one receives.
  @inlinable
  public init<S>(_ s: S) where S: Subscriber, Input == S.Input, Failure == S.Failure {
    if let hidden = s as? AnySubscriber<Input, Failure> {
      self = hidden
    } else {
      erased = ErasedDownstream(s)
      combineIdentifier = s.combineIdentifier
    }
  }

  /// Creates a subscriber that feeds a subject, and requests as much as the subject wants.
  ///
  /// - Parameter s: The subject, which receives everything that this subscriber receives. Held
  ///   weakly.
  @inlinable
  public init<S>(_ s: S) where S: Subject, Input == S.Output, Failure == S.Failure {
    self.init(SubjectFeed(s))
  }

  /// Creates a subscriber from closures.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the subscription. Without this closure nothing is
  ///     requested.
  ///   - receiveValue: Called for each value. Returns how many more values to request. Without this
  ///     closure no more are requested.
  ///   - receiveCompletion: Called when the stream ends.
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    self.init(
      ClosureSubscriber(
        receiveSubscription: receiveSubscription, receiveValue: receiveValue,
        receiveCompletion: receiveCompletion))
  }

  @inlinable public var _depth: _Hint<Int> { _Hint(erased.depth) }

  @inlinable
  public func receive(subscription: any Subscription) { erased.receive(subscription: subscription) }

  @inlinable @inline(__always)
  public func receive(_ value: Input) -> Subscribers.Demand {
    withUnsafePointer(to: value) { erased.receive($0) }
  }

  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) {
    erased.receive(completion: completion)
  }

  /// The description of the wrapped subscriber, or `Anonymous AnySubscriber` if it's made of
  /// closures.
  public var description: String { erased.description }

  public var customMirror: Mirror { erased.customMirror }

  public var playgroundDescription: Any { description }
}

/// A subscriber that's made of closures.
private final class ClosureSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible,
  CustomReflectable
{
  let receiveSubscription: ((any Subscription) -> Void)?
  let receiveValue: ((Input) -> Subscribers.Demand)?
  let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?

  init(
    receiveSubscription: ((any Subscription) -> Void)?,
    receiveValue: ((Input) -> Subscribers.Demand)?,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
  }

  func receive(subscription: any Subscription) { receiveSubscription?(subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { receiveValue?(input) ?? .none }

  func receive(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }

  var description: String { "Anonymous AnySubscriber" }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
