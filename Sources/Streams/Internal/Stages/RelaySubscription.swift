import Synchronization

/// The subscription that a stage with one upstream hands downstream. It keeps the upstream
/// subscription, forwards requests to it, and knows whether the stage has ended.
///
/// - **Threads:** any thread may request and cancel. Upstream sends its signals one at a time.
/// - **Under the lock:** only the state. Nothing is called or released while the lock is held. A
///   method that takes the upstream subscription out returns it, and the caller cancels or releases
///   it.
/// - **After the end:** values and requests are dropped, and upstream has been released.
/// - **Detaching:** a stage may have work to do between giving up upstream and delivering the
///   completion. It calls ``detach()`` before that work and ``conclude()`` after it. If downstream
///   cancels in between, `conclude()` returns `false`.
/// - **Announcing:** a stage may hand this object downstream before it subscribes to its upstream.
///   It calls ``announce()`` first, and ``attachAnnounced(_:requesting:)`` for the subscription.
///   Requests that come in between are kept.
///
/// It isn't generic, so that it's fast through `any Subscription`.
@usableFromInline
class RelaySubscription: NamedSubscription {
  private enum State {
    case awaiting
    /// Downstream has this object already, and has requested so much.
    case announced(owed: Subscribers.Demand)
    case attached(any Subscription)
    /// Upstream hasn't sent its subscription yet, and the stage no longer wants it.
    case declined
    /// The stage has given up upstream, but downstream doesn't have the completion yet.
    case detached
    case ended
  }

  @usableFromInline
  final let active = Atomic<Bool>(false)

  private let state = Locked(State.awaiting)

  private let ownName: String
  private let showsUpstream: Bool
  private let trapsOnNoDemand: Bool

  /// Makes the subscription of a stage that is still waiting for its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - showsUpstream: Whether to use upstream's description while there is an upstream.
  ///   - trapsOnNoDemand: Whether a request for no values traps. If not, it's forwarded.
  @usableFromInline
  init(_ name: String, showsUpstream: Bool = false, trapsOnNoDemand: Bool = true) {
    ownName = name
    self.showsUpstream = showsUpstream
    self.trapsOnNoDemand = trapsOnNoDemand
  }

  /// The name of the operator, or upstream's description.
  @usableFromInline
  final var name: String {
    guard showsUpstream, let upstream else { return ownName }
    return "\(upstream)"
  }

  /// Whether values may pass: upstream has sent its subscription, and the stage is neither detached
  /// nor ended.
  @inlinable
  final var isActive: Bool { active.load(ordering: .relaxed) }

  /// Keeps the upstream subscription, or cancels it if the stage doesn't want it.
  ///
  /// - Returns: Whether it's the first one. If so, the caller hands this object downstream. If not,
  ///   there's nothing left to do.
  @usableFromInline
  final func attach(_ subscription: any Subscription) -> Bool {
    let (isFirst, isWanted) = state.withLock { state in
      switch state {
      case .awaiting:
        state = .attached(subscription)
        active.store(true, ordering: .relaxed)
        return (true, true)
      case .declined:
        state = .detached
        return (true, false)
      case .announced, .attached, .detached, .ended: return (false, false)
      }
    }
    if !isWanted { subscription.cancel() }
    return isFirst
  }

  /// Prepares for being handed downstream before upstream is subscribed to.
  @usableFromInline
  final func announce() { state.withLock { $0 = .announced(owed: .none) } }

  /// Keeps the upstream subscription of a stage that has been announced, and requests what
  /// downstream has requested so far. Cancels a subscription that the stage doesn't want.
  ///
  /// - Parameter extra: How many values to request for the stage itself, in the same request.
  @usableFromInline
  final func attachAnnounced(_ subscription: any Subscription, requesting extra: Int = 0) {
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard case .announced(let owed) = state else { return nil }
      state = .attached(subscription)
      active.store(true, ordering: .relaxed)
      return owed + extra
    }
    guard let demand else { return subscription.cancel() }
    if demand > 0 { subscription.request(demand) }
  }

  /// Gives up upstream, or declines it before it arrives. The stage still has to ``conclude()``.
  ///
  /// - Returns: The upstream subscription, for the caller to cancel or release; `nil` if there was
  ///   none.
  @usableFromInline
  final func detach() -> (any Subscription)? {
    state.withLock { state in
      active.store(false, ordering: .relaxed)
      switch state {
      case .attached(let subscription):
        state = .detached
        return subscription
      case .awaiting:
        state = .declined
        return nil
      case .announced:
        state = .detached
        return nil
      case .declined, .detached, .ended: return nil
      }
    }
  }

  /// Whether the stage has given up upstream and still has something to deliver.
  @usableFromInline
  final var isDetached: Bool {
    state.withLock { state in
      if case .detached = state { true } else { false }
    }
  }

  /// Ends a detached stage.
  ///
  /// - Returns: Whether to deliver the completion: `false` after a cancellation.
  @usableFromInline
  final func conclude() -> Bool {
    state.withLock { state in
      guard case .detached = state else { return false }
      state = .ended
      return true
    }
  }

  /// Ends the stage.
  ///
  /// - Returns: The upstream subscription, for the caller to cancel or release; `nil` if there was
  ///   none or the stage had ended before.
  @usableFromInline
  final func end() -> (any Subscription)? { end(unlessDetached: false).subscription }

  /// Ends the stage, and says what that has ended.
  ///
  /// - Parameter unlessDetached: Whether to leave a detached stage alone, because it's about to
  ///   deliver its completion.
  /// - Returns: Whether this ended a stream that downstream had, and the upstream subscription, for
  ///   the caller to cancel or release.
  final func end(unlessDetached: Bool) -> (isNews: Bool, subscription: (any Subscription)?) {
    state.withLock { state in
      if unlessDetached, case .detached = state { return (false, nil) }
      active.store(false, ordering: .relaxed)
      defer { state = .ended }
      switch state {
      case .attached(let subscription): return (true, subscription)
      case .announced, .detached: return (true, nil)
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
      "\(ownName): zero values were requested: request at least one")
  }

  /// Requests values from upstream, if there is one. An announced stage keeps the demand for later.
  @usableFromInline
  final func forward(_ demand: Subscribers.Demand) {
    let upstream = state.withLock { state -> (any Subscription)? in
      switch state {
      case .attached(let subscription): return subscription
      case .announced(let owed):
        state = .announced(owed: owed + demand)
        return nil
      case .awaiting, .declined, .detached, .ended: return nil
      }
    }
    upstream?.request(demand)
  }

  /// The upstream subscription; `nil` before it arrives, and once the stage is detached or has
  /// ended.
  final var upstream: (any Subscription)? {
    state.withLock { state in
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
  }

  @usableFromInline
  func cancel() { end()?.cancel() }
}
