import Synchronization

/// The part of a ``GatedDelivery`` that doesn't depend on downstream: whether there is an upstream,
/// and whether signals still pass.
///
/// It is not generic, so that it is fast through `any Subscription`.
///
/// Contract:
/// - **Threads:** any thread may request and cancel. Upstream sends its signals one at a time.
///   Nothing is called and nothing is released under the lock.
/// - **Upstream** is called outside the gate, and kept until the end is accepted or downstream
///   cancels.
/// - **After a cancellation** no signal is accepted, and what was accepted before isn't delivered.
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

  /// Whether signals from upstream are accepted: there is a subscription, and no end.
  @usableFromInline
  final let acceptsSignals = Atomic<Bool>(false)

  /// How many values were accepted. Only upstream's thread changes it, so it is no more than a load
  /// and a store; it is atomic for an upstream that breaks the contract.
  @usableFromInline
  final let accepted = Atomic<Int>(0)

  /// Whether accepted signals will be delivered.
  @usableFromInline
  final let isOpen = Atomic<Bool>(true)

  private let state = Locked(State.awaiting)

  private let cancelsCompletion: Bool

  /// Makes the face of an operator that awaits its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - cancelsCompletion: Whether a cancellation still counts when the end was accepted and isn't
  ///     delivered yet. If not, the values that were accepted are delivered, and the end behind them.
  @usableFromInline
  init(_ name: String, cancelsCompletion: Bool = false) {
    self.name = name
    self.cancelsCompletion = cancelsCompletion
  }

  /// Keeps the upstream subscription, or cancels one too many.
  ///
  /// - Returns: Whether it is the first. If not, there is nothing else to do.
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

  /// Counts a value that is to be delivered on the scheduler.
  ///
  /// - Returns: Whether to schedule it.
  @inlinable
  final func accept() -> Bool {
    guard acceptsSignals.load(ordering: .relaxed) else { return false }
    accepted.store(acceptedCount &+ 1, ordering: .relaxed)
    return true
  }

  @inlinable
  final var acceptedCount: Int { accepted.load(ordering: .relaxed) }

  /// Accepts the end, and lets go of upstream.
  ///
  /// - Returns: The upstream subscription; `nil` if the stream had ended before, or never began.
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

  /// Lets go of what only deliveries need. Called once, by the thread that cancels.
  @usableFromInline
  func release() {}
}
