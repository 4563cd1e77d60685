import Synchronization

/// The relay of an operator that delivers on a scheduler: the part of a ``GatedDelivery`` that
/// doesn't depend on downstream's type.
///
/// Upstream is kept until its completion is accepted or downstream cancels. It's called outside the
/// gate. After a cancellation, no signal is accepted, and signals accepted earlier aren't
/// delivered.
@usableFromInline class ScheduledSubscription: RelaySubscription {
  @usableFromInline final let gate = Gate()

  /// How many values were accepted. Only upstream's deliveries change it, one at a time, so a load
  /// and a store are enough. It's atomic in case upstream breaks the contract.
  @usableFromInline final let accepted = Atomic<Int>(0)

  /// Whether accepted signals will be delivered.
  @usableFromInline final let isOpen = Atomic<Bool>(true)
  private let cancelsCompletion: Bool

  /// Makes the relay of an operator that is still waiting for its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - cancelsCompletion: Whether a cancellation still counts when the completion was accepted
  ///     and isn't delivered yet. If not, the accepted values are delivered, and then the
  ///     completion.
  @usableFromInline
  init(_ name: StaticString, cancelsCompletion: Bool = false) {
    self.cancelsCompletion = cancelsCompletion
    super.init(name, trapsOnNoDemand: false)
  }

  /// Counts a value that will be delivered on the scheduler.
  ///
  /// - Returns: Whether to schedule it.
  @inlinable
  final func accept() -> Bool {
    guard isActive else { return false }
    accepted.store(acceptedCount &+ 1, ordering: .relaxed)
    return true
  }

  @inlinable final var acceptedCount: Int { accepted.load(ordering: .relaxed) }

  /// Accepts the completion, and gives up upstream.
  ///
  /// - Returns: The upstream subscription; `nil` if the stream had ended before, or never began.
  @usableFromInline
  final func beginCompletion() -> SubscriptionObject? { isActive ? detach() : nil }

  @usableFromInline
  override final func cancel() {
    // If it's detached, the completion was accepted and is on its way.
    let upstream = end(unlessDetached: !cancelsCompletion)
    guard upstream.isNews else { return }
    isOpen.store(false, ordering: .relaxed)
    upstream.subscription?.cancel()
    release()
  }

  /// Releases the objects that only deliveries need. Called once, by the thread that cancels.
  @usableFromInline func release() {}
}
