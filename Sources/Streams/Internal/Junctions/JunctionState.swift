/// The publisher that the publishers of a junction come from.
@usableFromInline
enum JunctionUpstream {
  case awaiting
  case attached(AttachedSubscription)
  case completed

  @inlinable
  var subscription: (any Subscription)? {
    if case .attached(let attached) = self { attached.subscription } else { nil }
  }

  @inlinable
  var isCompleted: Bool {
    if case .completed = self { true } else { false }
  }

  /// - Returns: Whether it has taken its place; the caller cancels it otherwise.
  @inlinable
  mutating func attach(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = self else { return false }
    self = .attached(AttachedSubscription(subscription))
    return true
  }

  /// Takes note of upstream's end.
  ///
  /// - Returns: Its subscription, for the caller to release; `nil` if the end doesn't count, because
  ///   the subscription hasn't come yet, or it had ended before.
  @inlinable
  mutating func complete() -> (any Subscription)? {
    guard let subscription else { return nil }
    self = .completed
    return subscription
  }

  /// Wants nothing more of upstream.
  ///
  /// - Returns: Its subscription, for the caller to cancel, if there is one.
  @inlinable
  mutating func end() -> (any Subscription)? {
    defer { self = .completed }
    return subscription
  }
}

/// A subscription as an object: a reference is copied, and told from none, for much less than an
/// existential.
@usableFromInline
final class AttachedSubscription {
  @usableFromInline
  let subscription: any Subscription

  @inlinable
  init(_ subscription: any Subscription) { self.subscription = subscription }
}

/// Subscriptions that a junction cancels or releases at its end, outside its lock.
@usableFromInline
struct JunctionRemains {
  @usableFromInline
  var subscriptions: [any Subscription] = []

  /// The subscription of the publisher that has failed. It is released, and not cancelled.
  @usableFromInline
  var failed: (any Subscription)?

  @inlinable
  init() {}

  @inlinable
  func cancel() {
    for subscription in subscriptions { subscription.cancel() }
  }
}
