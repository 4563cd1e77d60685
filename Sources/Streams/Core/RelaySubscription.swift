import Synchronization

/// What a stage with one upstream hands downstream as its subscription, and what `sink` cancels: it
/// passes requests on to upstream, and knows whether the stream is over.
///
/// It keeps upstream's subscription once that has come, and releases it at the end. The end comes
/// once, when upstream completes or downstream cancels, or even before there's an upstream. After
/// it, requests are dropped, the stage drops values, and a subscription that comes late is
/// cancelled.
///
/// Any thread may request and cancel, because the lock guards the state. Upstream is called and
/// released after unlocking. A cancellation doesn't wait for a value that another thread delivers.
///
/// If a stage has work to do between its end and the completion, it uses a ``DetachingRelay``.
// It isn't generic, so that it's fast through `any Subscription`.
@usableFromInline class RelaySubscription: Subscription, Named {
  @usableFromInline enum Phase: UInt8, AtomicRepresentable { case awaiting, attached, ended }

  final let lock = Lock()

  /// Changes under the lock. Each value that passes reads it without locking.
  @usableFromInline final let phase = Atomic(Phase.awaiting)

  /// The upstream subscription, while the stage is attached. Touched under the lock only.
  @exclusivity(unchecked) private final var kept: SubscriptionObject?

  /// The name of the operator.
  @usableFromInline final let name: String

  private let showsUpstream: Bool
  private let trapsOnNoDemand: Bool

  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - showsUpstream: Whether to use upstream's description while there is an upstream.
  ///   - trapsOnNoDemand: Whether a request for no values traps. If not, it's forwarded.
  @usableFromInline
  init(_ name: String, showsUpstream: Bool = false, trapsOnNoDemand: Bool = true) {
    (self.name, self.showsUpstream, self.trapsOnNoDemand) = (name, showsUpstream, trapsOnNoDemand)
  }

  @usableFromInline final var description: String {
    showsUpstream ? upstream.map { "\($0)" } ?? name : name
  }

  /// Whether upstream has sent its subscription, and the stage hasn't ended.
  @inlinable final var isActive: Bool { phase.load(ordering: .relaxed) == .attached }

  /// Whether the stage has ended. A stage that asks for this instead of ``isActive`` also passes on
  /// values that come before upstream's subscription.
  @inlinable final var isOver: Bool { phase.load(ordering: .relaxed) == .ended }

  /// The upstream subscription; `nil` before it arrives, and once the stage has ended.
  final var upstream: SubscriptionObject? { lock.withLock { kept } }

  /// Keeps the upstream subscription. Cancels it if it isn't the first one, or comes too late.
  ///
  /// - Returns: Whether it was kept. If so, the caller hands this object downstream.
  @inlinable
  final func attach(_ subscription: any Subscription) -> Bool { keep(subscription._object.value) }

  @usableFromInline
  final func keep(_ subscription: SubscriptionObject) -> Bool {
    let isKept = lock.withLock {
      guard phase.load(ordering: .relaxed) == .awaiting else { return false }
      phase.store(.attached, ordering: .relaxed)
      kept = subscription
      return true
    }
    if !isKept { subscription.cancel() }
    return isKept
  }

  /// Ends the stage.
  ///
  /// - Returns: Whether this is the first end, and the upstream subscription, for the caller to
  ///   cancel or release.
  // Not inlined, so that a caller that ignores the subscription releases it after the lock is free.
  @inline(never) @usableFromInline
  final func end() -> (isFirst: Bool, upstream: SubscriptionObject?) {
    lock.withLock { endLocked() }
  }

  final func endLocked() -> (isFirst: Bool, upstream: SubscriptionObject?) {
    (phase.exchange(.ended, ordering: .relaxed) != .ended, kept.take())
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    check(demand)
    forward(demand)
  }

  /// Traps on a request for no values, unless this operator forwards those.
  final func check(_ demand: Subscribers.Demand) {
    precondition(
      demand > 0 || !trapsOnNoDemand,
      "\(name): zero values were requested: request at least one")
  }

  /// Requests values from upstream, if there is one.
  @usableFromInline
  final func forward(_ demand: Subscribers.Demand) { upstream?.request(demand) }

  @usableFromInline func cancel() { end().upstream?.cancel() }
}
