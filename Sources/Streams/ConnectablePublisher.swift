/// A publisher that subscribes to its upstream when told to, not when a subscriber comes.
///
/// Source of the rule: Combine's `ConnectablePublisher`.
public protocol ConnectablePublisher: Publisher {
  /// Begins to produce values for those who have subscribed.
  ///
  /// - Returns: Ends what was begun; dropping it does nothing unless it is an ``AnyCancellable``.
  func connect() -> any Cancellable
}
