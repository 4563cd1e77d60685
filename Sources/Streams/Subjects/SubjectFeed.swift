// How other publishers feed a subject, through `send(subscription:)`.

extension SubjectHub {
  /// Keeps an upstream subscription until it ends or the subject is released. Only a
  /// ``FeedRelay`` tells the subject that it has ended.
  @usableFromInline
  func keep(_ subscription: any Subscription) {
    let upstream = subscription._object.value
    let (key, isDemanded) = notes.withLock { notes in
      (notes.upstreams.add(upstream), hasDemand.load(ordering: .relaxed))
    }
    (upstream as? FeedRelay)?.isKept(by: self, as: key)
    if isDemanded { upstream.request(.unlimited) }
  }

  /// Releases an upstream subscription that has ended.
  func forget(_ key: Int) { _ = notes.withLock { $0.upstreams.remove(key) } }

  /// Records that a subscriber has requested something. The first time, requests everything from
  /// the upstreams.
  @usableFromInline
  func noteDemand() {
    guard !hasDemand.load(ordering: .relaxed) else { return }
    let upstreams = notes.withLock { notes in
      hasDemand.exchange(true, ordering: .relaxed) ? [] : notes.upstreams.all
    }
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  /// Cancels the upstream subscriptions. The subject calls this in its `deinit`.
  @usableFromInline
  func cancelUpstreams() {
    for upstream in notes.withLock({ $0.upstreams.removeAll() }) { upstream.cancel() }
  }
}

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
