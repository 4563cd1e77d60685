/// The one subscription that downstream sees where several publishers meet.
///
/// - Inside the gate: downstream's three methods, and nothing else of the user's. Downstream and the
///   values that wait are touched inside it only, so they need no lock. A signal from a second
///   thread waits until the first one has left; a signal from the same thread nests.
/// - Under the lock: the subscriptions, and which of them have ended. A subclass keeps them in a state
///   of its own. Nothing is called or released under the lock.
/// - Without waiting: requests and cancellations. If another thread is inside the gate, they leave
///   word, and that thread does the chore before it leaves (``insideOrLater(_:)``, ``doChores()``).
/// - Release: the end takes downstream and the values that wait out of the junction inside the gate
///   (``takeRemains()``), and releases them outside of it. After a cancellation the cancelling
///   thread does that or, if another thread is inside, that thread as it leaves.
@usableFromInline
class Junction<Downstream: Subscriber>: SourceSubscription {
  @usableFromInline
  final let gate = Gate()

  // Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  final var downstream: Downstream?

  private let name: String

  @usableFromInline
  init(
    _ name: String, downstream: Downstream, onRequest: @escaping Request,
    onCancel: @escaping Cancel
  ) {
    self.name = name
    self.downstream = downstream
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  @usableFromInline
  override final var description: String { name }

  // MARK: What a junction says of itself

  /// Does the chores that other threads have left. Called inside the gate, before it is left.
  @usableFromInline
  func doChores() {}

  /// Takes out the values that nobody will want any more, at the end. Called inside the gate.
  ///
  /// - Returns: The values, for the caller to release outside of it.
  @usableFromInline
  func takeRemains() -> Any? { nil }

  /// Whether the downstream wants nothing more, not even a completion that is on its way.
  @usableFromInline
  var isCancelled: Bool { false }

  // MARK: To downstream

  /// Hands the subscription on.
  @inlinable
  final func announce() {
    inside { downstream?.receive(subscription: self) }
  }

  @inlinable
  final func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    var remains: Any?
    inside {
      // After a cancellation, the cancelling thread lets go.
      guard !isCancelled else { return }
      remains = takeRemains()
      downstream.take()?.receive(completion: completion)
    }
    _ = remains
  }

  /// Lets go of the downstream: here or, if another thread is inside the gate, on that thread.
  @inlinable
  final func releaseDownstream() {
    if gate.enterOrDelegate() {
      let released = (downstream.take(), takeRemains())
      leave()
      _ = released
    }
  }

  @inlinable
  final func inside(_ body: () -> Void) {
    let wasOutside = gate.enter()
    body()
    if wasOutside { leave() }
  }

  /// Does one of the chores inside, without waiting: here or, if another thread is inside, on that
  /// thread.
  @inlinable
  final func insideOrLater(_ chore: () -> Void) {
    if gate.isMine {
      chore()
    } else if gate.enterOrDelegate() {
      chore()
      leave()
    }
  }

  @inlinable
  final func leave() {
    if !gate.leaveUndisturbed() { leaveAfterChores() }
  }

  @usableFromInline
  final func leaveAfterChores() {
    var released: (Downstream?, Any?)
    gate.leave {
      doChores()
      if isCancelled, let downstream = downstream.take() { released = (downstream, takeRemains()) }
    }
    // Released here, outside the gate.
    _ = released
  }
}
