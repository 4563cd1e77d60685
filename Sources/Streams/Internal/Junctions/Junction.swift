/// The one subscription that downstream gets where several publishers meet.
///
/// - Inside the gate: downstream's three methods, and no other user code. Downstream and the
///   waiting values are touched inside the gate only, so they need no lock. A signal from a second
///   thread waits until the first one has left. A signal from the same thread nests.
/// - Under the lock: the subscriptions, and which of them have ended. A subclass keeps them in its
///   own state. Nothing is called or released under the lock.
/// - Without waiting: requests and cancellations. If another thread is inside the gate, they leave
///   a note. The thread inside acts on it before it leaves (``insideOrLater(_:)``, ``doChores()``).
/// - Release: downstream and the waiting values are taken out of the junction inside the gate
///   (``takeRemains()``). When the stream ends, the values are released outside the gate. After a
///   cancellation, the cancelling thread takes both out, and releases them once it has left the
///   gate. If a thread is already inside, that thread does it as it leaves.
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

  // MARK: For subclasses to override

  /// Does the chores that other threads have left. Called inside the gate, before the thread leaves
  /// it.
  @usableFromInline
  func doChores() {}

  /// Takes out the values that won't be delivered any more, at the end. Called inside the gate.
  ///
  /// - Returns: The values, for the caller to release outside the gate.
  @usableFromInline
  func takeRemains() -> Any? { nil }

  /// Whether downstream has cancelled, so that it doesn't even get a completion that is on its way.
  @usableFromInline
  var isCancelled: Bool { false }

  // MARK: To downstream

  /// Hands the subscription downstream.
  @inlinable
  final func announce() {
    inside { downstream?.receive(subscription: self) }
  }

  @inlinable
  final func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    var remains: Any?
    inside {
      // After a cancellation, releasing is up to the cancelling thread.
      guard !isCancelled else { return }
      remains = takeRemains()
      downstream.take()?.receive(completion: completion)
    }
    _ = remains
  }

  /// Releases downstream and the waiting values: now or, if a thread is inside the gate, when that
  /// thread leaves.
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

  /// Does a chore inside the gate without waiting: now or, if another thread is inside, on that
  /// thread. It has to be one that ``doChores()`` does.
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
