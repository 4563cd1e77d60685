/// The connection of one subscriber to one publisher.
///
/// `request(_:)` and `cancel()` may be called from any thread and from within any delivery.
/// Source of the rule: Combine's `Subscription`.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Allows the publisher to deliver that many values more.
  ///
  /// - Parameter demand: Added to what is outstanding; not to be `.none`, where the publisher says
  ///   so.
  func request(_ demand: Subscribers.Demand)
}

/// A namespace for subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription without a publisher: requesting and cancelling have no effect.
  public static var empty: any Subscription { EmptySubscription.shared }
}

/// The one value behind ``Subscriptions/empty``.
final class EmptySubscription: Subscription, CustomStringConvertible, CustomReflectable, Sendable {
  static let shared = EmptySubscription()

  private init() {}

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}

  var description: String { "Empty" }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
