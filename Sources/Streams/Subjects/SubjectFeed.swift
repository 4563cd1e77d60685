// How other publishers feed a subject, through `send(subscription:)`.

extension SubjectHub {
  /// Keeps an upstream subscription until it ends or the subject is released. Only a
  /// ``FeedRelay`` tells the subject that it has ended.
  @usableFromInline
  func keep(_ subscription: any Subscription) {
    let upstream = subscription._object.value
    let isDemanded = notes.withLock { notes in
      notes.upstreams.append(upstream)
      return hasDemand.load(ordering: .relaxed)
    }
    (upstream as? FeedRelay)?.isKept(by: self)
    if isDemanded { upstream.request(.unlimited) }
  }

  /// Releases an upstream subscription that has ended.
  func forget(_ feed: FeedRelay) {
    _ = notes.withLock { notes in
      notes.upstreams.firstIndex { $0 === feed }.map { notes.upstreams.remove(at: $0) }
    }
  }

  /// Records that a subscriber has requested something. The first time, requests everything from
  /// the upstreams.
  @usableFromInline
  func noteDemand() {
    guard !hasDemand.load(ordering: .relaxed) else { return }
    let upstreams = notes.withLock { notes in
      hasDemand.exchange(true, ordering: .relaxed) ? [] : notes.upstreams
    }
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  /// Cancels the upstream subscriptions. The subject calls this in its `deinit`.
  @usableFromInline
  func cancelUpstreams() {
    let upstreams = notes.withLock { notes in
      defer { notes.upstreams = [] }
      return notes.upstreams
    }
    for upstream in upstreams { upstream.cancel() }
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
  private let keeper = Locked<SubjectHub?>(nil)

  final func isKept(by hub: SubjectHub) {
    keeper.withLock { $0 = hub }
    // It may have ended meanwhile.
    if isOver { leaveKeeper() }
  }

  /// Makes the subject forget this. Called after the end.
  final func leaveKeeper() { keeper.withLock { $0.take() }?.forget(self) }

  @usableFromInline
  override final func cancel() {
    let upstream = end().upstream
    leaveKeeper()
    upstream?.cancel()
  }
}
