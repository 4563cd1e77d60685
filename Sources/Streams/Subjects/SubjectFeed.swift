/// The subscriber through which a publisher feeds a subject.
///
/// The feed holds the subject weakly, while the subject keeps the feed as its upstream
/// subscription. The subject requests values through it, and cancels it when the subject itself is
/// released.
@usableFromInline final class SubjectFeed<Target: Subject>: FeedRelay, Subscriber {
  @usableFromInline weak let target: Target?

  @inlinable
  init(_ target: Target) {
    self.target = target
    super.init("Subject", trapsOnNoDemand: false)
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    guard let target else { return cancel() }
    target.send(subscription: self)
  }

  @inlinable
  func receive(_ input: Target.Output) -> Subscribers.Demand {
    if isActive { target?.send(input) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Target.Failure>) {
    // A completion before the subscription is dropped, as in Combine.
    guard isActive, end().isFirst else { return }
    leaveKeeper()
    target?.send(completion: completion)
  }
}

/// A relay that a subject keeps as an upstream, and forgets when it ends.
@usableFromInline class FeedRelay: RelaySubscription {
  private let keeper = Locked<(hub: SubjectHub, key: Int)?>(nil)

  /// Remembers which hub keeps this, and under which key.
  final func isKept(by hub: SubjectHub, as key: Int) {
    keeper.withLock { $0 = (hub, key) }
    // It may have ended meanwhile.
    if isOver { leaveKeeper() }
  }

  /// Makes the subject forget this. Called after the end.
  final func leaveKeeper() {
    if let (hub, key) = keeper.withLock({ $0.take() }) { hub.forget(key) }
  }

  @usableFromInline
  override final func cancel() {
    let upstream = end().upstream
    leaveKeeper()
    upstream?.cancel()
  }
}
