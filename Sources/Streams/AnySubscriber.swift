/// A subscriber whose type is hidden.
///
/// Wrapping one that is hidden already adds nothing. Source of the rules: Combine's
/// `AnySubscriber`.
public struct AnySubscriber<Input, Failure>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
where Failure: Error {
  @usableFromInline
  let erased: ErasedSubscriber<Input, Failure>

  /// The identifier of the subscriber inside.
  public let combineIdentifier: CombineIdentifier

  /// Hides the type of a subscriber.
  ///
  /// - Parameter s: Receives everything that this receives.
  @inlinable
  public init<S>(_ s: S) where S: Subscriber, Input == S.Input, Failure == S.Failure {
    if let hidden = s as? AnySubscriber<Input, Failure> {
      self = hidden
    } else {
      erased = ErasedDownstream.make(s)
      combineIdentifier = s.combineIdentifier
    }
  }

  /// Makes a subscriber that feeds a subject; it asks for as much as the subject wants.
  ///
  /// - Parameter s: Receives everything that this receives. Held weakly.
  @inlinable
  public init<S>(_ s: S) where S: Subject, Input == S.Output, Failure == S.Failure {
    self.init(SubjectSubscriber(s))
  }

  /// Makes a subscriber of closures.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the subscription; nothing is requested without it.
  ///   - receiveValue: Called for each value; its result is the demand in addition. Without it,
  ///     none.
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

  @inlinable
  public var _depth: _Hint<Int> { _Hint(erased.depth) }

  @inlinable
  public func receive(subscription: any Subscription) { erased.receive(subscription: subscription) }

  @inlinable
  @inline(__always)
  public func receive(_ value: Input) -> Subscribers.Demand { erased.receive(value) }

  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) {
    erased.receive(completion: completion)
  }

  /// The description of the subscriber inside; of closures, `Anonymous AnySubscriber`.
  public var description: String { erased.description }

  public var customMirror: Mirror { erased.customMirror }

  public var playgroundDescription: Any { description }
}

/// The subscriber that closures make.
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
