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

  /// This subscription as an object, which is cheaper to keep: that saves memory, and 5 to 15 % of
  /// the time to set up a chain. For this library only, like everything that returns a ``_Hint``:
  /// keep the default.
  var _object: _Hint<any Subscription & AnyObject> { get }
}

extension Subscription {
  /// A new object around this subscription.
  @inlinable
  public var _object: _Hint<any Subscription & AnyObject> { _Hint(SubscriptionBox(self)) }
}

extension Subscription where Self: AnyObject {
  /// This object.
  @inlinable public var _object: _Hint<any Subscription & AnyObject> { _Hint(self) }
}

/// A subscriber or subscription that shows nothing of itself except the name of its operator.
@usableFromInline
protocol Named: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  var name: String { get }
}

extension Named {
  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { description }
}

/// A subscription that's kept: two words, where `any Subscription` has five and slower copies.
@usableFromInline typealias SubscriptionObject = any Subscription & AnyObject

/// An object around a subscription that isn't one.
@usableFromInline
final class SubscriptionBox<Content: Subscription>: Subscription, CustomStringConvertible {
  private let content: Content

  @usableFromInline init(_ content: Content) { self.content = content }

  @usableFromInline var combineIdentifier: CombineIdentifier { content.combineIdentifier }

  @usableFromInline func request(_ demand: Subscribers.Demand) { content.request(demand) }

  @usableFromInline func cancel() { content.cancel() }

  @usableFromInline var description: String { "\(content)" }
}

/// A namespace for subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription without a publisher. Requesting and cancelling have no effect.
  public static var empty: any Subscription { EmptySubscription.shared }
}

private final class EmptySubscription: Subscription, Named, Sendable {
  static let shared = EmptySubscription()

  var name: String { "Empty" }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

extension Subscriber {
  /// Ends a stream without values, which needs no demand.
  ///
  /// Never inlined: it's rare, and without it the optimiser removes more retains from the rest of
  /// the caller.
  @inlinable @inline(never)
  func receiveEmptyStream(_ completion: Subscribers.Completion<Failure>) {
    receive(subscription: Subscriptions.empty)
    receive(completion: completion)
  }
}
