/// A relay of a stage that has work to do between giving up upstream and delivering the completion:
/// it cancels upstream, or delivers its last values.
///
/// The stage calls ``detach()`` before that work and ``conclude()`` after it. If downstream cancels
/// in between, `conclude()` returns `false`.
@usableFromInline class DetachingRelay: RelaySubscription {
  /// Whether downstream doesn't have the completion yet. Touched under the lock only.
  @exclusivity(unchecked) private final var owesEnd = false

  /// Gives up upstream. That counts once, even before there's an upstream.
  ///
  /// - Returns: Whether this is the first end, and the upstream subscription, for the caller to
  ///   cancel or release.
  // Not inlined, as for `end()`.
  @inline(never) @usableFromInline
  final func detach() -> (isFirst: Bool, upstream: SubscriptionObject?) {
    lock.withLock {
      let ended = endLocked()
      if ended.isFirst { owesEnd = true }
      return ended
    }
  }

  /// Whether the stage has given up upstream and still has something to deliver.
  @usableFromInline final var isDetached: Bool { lock.withLock { owesEnd } }

  /// Ends the work of a detached stage.
  ///
  /// - Returns: Whether to deliver the completion: `false` after a cancellation.
  @usableFromInline
  final func conclude() -> Bool {
    lock.withLock {
      defer { owesEnd = false }
      return owesEnd
    }
  }

  @usableFromInline
  override func cancel() {
    super.cancel()
    _ = conclude()
  }
}

extension RelayStage where Relay: DetachingRelay {
  /// Ends the stage before upstream has ended: cancels upstream, then delivers a completion. After
  /// a cancellation, nothing is delivered.
  @inlinable
  func endEarly(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let (isFirst, upstream) = relay.detach()
    guard isFirst else { return }
    upstream?.cancel()
    if relay.conclude() { withDownstream { $0.receive(completion: completion) } }
  }
}
