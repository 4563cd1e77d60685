import Synchronization

/// The face of a stage that stands between its upstream and its downstream: it keeps the upstream
/// subscription, passes requests on to it, and knows whether the stage has ended.
///
/// Not generic, so that it is fast through `any Subscription`. Requests and cancellation may come
/// from any thread; nothing is called under the lock. After the end, values and requests are
/// dropped and the upstream is let go.
@usableFromInline
class RelaySubscription: NamedSubscription {
  private enum State {
    case awaiting
    case attached(any Subscription)
    case ended
  }

  @usableFromInline
  final let active = Atomic<Bool>(false)

  private let state = Locked(State.awaiting)

  @usableFromInline
  final let name: String

  private let trapsOnNoDemand: Bool

  /// Makes the face of a stage that awaits its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - trapsOnNoDemand: Whether a request for no value is refused; it is passed on otherwise.
  @usableFromInline
  init(_ name: String, trapsOnNoDemand: Bool = true) {
    self.name = name
    self.trapsOnNoDemand = trapsOnNoDemand
  }

  /// Whether values may pass: there is a subscription, and no end.
  @inlinable
  final var isActive: Bool { active.load(ordering: .relaxed) }

  /// Keeps the upstream subscription.
  ///
  /// - Returns: Whether it is the first; another is cancelled here, and nothing else is to be done.
  @usableFromInline
  final func attach(_ subscription: any Subscription) -> Bool {
    let isFirst = state.withLock { state in
      guard case .awaiting = state else { return false }
      state = .attached(subscription)
      active.store(true, ordering: .relaxed)
      return true
    }
    if !isFirst { subscription.cancel() }
    return isFirst
  }

  /// Ends the stage.
  ///
  /// - Returns: The upstream subscription, to be cancelled or dropped; `nil` if there was none or
  ///   the stage had ended before.
  @usableFromInline
  final func end() -> (any Subscription)? {
    state.withLock { state in
      active.store(false, ordering: .relaxed)
      defer { state = .ended }
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(
      demand > 0 || !trapsOnNoDemand, "\(name): a request for no value breaks the contract")
    forward(demand)
  }

  /// Requests from upstream, if the stage has one.
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
