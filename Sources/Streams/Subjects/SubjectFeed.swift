import Synchronization

/// The subscriber through which a publisher feeds a subject.
///
/// The feed holds the subject weakly, while the subject keeps the feed as its upstream
/// subscription. The subject requests values through it, and cancels it when the subject itself is
/// released. When upstream ends or the feed is cancelled, it releases upstream and makes
/// the subject forget it.
///
/// Loading a weak reference takes longer than everything else here. So values for a
/// `PassthroughSubject` go straight to its hub, which the feed keeps. If the subject has been
/// released, the hub has no subscribers.
@usableFromInline final class SubjectFeed<Target: Subject>: FeedSubscription, Subscriber {
  @usableFromInline weak let target: Target?

  /// The hub of a `PassthroughSubject`; `nil` for other subjects. Unmanaged, so that a value
  /// needn't retain it.
  @usableFromInline let hub: Unmanaged<SubjectHub>?

  @inlinable
  init(_ target: Target) {
    self.target = target
    let passthrough = target as? PassthroughSubject<Target.Output, Target.Failure>
    hub = passthrough.map { .passRetained($0.hub) }
  }

  deinit { hub?.release() }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return subscription.cancel() }
    guard let target else { return cancel() }
    target.send(subscription: self)
  }

  @inlinable
  func receive(_ input: Target.Output) -> Subscribers.Demand {
    if isAttached.load(ordering: .relaxed) {
      if let hub {
        hub._withUnsafeGuaranteedRef { $0.pass(input, failure: Target.Failure.self) }
      } else {
        target?.send(input)
      }
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Target.Failure>) {
    // A completion before the subscription is dropped, as in Combine. A relay counts it.
    guard isAttached.load(ordering: .relaxed), end() != nil else { return }
    target?.send(completion: completion)
  }
}

/// The part of a feed that isn't generic, so that it's fast as `any Subscription`.
///
/// Any thread may call it; nothing is called under the lock.
@usableFromInline class FeedSubscription: NamedSubscription {
  private enum State {
    case awaiting
    case attached(any Subscription)
    case ended
  }

  private struct Attachment {
    var state = State.awaiting
    /// The hub that keeps this as an upstream subscription, and the key it's kept under.
    var hub: SubjectHub?
    var key = 0
  }

  private let attachment = Locked(Attachment())

  /// Whether there is an upstream. Changes under the lock, and is read for each value.
  @usableFromInline final let isAttached = Atomic<Bool>(false)

  @usableFromInline init() {}

  /// Keeps the upstream subscription.
  ///
  /// - Returns: Whether it's the first one, and wanted.
  final func attach(_ subscription: any Subscription) -> Bool {
    attachment.withLock { attachment in
      guard case .awaiting = attachment.state else { return false }
      attachment.state = .attached(subscription)
      isAttached.store(true, ordering: .relaxed)
      return true
    }
  }

  /// Remembers which hub keeps this.
  ///
  /// - Returns: `false` if this has ended, so that the hub has to forget it.
  final func isKept(by hub: SubjectHub, as key: Int) -> Bool {
    attachment.withLock { attachment in
      guard case .attached = attachment.state else { return false }
      attachment.hub = hub
      attachment.key = key
      return true
    }
  }

  /// Gives up upstream, and makes the subject forget this.
  ///
  /// - Returns: The upstream subscription, for the caller to cancel or release; `nil` if there was
  ///   none.
  final func end() -> (any Subscription)? {
    let old = attachment.withLock { attachment in
      defer { attachment = Attachment(state: .ended) }
      isAttached.store(false, ordering: .relaxed)
      return attachment
    }
    old.hub?.forget(old.key)
    guard case .attached(let subscription) = old.state else { return nil }
    return subscription
  }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    let upstream = attachment.withLock { attachment -> (any Subscription)? in
      guard case .attached(let subscription) = attachment.state else { return nil }
      return subscription
    }
    upstream?.request(demand)
  }

  @usableFromInline final func cancel() { end()?.cancel() }

  @usableFromInline final var name: String { "Subject" }
}
