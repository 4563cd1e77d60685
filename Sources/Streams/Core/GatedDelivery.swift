import Synchronization

/// A relay with its downstream behind a gate: the part that all operators share that deliver on a
/// scheduler.
///
/// What upstream sends is *accepted* at once, and delivered by an action that the operator
/// schedules. All deliveries run inside the gate, so they never overlap. Accepting the completion
/// ends the relay, but what was accepted is still delivered, and the completion last. A
/// cancellation before that closes the delivery, which drops everything. The thread that
/// cancels or completes releases downstream, outside the gate.
///
/// | State | What upstream sends | What was accepted | A cancellation |
/// |---|---|---|---|
/// | `isActive`, open | is accepted | is delivered | cancels upstream, and closes |
/// | over, open: the completion was accepted | is dropped | is delivered | comes too late |
/// | closed: cancelled, or completed | is dropped | is dropped | – |
///
/// - **Inside the gate:** everything that downstream receives. A delivery on the thread that is
///   inside nests. A delivery on another thread waits. Upstream and the scheduler are called
///   outside the gate, except by downstream's own requests.
/// - **Order:** values are delivered in the order in which the scheduler runs them. A concurrent
///   queue may run the completion's action before a value's. Then the thread that delivers the last
///   value delivers the completion too, and no thread waits for that. If a scheduler drops an
///   action instead of running it, the completion isn't delivered.
/// - **Release:** if another thread is inside the gate, the thread that cancels leaves the release
///   to it and returns.
@usableFromInline class GatedDelivery<Downstream: Subscriber>: RelaySubscription {
  @usableFromInline final let gate = Gate()

  /// How many values ``accept()`` has counted. Only upstream's deliveries change it, one at a time,
  /// so a load and a store are enough. It's atomic in case upstream breaks the contract.
  @usableFromInline final let accepted = Atomic<Int>(0)

  /// Whether accepted signals will be delivered.
  @usableFromInline final let isOpen = Atomic<Bool>(true)

  // The other properties are touched inside the gate only.
  @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?

  /// How many of the counted values have had their turn.
  @exclusivity(unchecked) @usableFromInline final var turns = 0

  /// A completion that has overtaken values, and waits for them.
  @exclusivity(unchecked) @usableFromInline
  final var waitingCompletion: Subscribers.Completion<Downstream.Failure>?

  @usableFromInline
  init(_ name: String, downstream: Downstream) {
    self.downstream = downstream
    super.init(name, trapsOnNoDemand: false)
  }

  // MARK: Accepting

  /// Counts a value that will be delivered on the scheduler.
  ///
  /// - Returns: Whether to schedule it.
  @inlinable
  final func accept() -> Bool {
    guard isActive else { return false }
    accepted.store(accepted.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    return true
  }

  /// Accepts the completion, and gives up upstream.
  ///
  /// - Returns: Whether to schedule it.
  @usableFromInline
  final func acceptCompletion() -> Bool { isActive && end().isFirst }

  // MARK: Delivering

  /// Hands the subscription downstream.
  @inlinable
  final func handOver() { inside { downstream?.receive(subscription: self) } }

  /// Delivers an accepted value on the scheduler, and then the completion if that was waiting for
  /// this value only.
  ///
  /// - Returns: The demand that downstream returns. The caller requests it from upstream, outside
  ///   the gate.
  @inlinable
  final func deliver(accepted input: Downstream.Input) -> Subscribers.Demand {
    inside {
      turns &+= 1
      let more = pass(input)
      if !isBehind, let completion = waitingCompletion.take() { pass(completion) }
      return more
    }
  }

  /// Delivers the completion on the scheduler, or leaves that to the delivery of the last value.
  @inlinable
  final func deliver(_ completion: Subscribers.Completion<Downstream.Failure>) {
    inside {
      if isBehind && downstream != nil { waitingCompletion = completion } else { pass(completion) }
    }
  }

  /// Whether accepted values haven't had their turn yet.
  @inlinable final var isBehind: Bool { turns < accepted.load(ordering: .relaxed) }

  /// Delivers a value. Called inside the gate only.
  @inlinable @inline(__always)
  final func pass(_ input: Downstream.Input) -> Subscribers.Demand {
    guard isOpen.load(ordering: .relaxed), let downstream else { return .none }
    return downstream.receive(input)
  }

  /// Delivers the completion, and leaves a note to release downstream. Called inside the gate
  /// only.
  @inlinable
  final func pass(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if isOpen.exchange(false, ordering: .relaxed) { downstream?.receive(completion: completion) }
    gate.leaveNote()
  }

  // MARK: Cancelling and releasing

  @usableFromInline
  override func cancel() {
    let (isFirst, upstream) = end()
    if isFirst { close(cancelling: upstream) }
  }

  /// Drops what was accepted, unless that has happened before.
  final func close(cancelling upstream: SubscriptionObject?) {
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    upstream?.cancel()
    release()
  }

  /// Releases what only deliveries need, or leaves a note for the thread inside the gate to do so.
  @usableFromInline
  func release() {
    guard gate.enterOrLeaveNote() else { return }
    gate.leaveNote()
    leaveReleasing()
  }

  @inlinable @inline(__always)
  final func inside<Result>(_ body: () -> Result) -> Result {
    let wasOutside = gate.enter()
    defer { if wasOutside, !gate.leaveUndisturbed() { leaveReleasing() } }
    return body()
  }

  /// Leaves the gate, and releases downstream if a note says so. Releasing may run the user's code,
  /// so it happens outside the gate.
  @usableFromInline
  final func leaveReleasing() {
    var released: [Any] = []
    gate.leave {
      if let downstream = downstream.take() { released.append(downstream) }
      if let completion = waitingCompletion.take() { released.append(completion) }
    }
  }
}
