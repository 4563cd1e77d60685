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

  /// - Returns: Whether it has taken its place; it is to be cancelled otherwise.
  @inlinable
  mutating func attach(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = self else { return false }
    self = .attached(AttachedSubscription(subscription))
    return true
  }

  /// - Returns: What is to be let go of; `nil` if it had completed before.
  @inlinable
  mutating func complete() -> JunctionUpstream? {
    if isCompleted { return nil }
    defer { self = .completed }
    return self
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

/// What a junction is to cancel and to let go of at its end, outside its lock.
@usableFromInline
struct JunctionRemains {
  @usableFromInline
  var subscriptions: [any Subscription] = []

  /// Whose failure is the end; it is not cancelled.
  @usableFromInline
  var failed: (any Subscription)?

  @inlinable
  init() {}

  @inlinable
  func cancel() {
    for subscription in subscriptions { subscription.cancel() }
  }
}
