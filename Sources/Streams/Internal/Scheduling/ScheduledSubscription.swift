import Synchronization

/// The part of a ``GatedDelivery`` that downstream sees: whether there is an upstream, and whether
/// signals still pass.
///
/// Not generic, so that it is fast through `any Subscription`. Requests and cancellation may come
/// from any thread; nothing is called under the lock.
@usableFromInline
class ScheduledSubscription: NamedSubscription {
  private enum State {
    case awaiting
    case attached(any Subscription)
    case completing
    case ended
  }

  @usableFromInline
  final let name: String

  @usableFromInline
  final let gate = Gate()

  /// Whether signals from upstream are taken: there is a subscription, and no end.
  @usableFromInline
  final let acceptsSignals = Atomic<Bool>(false)

  /// Whether what is scheduled will be delivered.
  @usableFromInline
  final let isOpen = Atomic<Bool>(true)

  private let state = Locked(State.awaiting)

  private let cancelsCompletion: Bool

  /// Makes the face of an operator that awaits its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - cancelsCompletion: Whether a cancellation keeps a completion from being delivered that is
  ///     on its way. If not, a cancellation has no effect then: what was scheduled is delivered, and
  ///     the completion after it.
  @usableFromInline
  init(_ name: String, cancelsCompletion: Bool = false) {
    self.name = name
    self.cancelsCompletion = cancelsCompletion
  }

  /// Keeps the upstream subscription.
  ///
  /// - Returns: Whether it is the first; another is cancelled here, and nothing else is to be done.
  @usableFromInline
  final func attach(_ subscription: any Subscription) -> Bool {
    let isFirst = state.withLock { state in
      guard case .awaiting = state else { return false }
      state = .attached(subscription)
      acceptsSignals.store(true, ordering: .relaxed)
      return true
    }
    if !isFirst { subscription.cancel() }
    return isFirst
  }

  /// Lets go of upstream, since a completion is to be delivered.
  ///
  /// - Returns: The upstream subscription; `nil` if this is not the first end, and nothing is to be
  ///   delivered.
  @usableFromInline
  final func beginCompletion() -> (any Subscription)? {
    state.withLock { state in
      guard case .attached(let subscription) = state else { return nil }
      state = .completing
      acceptsSignals.store(false, ordering: .relaxed)
      return subscription
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { forward(demand) }

  /// Requests from upstream, if there is one.
  @usableFromInline
  final func forward(_ demand: Subscribers.Demand) {
    let upstream = state.withLock { state -> (any Subscription)? in
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
    upstream?.request(demand)
  }

  @usableFromInline
  final func cancel() {
    let (isFirst, upstream) = end()
    guard isFirst else { return }
    upstream?.cancel()
    release()
  }

  private func end() -> (isFirst: Bool, upstream: (any Subscription)?) {
    state.withLock { state in
      let upstream: (any Subscription)?
      switch state {
      case .attached(let subscription): upstream = subscription
      case .completing where cancelsCompletion: upstream = nil
      case .awaiting, .completing, .ended: return (false, nil)
      }
      state = .ended
      acceptsSignals.store(false, ordering: .relaxed)
      isOpen.store(false, ordering: .relaxed)
      return (true, upstream)
    }
  }

  /// Lets go, after a cancellation, of what only deliveries need.
  @usableFromInline
  func release() {}
}
