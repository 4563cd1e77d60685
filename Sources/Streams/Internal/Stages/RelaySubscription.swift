import Synchronization

/// The subscription that downstream sees of a stage with one upstream. It keeps the upstream
/// subscription, passes requests on to it, and knows whether the stage has ended.
///
/// - **Threads:** any thread may request and cancel. Upstream sends its signals one at a time.
/// - **Under the lock:** only the state. Nothing is called or released while it's held: a method that
///   takes the upstream subscription out returns it, and the caller cancels or drops it.
/// - **After the end** values and requests are dropped, and upstream has been let go.
/// - **Detaching:** a stage that has something to do between letting upstream go and telling
///   downstream of the end calls ``detach()`` first and ``conclude()`` then. A cancellation in between
///   counts: `conclude()` says no.
///
/// It isn't generic, so that it's fast through `any Subscription`.
@usableFromInline
class RelaySubscription: NamedSubscription {
  private enum State {
    case awaiting
    case attached(any Subscription)
    /// Upstream has not come yet, and is not wanted any more.
    case declined
    /// Upstream is gone, and downstream has not heard of the end.
    case detached
    case ended
  }

  @usableFromInline
  final let active = Atomic<Bool>(false)

  private let state = Locked(State.awaiting)

  private let ownName: String
  private let showsUpstream: Bool
  private let trapsOnNoDemand: Bool

  /// Makes the face of a stage that awaits its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - showsUpstream: Whether it describes itself as its upstream does, as long as it has one.
  ///   - trapsOnNoDemand: Whether a request for no value is refused; it is passed on otherwise.
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

  /// Whether values may pass: there is a subscription, and no end.
  @inlinable
  final var isActive: Bool { active.load(ordering: .relaxed) }

  /// Keeps the upstream subscription, or cancels one that is not wanted.
  ///
  /// - Returns: Whether it is the first, so that downstream is to be shown this object; nothing
  ///   else is to be done with another.
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
      case .attached, .detached, .ended: return (false, false)
      }
    }
    if !isWanted { subscription.cancel() }
    return isFirst
  }

  /// Lets go of upstream, or declines it before it comes; the stage still has to ``conclude()``.
  ///
  /// - Returns: The upstream subscription, to be cancelled or dropped; `nil` if there was none.
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
      case .declined, .detached, .ended: return nil
      }
    }
  }

  /// Whether upstream is gone and downstream is still to be told something.
  @usableFromInline
  final var isDetached: Bool {
    state.withLock { state in
      if case .detached = state { true } else { false }
    }
  }

  /// Ends a stage that is detached.
  ///
  /// - Returns: Whether downstream is to be told of the end; it is not after a cancellation.
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
  /// - Returns: The upstream subscription, to be cancelled or dropped; `nil` if there was none or
  ///   the stage had ended before.
  @usableFromInline
  final func end() -> (any Subscription)? { end(unlessDetached: false).subscription }

  /// Ends the stage, for a cancellation.
  ///
  /// - Parameter unlessDetached: Whether a stage that is about to tell downstream of its end ignores
  ///   the cancellation.
  /// - Returns: Whether downstream had a stream that ends here, and the upstream subscription, to be
  ///   cancelled or dropped.
  final func end(unlessDetached: Bool) -> (isNews: Bool, subscription: (any Subscription)?) {
    state.withLock { state in
      if unlessDetached, case .detached = state { return (false, nil) }
      active.store(false, ordering: .relaxed)
      defer { state = .ended }
      switch state {
      case .attached(let subscription): return (true, subscription)
      case .detached: return (true, nil)
      case .awaiting, .declined, .ended: return (false, nil)
      }
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    check(demand)
    forward(demand)
  }

  /// Traps if the demand is not one to make.
  final func check(_ demand: Subscribers.Demand) {
    precondition(
      demand > 0 || !trapsOnNoDemand,
      "\(ownName): zero values were requested: request at least one")
  }

  /// Requests from upstream, if the stage has one.
  @usableFromInline
  final func forward(_ demand: Subscribers.Demand) { upstream?.request(demand) }

  /// The upstream subscription; `nil` before there is one, and after the end.
  final var upstream: (any Subscription)? {
    state.withLock { state in
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
  }

  @usableFromInline
  func cancel() { end()?.cancel() }
}
