/// The connection of one subscriber to one publisher.
///
/// You can call `request(_:)` and `cancel()` from any thread, and from within any delivery. Follows
/// Combine's `Subscription`.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests more values from the publisher.
  ///
  /// - Parameter demand: How many more values the publisher can deliver, added to the outstanding
  ///   demand. Some publishers trap if it's `.none`.
  func request(_ demand: Subscribers.Demand)
}

/// A namespace for subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription without a publisher. Requesting and cancelling have no effect.
  public static var empty: any Subscription { EmptySubscription.shared }
}

/// The single instance behind ``Subscriptions/empty``.
final class EmptySubscription: Subscription, CustomStringConvertible, CustomReflectable, Sendable {
  static let shared = EmptySubscription()

  private init() {}

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}

  var description: String { "Empty" }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
