/// The relay of a stage that waits for the first value of a second publisher, the trigger. It also
/// keeps the subscription to that publisher.
@usableFromInline class TriggeredRelay: LateRelay {
  private enum Trigger {
    case awaiting
    case attached(any Subscription)
    case gone
  }

  private let trigger = Locked(Trigger.awaiting)

  /// Keeps the subscription to the other publisher.
  ///
  /// - Returns: Whether it was kept. A subscription that isn't the first, or isn't wanted any more,
  ///   is cancelled here.
  @usableFromInline
  final func keepTrigger(_ subscription: any Subscription) -> Bool {
    let isKept = trigger.withLock { trigger in
      guard case .awaiting = trigger else { return false }
      trigger = .attached(subscription)
      return true
    }
    if !isKept { subscription.cancel() }
    return isKept
  }

  /// Whether the subscription to the other publisher is kept.
  @usableFromInline final var awaitsTrigger: Bool {
    trigger.withLock { trigger in
      if case .attached = trigger { true } else { false }
    }
  }

  /// Gives up the subscription to the other publisher.
  ///
  /// - Returns: The subscription, for the caller to cancel or release.
  @usableFromInline
  final func dropTrigger() -> (any Subscription)? {
    trigger.withLock { old in
      defer { old = .gone }
      guard case .attached(let subscription) = old else { return nil }
      return subscription
    }
  }

  @usableFromInline
  override func cancel() {
    super.cancel()
    dropTrigger()?.cancel()
  }
}
