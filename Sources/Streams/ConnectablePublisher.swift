/// A publisher that subscribes to its upstream when you connect it, not when a subscriber attaches.
///
/// Follows Combine's `ConnectablePublisher`.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts publishing values to the attached subscribers.
  ///
  /// - Returns: A cancellable that ends the connection. Releasing it does nothing unless it's an
  ///   ``AnyCancellable``.
  func connect() -> any Cancellable
}
