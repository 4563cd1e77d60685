/// The publisher that the publishers of a junction come from.
@usableFromInline
enum JunctionUpstream {
  case awaiting
  case attached(AttachedSubscription)
  case completed

  @inlinable
  static func attached(_ subscription: any Subscription) -> JunctionUpstream {
    .attached(AttachedSubscription(subscription))
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
