import Synchronization

/// The object in which the publishers of a `flatMap`, `merge` or `switchToLatest` meet. Downstream
/// sees it as its subscription.
///
/// - **Under the lock:** the state. Each event is a `mutating` method that says what to do, and the
///   junction does that after unlocking. Nothing is called or released under the lock.
/// - **Inside the gate:** everything that downstream receives. A signal from a second thread waits
///   until the first one has left. A signal from the same thread nests.
/// - **Without waiting:** requests and cancellations. If they need the gate and another thread is
///   inside, they leave a note, and that thread acts on it before it leaves.
/// - **The end** is decided under the lock: the state is taken out as a whole, and nothing counts
///   any more. The thread that took it out cancels the publishers that are left, and delivers the
///   completion. A cancellation does the same without a completion, and stops one that's on its
///   way.
/// - **Release:** the thread that delivers the completion or cancels takes downstream out as it
///   leaves the gate, and releases it outside. If another call is inside the gate, that one does.
///   Subscriptions and waiting values go with the state.
@usableFromInline
class Junction<State: JunctionState, Downstream: Subscriber>: Subscription, Named {
  /// The state; `nil` once the end has been decided.
  @usableFromInline final let state: Locked<State?>

  /// Leaves ``JunctionPhase/open`` under the lock, and can be read without it.
  @usableFromInline final let phase = Atomic(JunctionPhase.open)

  /// Whether the end hasn't been decided yet.
  @inlinable final var isOpen: Bool { phase.load(ordering: .relaxed) == .open }

  /// Whether downstream gets nothing more, and is released when the thread leaves the gate.
  @inlinable final var isOver: Bool { phase.load(ordering: .relaxed) == .over }

  @usableFromInline final let gate = Gate()

  /// `nil` once it has cancelled, or got the completion. Touched inside the gate only.
  @exclusivity(unchecked) @usableFromInline final var downstream: HeldDownstream<Downstream>?

  @inlinable
  init(_ state: State, downstream: Downstream) {
    self.state = Locked(state)
    self.downstream = HeldDownstream(downstream)
  }

  // MARK: For subclasses to override

  @usableFromInline var name: String { "Junction" }

  @usableFromInline func request(_ demand: Subscribers.Demand) {}

  /// Acts on requests and finishes of other threads. Called inside the gate, before the thread
  /// leaves it.
  @usableFromInline func actOnNotes() {}

  // MARK: Upstream's signals

  /// Upstream has sent its subscription.
  ///
  /// - Parameter demand: How many publishers to request from it.
  @usableFromInline
  final func upstreamAttached(
    _ subscription: any Subscription, requesting demand: Subscribers.Demand
  ) {
    let object = subscription._object.value
    if state.withLock({ $0?.upstream.attach(object) ?? false }) {
      if demand > 0 { subscription.request(demand) }
    } else {
      subscription.cancel()
    }
  }

  // MARK: The end

  /// Upstream or a publisher has ended. If it has failed, the stream fails.
  ///
  /// - Parameter end: Ends the publisher in the state, and returns what it was before.
  /// - Returns: Whether the publisher has finished, and hadn't ended before.
  @inlinable
  final func hasFinished(
    _ completion: Subscribers.Completion<Downstream.Failure>, _ end: (inout State?) -> Attachment
  ) -> Bool {
    let isFailure = if case .failure = completion { true } else { false }
    let (before, rest) = state.withLock { state in
      let before = end(&state)
      return (before, isFailure && !before.isOver ? takeOut(&state) : nil)
    }
    if let rest {
      for subscription in rest.subscriptions { subscription.cancel() }
      complete(completion)
    }
    // Its subscription is released here, and so is the rest of the state.
    return !isFailure && !before.isOver
  }

  /// Finishes the stream if the state says that it's done.
  @inlinable
  final func finishIfDone() {
    let rest = state.withLock { state in state?.isDone == true ? takeOut(&state) : nil }
    if rest != nil { complete(.finished) }
  }

  /// Ends the stream with downstream's cancellation.
  @usableFromInline
  final func cancel() {
    let rest = state.withLock { state in takeOut(&state, .over) }
    for subscription in rest?.subscriptions ?? [] { subscription.cancel() }
    // If a thread is inside the gate, which may be this one, it releases downstream as it leaves.
    guard gate.enterOrLeaveNote() else { return }
    gate.leaveNote()
    leave()
  }

  /// Called under the lock.
  @inlinable
  final func takeOut(_ state: inout State?, _ phase: JunctionPhase = .ended) -> State? {
    self.phase.store(phase, ordering: .relaxed)
    return state.take()
  }

  // MARK: To downstream

  /// Delivers a value that has been accepted. Called inside the gate.
  @inlinable @inline(__always)
  final func deliver(_ value: Downstream.Input) -> Subscribers.Demand {
    downstream?.subscriber.receive(value) ?? .none
  }

  /// Delivers the completion, unless downstream has cancelled.
  @inlinable
  final func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let wasOutside = gate.enter()
    if !isOver {
      downstream?.subscriber.receive(completion: completion)
      // Downstream isn't released here, because an outer call of this thread may be using it.
      phase.store(.over, ordering: .relaxed)
      gate.leaveNote()
    }
    if wasOutside { leave() }
  }

  // MARK: The gate

  /// Leaves the gate.
  ///
  /// - Parameter me: The calling thread. A delivery asks for it once, because that takes as long as
  ///   entering the gate.
  @inlinable
  final func leave(as me: UInt = ThreadID.current) {
    if !gate.leaveUndisturbed(as: me) { leaveActingOnNotes() }
  }

  @usableFromInline
  final func leaveActingOnNotes() {
    var released: HeldDownstream<Downstream>?
    gate.leave {
      actOnNotes()
      if isOver, let last = downstream.take() { released = last }
    }
    withExtendedLifetime(released) {}
  }
}

/// How far a junction has got.
@usableFromInline enum JunctionPhase: UInt8, AtomicRepresentable {
  case open
  /// The end has been decided, and downstream gets the completion.
  case ended
  /// Downstream has got the completion, or has cancelled. Then it doesn't even get a completion
  /// that's on its way.
  case over
}

/// What a junction remembers until its end.
@usableFromInline protocol JunctionState {
  /// The publisher that sends the publishers.
  var upstream: Attachment { get set }

  /// Whether the stream has finished.
  var isDone: Bool { get }

  /// The subscriptions to cancel at the end, in order.
  var subscriptions: [SubscriptionObject] { get }
}

/// The connection to a publisher. Its signals count until it's over, also before its subscription.
@usableFromInline enum Attachment {
  case awaiting
  case attached(SubscriptionObject)
  case over

  @inlinable var subscription: SubscriptionObject? {
    if case .attached(let subscription) = self { subscription } else { nil }
  }

  @inlinable var isOver: Bool { if case .over = self { true } else { false } }

  /// - Returns: Whether the subscription is the first one. If not, the caller cancels it.
  @inlinable
  mutating func attach(_ subscription: SubscriptionObject) -> Bool {
    guard case .awaiting = self else { return false }
    self = .attached(subscription)
    return true
  }

  /// - Returns: What it was before, for the caller to release.
  @inlinable
  mutating func end() -> Attachment {
    defer { self = .over }
    return self
  }
}
