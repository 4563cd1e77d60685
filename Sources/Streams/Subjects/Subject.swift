/// A publisher that is fed by hand.
///
/// Source of the rule: Combine's `Subject`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  func send(_ value: Output)

  /// Sends the completion to the subscribers; nothing has an effect after it.
  func send(completion: Subscribers.Completion<Failure>)

  /// Lets the subject be fed by a publisher too.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a moment to the subscribers.
  @inlinable
  public func send() { send(()) }
}
