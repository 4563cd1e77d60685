/// The upstream of a junction: the publisher that sends the publishers.
@usableFromInline enum JunctionUpstream {
  case awaiting
  case attached(SubscriptionObject)
  case completed

  @inlinable var subscription: SubscriptionObject? {
    if case .attached(let subscription) = self { subscription } else { nil }
  }

  @inlinable var isCompleted: Bool {
    if case .completed = self { true } else { false }
  }

  /// Keeps upstream's subscription, if it's the first one.
  ///
  /// - Returns: Whether it's kept. If not, the caller cancels it.
  @inlinable
  mutating func attach(_ subscription: SubscriptionObject) -> Bool {
    guard case .awaiting = self else { return false }
    self = .attached(subscription)
    return true
  }

  /// Records upstream's completion. It counts even before the subscription.
  ///
  /// - Returns: Whether it's the first end, and the subscription, for the caller to release.
  @inlinable
  mutating func complete() -> (isFirst: Bool, subscription: SubscriptionObject?) {
    (!isCompleted, end())
  }

  /// Gives up upstream.
  ///
  /// - Returns: Its subscription, for the caller to cancel, if there is one.
  @inlinable
  mutating func end() -> SubscriptionObject? {
    defer { self = .completed }
    return subscription
  }
}

/// Subscriptions that a junction cancels or releases at its end, after unlocking.
@usableFromInline struct JunctionRemains {
  @usableFromInline var subscriptions: [SubscriptionObject] = []

  /// The subscription of the publisher that has failed. It's released, not cancelled.
  @usableFromInline var failed: SubscriptionObject?

  /// What would have begun the publishers of values that came too early. It's released.
  @usableFromInline var early = FIFO<() -> Void>()

  @inlinable init() {}

  @inlinable
  func cancel() {
    for subscription in subscriptions { subscription.cancel() }
  }
}
