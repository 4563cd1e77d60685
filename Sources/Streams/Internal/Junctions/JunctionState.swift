/// The upstream of a junction: the publisher that sends the publishers.
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

  /// Keeps upstream's subscription, if it's the first one.
  ///
  /// - Returns: Whether it's kept. If not, the caller cancels it.
  @inlinable
  mutating func attach(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = self else { return false }
    self = .attached(AttachedSubscription(subscription))
    return true
  }

  /// Records upstream's completion.
  ///
  /// - Returns: Its subscription, for the caller to release; `nil` if the completion doesn't count,
  ///   because the subscription hasn't come yet or upstream had ended before.
  @inlinable
  mutating func complete() -> (any Subscription)? {
    guard let subscription else { return nil }
    self = .completed
    return subscription
  }

  /// Gives up upstream.
  ///
  /// - Returns: Its subscription, for the caller to cancel, if there is one.
  @inlinable
  mutating func end() -> (any Subscription)? {
    defer { self = .completed }
    return subscription
  }
}

/// A subscription in an object. Copying a reference, and comparing it with `nil`, costs much less
/// than doing so with an existential.
@usableFromInline
final class AttachedSubscription {
  @usableFromInline
  let subscription: any Subscription

  @inlinable
  init(_ subscription: any Subscription) { self.subscription = subscription }
}

/// Subscriptions that a junction cancels or releases at its end, after unlocking.
@usableFromInline
struct JunctionRemains {
  @usableFromInline
  var subscriptions: [any Subscription] = []

  /// The subscription of the publisher that has failed. It's released, not cancelled.
  @usableFromInline
  var failed: (any Subscription)?

  @inlinable
  init() {}

  @inlinable
  func cancel() {
    for subscription in subscriptions { subscription.cancel() }
  }
}
