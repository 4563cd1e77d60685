import Synchronization

/// A relay with its downstream behind a gate: the part that all operators that deliver on a
/// scheduler share.
///
/// Contract:
/// - **Upstream** is kept until its completion is accepted or downstream cancels. After a
///   cancellation, no signal is accepted, and signals accepted earlier aren't delivered, unless the
///   completion was accepted first and `cancelsCompletion` is `false`.
/// - **Inside the gate:** everything that downstream receives. A delivery on the thread that is
///   inside nests. A delivery on another thread waits. Upstream and the scheduler are called
///   outside the gate, except by downstream's own requests.
/// - **Order:** each operator says in which order it delivers values. ``deliver(_:behind:)``
///   delivers the completion after all values that ``accept()`` has counted before it. A concurrent
///   queue may run the completion's action first. Then the thread that delivers the last of those
///   values delivers the completion too, and no thread waits for that. If a scheduler drops the
///   action of a counted value instead of running it, a later completion isn't delivered.
/// - **Release:** the thread that delivers the completion releases downstream as it leaves the
///   gate, or else the thread that cancels does. If another thread is inside the gate at that
///   moment, the cancelling thread delegates the release to it and returns.
@usableFromInline class GatedDelivery<Downstream: Subscriber>: RelaySubscription {
  @usableFromInline final let gate = Gate()

  /// How many values ``accept()`` has counted. Only upstream's deliveries change it, one at a time,
  /// so a load and a store are enough. It's atomic in case upstream breaks the contract.
  @usableFromInline final let accepted = Atomic<Int>(0)

  /// Whether accepted signals will be delivered.
  @usableFromInline final let isOpen = Atomic<Bool>(true)

  private let cancelsCompletion: Bool

  // The other properties are touched inside the gate only.
  @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?

  /// How many of the counted values have had their turn.
  @exclusivity(unchecked) @usableFromInline final var turns = 0

  /// The number of turns after which the waiting completion is delivered.
  @exclusivity(unchecked) @usableFromInline final var turnsBeforeEnd = Int.max

  /// A completion that has overtaken values, and waits for them.
  @exclusivity(unchecked) @usableFromInline
  final var waitingCompletion: Subscribers.Completion<Downstream.Failure>?

  /// Makes the relay of an operator that is still waiting for its upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - cancelsCompletion: Whether a cancellation still counts when the completion was accepted
  ///     and isn't delivered yet. If not, the accepted values are delivered, and then the
  ///     completion.
  ///   - downstream: The subscriber.
  @usableFromInline
  init(_ name: StaticString, cancelsCompletion: Bool = false, downstream: Downstream) {
    self.downstream = downstream
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

  /// Hands the subscription downstream.
  @inlinable
  final func handOver() {
    let wasOutside = gate.enter()
    downstream?.receive(subscription: self)
    if wasOutside { leave() }
  }

  /// Delivers a counted value on the scheduler, and then the completion if that was waiting for
  /// this value only. After a cancellation, nothing is delivered.
  ///
  /// - Returns: The demand that downstream returns. The caller requests it from upstream, outside
  ///   the gate.
  @inlinable
  final func deliverAccepted(_ input: Downstream.Input) -> Subscribers.Demand {
    let wasOutside = gate.enter()
    turns &+= 1
    let more = pass(input)
    if turns >= turnsBeforeEnd, let completion = waitingCompletion.take() { pass(completion) }
    if wasOutside { leave() }
    return more
  }

  /// Delivers the completion on the scheduler, or leaves that to the delivery of the last value
  /// that was counted before it.
  ///
  /// - Parameters:
  ///   - completion: The completion.
  ///   - count: How many values were counted before it.
  @inlinable
  final func deliver(
    _ completion: Subscribers.Completion<Downstream.Failure>, behind count: Int
  ) {
    let wasOutside = gate.enter()
    if turns >= count {
      pass(completion)
    } else if downstream != nil {
      waitingCompletion = completion
      turnsBeforeEnd = count
    }
    if wasOutside { leave() }
  }

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
    let wasOpen = isOpen.exchange(false, ordering: .relaxed)
    if wasOpen { downstream?.receive(completion: completion) }
    gate.leaveNote()
  }

  @inlinable
  final func leave() {
    if !gate.leaveUndisturbed() { leaveReleasing() }
  }

  /// Leaves the gate, and releases downstream if a note says so. Releasing may run the user's code,
  /// so it happens outside the gate.
  @usableFromInline
  final func leaveReleasing() {
    var released: (Downstream?, Subscribers.Completion<Downstream.Failure>?)
    gate.leave {
      if let downstream = downstream.take() { released.0 = downstream }
      if let completion = waitingCompletion.take() { released.1 = completion }
    }
    _ = released
  }

  @usableFromInline
  override final func cancel() {
    // If it's detached, the completion was accepted and is on its way.
    let (isNews, upstream) = end(unlessDetached: !cancelsCompletion)
    guard isNews else { return }
    isOpen.store(false, ordering: .relaxed)
    upstream?.cancel()
    release()
  }

  /// Releases the objects that only deliveries need, or leaves a note for the thread inside the
  /// gate to do so. Called once, by the thread that cancels.
  @usableFromInline
  func release() {
    guard gate.enterOrLeaveNote() else { return }
    let released = (downstream.take(), waitingCompletion.take())
    leaveReleasing()
    _ = released
  }
}
