import Synchronization

/// The relay of an operator that delivers on a scheduler: the part of a ``GatedDelivery`` that
/// doesn't depend on downstream.
///
/// Upstream is kept until the end is accepted or downstream cancels, and is called outside the gate.
/// After a cancellation no signal is accepted, and what was accepted before isn't delivered.
@usableFromInline
class ScheduledSubscription: RelaySubscription {
  @usableFromInline
  final let gate = Gate()

  /// How many values were accepted. Only upstream's thread changes it, so it is no more than a load
  /// and a store; it is atomic for an upstream that breaks the contract.
  @usableFromInline
  final let accepted = Atomic<Int>(0)

  /// Whether accepted signals will be delivered.
  @usableFromInline
  final let isOpen = Atomic<Bool>(true)

  private let cancelsCompletion: Bool

  /// Makes the face of an operator that awaits its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - cancelsCompletion: Whether a cancellation still counts when the end was accepted and isn't
  ///     delivered yet. If not, the values that were accepted are delivered, and the end behind them.
  @usableFromInline
  init(_ name: String, cancelsCompletion: Bool = false) {
    self.cancelsCompletion = cancelsCompletion
    super.init(name, trapsOnNoDemand: false)
  }

  /// Counts a value that is to be delivered on the scheduler.
  ///
  /// - Returns: Whether to schedule it.
  @inlinable
  final func accept() -> Bool {
    guard isActive else { return false }
    accepted.store(acceptedCount &+ 1, ordering: .relaxed)
    return true
  }

  @inlinable
  final var acceptedCount: Int { accepted.load(ordering: .relaxed) }

  /// Accepts the end, and lets go of upstream.
  ///
  /// - Returns: The upstream subscription; `nil` if the stream had ended before, or never began.
  @usableFromInline
  final func beginCompletion() -> (any Subscription)? { isActive ? detach() : nil }

  @usableFromInline
  override final func cancel() {
    // Detached: the end was accepted, and is on its way.
    let upstream = end(unlessDetached: !cancelsCompletion)
    guard upstream.isNews else { return }
    isOpen.store(false, ordering: .relaxed)
    upstream.subscription?.cancel()
    release()
  }

  /// Lets go of what only deliveries need. Called once, by the thread that cancels.
  @usableFromInline
  func release() {}
}
