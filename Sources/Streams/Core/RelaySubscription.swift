import Synchronization

/// The subscription that a stage with one upstream hands downstream. It keeps the upstream
/// subscription, forwards requests to it, and knows whether the stage has ended.
///
/// - **Threads:** any thread may request and cancel. Upstream sends its signals one at a time. A
///   cancellation doesn't wait: a value that another thread is delivering may still arrive.
/// - **Under the lock:** only the state. Nothing is called or released while the lock is held. A
///   method that takes the upstream subscription out returns it, and the caller cancels or releases
///   it.
/// - **After the end:** values and requests are dropped, and upstream has been released.
/// - **Detaching:** a stage may have work to do between giving up upstream and delivering the
///   completion. It calls ``detach()`` before that work and ``conclude()`` after it. If downstream
///   cancels in between, `conclude()` returns `false`.
/// - **Announcing:** a stage may hand this object downstream before it subscribes to its upstream.
///   It calls ``expectLateUpstream()`` first, and ``attachLate(_:requesting:)`` for the
///   subscription. Requests that come in between are kept.
///
/// What follows each phase:
///
/// | Phase | subscription | giving up upstream | `end()`, cancel |
/// |---|---|---|---|
/// | awaiting | attached | declined, or detached at the stream's end | ended |
/// | announced | attached (``attachLate(_:requesting:)`` only) | detached | ended |
/// | declined | detached; the subscription is cancelled | – | ended |
/// | attached | – ; a second one is cancelled | detached | ended |
/// | detached | – | – | ended, also by ``conclude()`` |
///
/// It isn't generic, so that it's fast through `any Subscription`.
@usableFromInline class RelaySubscription: NamedSubscription {
  /// The order matters: from `declined` on, values are dropped.
  @usableFromInline enum Phase: UInt8, AtomicRepresentable {
    case awaiting
    /// Downstream has this object already.
    case announced
    case attached
    /// Upstream hasn't sent its subscription yet, and the stage no longer wants it.
    case declined
    /// The stage has given up upstream, but downstream doesn't have the completion yet.
    case detached
    case ended
  }

  private let lock = Lock()

  /// Changes under the lock. Each value that passes reads it without locking.
  @usableFromInline final let atomicPhase = Atomic(Phase.awaiting)

  private final var phase: Phase {
    get { atomicPhase.load(ordering: .relaxed) }
    set { atomicPhase.store(newValue, ordering: .relaxed) }
  }

  // These two are touched under the lock only.

  /// The upstream subscription, while the stage is attached.
  @exclusivity(unchecked) private final var kept: SubscriptionObject?

  /// The demand of downstream since the stage was announced, until it's attached.
  @exclusivity(unchecked) private final var owed = Subscribers.Demand.none

  /// The bytes of a static string, which a zero ends. That's one word, where a `String` has two.
  private let ownName: UnsafePointer<UInt8>

  /// The name of the operator.
  final var operatorName: String { String(cString: ownName) }

  private let showsUpstream: Bool
  private let trapsOnNoDemand: Bool

  /// Makes the subscription of a stage that is still waiting for its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - showsUpstream: Whether to use upstream's description while there is an upstream.
  ///   - trapsOnNoDemand: Whether a request for no values traps. If not, it's forwarded.
  @usableFromInline
  init(_ name: StaticString, showsUpstream: Bool = false, trapsOnNoDemand: Bool = true) {
    ownName = name.utf8Start
    self.showsUpstream = showsUpstream
    self.trapsOnNoDemand = trapsOnNoDemand
  }

  /// The name of the operator, or upstream's description.
  @usableFromInline final var name: String {
    guard showsUpstream, let upstream else { return operatorName }
    return "\(upstream)"
  }

  /// Whether upstream has sent its subscription, and the stage is neither detached nor ended.
  @inlinable final var isActive: Bool { atomicPhase.load(ordering: .relaxed) == .attached }

  /// Whether the stage has given up upstream: it's declined or detached, or has ended.
  ///
  /// A stage that asks for this instead of ``isActive`` also passes on values that come before
  /// upstream's subscription.
  @inlinable final var isOver: Bool {
    atomicPhase.load(ordering: .relaxed).rawValue >= Phase.declined.rawValue
  }

  /// Keeps the upstream subscription, or cancels it if the stage doesn't want it.
  ///
  /// - Returns: Whether it's the first one. If so, the caller hands this object downstream. If not,
  ///   there's nothing left to do.
  @inlinable
  final func attach(_ subscription: any Subscription) -> Bool {
    attach(object: subscription._object.value)
  }

  @usableFromInline
  final func attach(object subscription: SubscriptionObject) -> Bool {
    let (isFirst, isWanted) = lock.withLock {
      switch phase {
      case .awaiting:
        attachLocked(subscription)
        return (true, true)
      case .declined:
        phase = .detached
        return (true, false)
      case .announced, .attached, .detached, .ended: return (false, false)
      }
    }
    if !isWanted { subscription.cancel() }
    return isFirst
  }

  private final func attachLocked(_ subscription: SubscriptionObject) {
    phase = .attached
    kept = subscription
  }

  /// Prepares for being handed downstream before upstream is subscribed to.
  @usableFromInline final func expectLateUpstream() { lock.withLock { phase = .announced } }

  /// Keeps the upstream subscription of a stage that has been announced, and requests what
  /// downstream has requested so far. Cancels a subscription that the stage doesn't want.
  ///
  /// - Parameter extra: How many values to request for the stage itself, in the same request.
  @inlinable
  final func attachLate(_ subscription: any Subscription, requesting extra: Int = 0) {
    attachLate(object: subscription._object.value, requesting: extra)
  }

  @usableFromInline
  final func attachLate(object subscription: SubscriptionObject, requesting extra: Int) {
    let demand = lock.withLock { () -> Subscribers.Demand? in
      guard phase == .announced else { return nil }
      attachLocked(subscription)
      return owed + extra
    }
    guard let demand else { return subscription.cancel() }
    if demand > 0 { subscription.request(demand) }
  }

  /// Gives up upstream, or declines it before it arrives. The stage still has to ``conclude()``.
  ///
  /// - Returns: The upstream subscription, for the caller to cancel or release; `nil` if there was
  ///   none.
  // Not inlined, as for `end(unlessDetached:)`: the subscription is released after unlocking.
  @inline(never)
  @usableFromInline
  final func detach() -> SubscriptionObject? {
    lock.withLock {
      switch phase {
      case .attached, .announced: phase = .detached
      case .awaiting: phase = .declined
      case .declined, .detached, .ended: break
      }
      return kept.take()
    }
  }

  /// Ends the stage, because upstream has ended. That counts even before a subscription.
  ///
  /// - Returns: Whether to deliver the completion: `false` after a cancellation or another end.
  @usableFromInline final func endWithUpstream() -> Bool { giveUpUpstream(for: .ended).isFirst }

  /// Gives up upstream, because the stream ends. The stage still has to ``conclude()``.
  ///
  /// Unlike ``detach()``, it doesn't wait for a subscription that hasn't come yet: downstream gets
  /// the completion without one.
  ///
  /// - Returns: Whether this is the first end, and the upstream subscription, for the caller to
  ///   cancel or release.
  @usableFromInline
  final func beginEnd() -> (isFirst: Bool, subscription: SubscriptionObject?) {
    giveUpUpstream(for: .detached)
  }

  // Not inlined, as for `end(unlessDetached:)`: the subscription is released after unlocking.
  @inline(never)
  private final func giveUpUpstream(
    for next: Phase
  ) -> (isFirst: Bool, subscription: SubscriptionObject?) {
    lock.withLock {
      switch phase {
      case .awaiting, .announced, .attached:
        phase = next
        return (true, kept.take())
      case .declined, .detached, .ended: return (false, nil)
      }
    }
  }

  /// Whether the stage has given up upstream and still has something to deliver.
  @usableFromInline final var isDetached: Bool { lock.withLock { phase == .detached } }

  /// Ends a detached stage.
  ///
  /// - Returns: Whether to deliver the completion: `false` after a cancellation.
  @usableFromInline
  final func conclude() -> Bool {
    lock.withLock {
      guard phase == .detached else { return false }
      phase = .ended
      return true
    }
  }

  /// Ends the stage.
  ///
  /// - Returns: The upstream subscription, for the caller to cancel or release; `nil` if there was
  ///   none or the stage had ended before.
  @usableFromInline
  final func end() -> SubscriptionObject? { end(unlessDetached: false).subscription }

  /// Ends the stage, and says what that has ended.
  ///
  /// - Parameter unlessDetached: Whether to leave a detached stage alone, because it's about to
  ///   deliver its completion.
  /// - Returns: Whether this ended a stream that downstream had, and the upstream subscription, for
  ///   the caller to cancel or release.
  // Not inlined, so that a caller that ignores the subscription releases it after the lock is free.
  @inline(never)
  final func end(unlessDetached: Bool) -> (isNews: Bool, subscription: SubscriptionObject?) {
    lock.withLock {
      if unlessDetached, phase == .detached { return (false, nil) }
      let old = phase
      phase = .ended
      switch old {
      case .attached, .announced, .detached: return (true, kept.take())
      case .awaiting, .declined, .ended: return (false, nil)
      }
    }
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
      "\(operatorName): zero values were requested: request at least one")
  }

  /// Requests values from upstream, if there is one. An announced stage keeps the demand for later.
  @usableFromInline
  final func forward(_ demand: Subscribers.Demand) {
    let upstream = lock.withLock {
      if phase == .announced { owed += demand }
      return kept
    }
    upstream?.request(demand)
  }

  /// The upstream subscription; `nil` before it arrives, and once the stage is detached or has
  /// ended.
  final var upstream: SubscriptionObject? { lock.withLock { kept } }

  @usableFromInline func cancel() { end()?.cancel() }
}
