/// A publisher that you send values to.
///
/// Source of the rule: Combine's `Subject`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  func send(_ value: Output)

  /// Sends the completion to the subscribers. After that, nothing you send reaches them.
  func send(completion: Subscribers.Completion<Failure>)

  /// Lets another publisher feed the subject, through its subscription.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends `()` to the subscribers.
  @inlinable public func send() { send(()) }
}
