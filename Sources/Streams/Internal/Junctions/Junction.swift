/// Where several publishers meet: the one subscription that a downstream sees of them.
///
/// The gate serialises what goes downstream, and the downstream is touched inside it only; a
/// request or a cancellation from another thread does not wait for it, but leaves word. What a
/// junction knows beside that is state under a lock of its own, and nothing is called under that.
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

  /// Does what others have left to be done; called inside the gate, before it is left.
  @usableFromInline
  func doChores() {}

  /// Takes out what nobody will want any more, at the end; called inside the gate.
  ///
  /// - Returns: What is to be released outside of it.
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
      // What was cancelled is let go of by whoever has cancelled it.
      guard !isCancelled else { return }
      remains = takeRemains()
      downstream.take()?.receive(completion: completion)
    }
    _ = remains
  }

  /// Lets go of the downstream, here or, if another thread is inside the gate, there.
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

  /// Does one of the chores inside, without a wait: here or, if another thread is inside, there.
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
