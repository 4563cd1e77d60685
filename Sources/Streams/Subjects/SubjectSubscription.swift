import Synchronization

/// One subscriber of a subject: its demand, its place in the list, and how far it has got.
///
/// **Delivering.** Until the subscriber has its subscription, only the attaching thread delivers
/// (``HandOver``). If another thread sends, it puts its signal aside for the attaching thread and
/// moves on. After the hand-over, only the thread inside the subject's gate delivers. So signals
/// never overlap or change order.
///
/// **Releasing.** The list keeps the subscription, and the subscription keeps its subscriber and
/// the subject. When the subscription has ended, a thread inside the gate takes it off the list.
/// Once that thread has left the gate, it releases subscriber and subject. After that, a user who
/// keeps the subscription keeps nothing else alive.
///
/// **Delegated.** A request that may bring the current value, and the removal after a cancellation,
/// are done at once if the gate is free. Otherwise the thread inside does them before it leaves
/// (``SubjectHub/attend(_:)``). Neither waits.
@usableFromInline
final class SubjectSubscription: Slotted, NamedSubscription {
  @usableFromInline
  let hub: SubjectHub

  @usableFromInline
  let credit = DemandCredit()

  @usableFromInline
  let handOver = HandOver()

  /// Kept alive for as long as there is a subscriber; `nil` once both have been released.
  @exclusivity(unchecked)
  @usableFromInline
  var subject: AnyObject?

  /// An `ErasedSubscriber`. Unmanaged, so that a delivery needn't retain it. It's released only
  /// when no delivery can be running, see ``releaseEnds()``.
  @exclusivity(unchecked)
  @usableFromInline
  var downstream: Unmanaged<AnyObject>?

  // Only the thread that may deliver touches the two versions.

  /// The newest version of a current value that was delivered.
  @exclusivity(unchecked)
  @usableFromInline
  var seen = -1

  /// The newest version that was delivered because of a request. A `send` that is still under way
  /// with this value or an older one skips this subscriber.
  @exclusivity(unchecked)
  @usableFromInline
  var caughtUp = -1

  /// Whether the subscriber has its subscription, or is just receiving it. The subscription joins
  /// the list earlier. If the attaching thread sends in between, that signal is put aside too. Only
  /// the attaching thread reads and writes this.
  @exclusivity(unchecked)
  @usableFromInline
  var isShown = false

  /// Signals put aside for the attaching thread to deliver. Guarded by the hub's lock.
  private var leftovers = FIFO<() -> Void>()

  /// Whether it's off the list and about to be released. Changes inside the gate.
  @exclusivity(unchecked)
  var hasDeparted = false

  /// The next subscription that is about to be released.
  @exclusivity(unchecked)
  var nextDeparted: Unmanaged<SubjectSubscription>?

  @usableFromInline
  init(hub: SubjectHub, subject: AnyObject, downstream: AnyObject) {
    self.hub = hub
    self.subject = subject
    self.downstream = .passRetained(downstream)
  }

  deinit { releaseDownstream() }

  @usableFromInline
  var name: String { hub.name }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "\(name): zero values were requested: request at least one")
    guard !credit.isEnded else { return }
    credit.add(hub.hasBackPressure ? demand : .unlimited)
    hub.noteDemand()
    guard hub.hasCurrentValue else { return }
    if handOver.isMine {
      hub.update(self)
    } else if handOver.isOver || !handOver.leaveToAttacher() {
      hub.attend(self)
    }
  }

  @usableFromInline
  func cancel() {
    guard credit.end() else { return }
    // During the hand-over, the attaching thread may be using the subscriber, so that thread
    // attends to the end.
    if handOver.isOver || !handOver.leaveToAttacher() { hub.attend(self) }
  }

  /// Releases the subscriber and the subject. Called once, outside the gate, by the thread that has
  /// taken the subscription off the list. No loop can find it any more, and the hand-over has
  /// ended.
  func releaseEnds() {
    releaseDownstream()
    subject = nil
  }

  private func releaseDownstream() { downstream.take()?.release() }
}

// The hand-over.
extension SubjectSubscription {
  /// Hands the subscription over, on the attaching thread.
  @inlinable
  @inline(__always)
  func handOver<S: Subscriber>(to subscriber: S) {
    isShown = true
    subscriber.receive(subscription: self)
    endHandOver()
  }

  /// Ends the hand-over: the attaching thread delivers the signals put aside. From then on, any
  /// thread inside the gate may deliver.
  @usableFromInline
  func endHandOver() {
    // The subject may have ended just before it knew of this subscription.
    if hub.isClosed.load(ordering: .acquiring) { hub.update(self) }
    handOver.end {
      deliverLeftovers()
      if !credit.isEnded { hub.update(self) }
    }
    if credit.isEnded { hub.attend(self) }
  }

  /// Whether the calling thread may deliver a signal now.
  ///
  /// If signals have been put aside, the attaching thread puts its own aside too, which keeps them
  /// in order.
  @inlinable
  @inline(__always)
  var mayDeliver: Bool { handOver.isOver || mayDeliverDuringHandOver }

  @usableFromInline
  var mayDeliverDuringHandOver: Bool {
    handOver.isMine && isShown && hub.waiting.withLock { _ in leftovers.isEmpty }
  }

  /// Puts a signal aside until the end of the hand-over. Called only inside the gate or by the
  /// attaching thread.
  ///
  /// - Parameter signal: Delivers it, if the subscriber still wants it then.
  @usableFromInline
  func putAside(_ signal: @escaping () -> Void) {
    hub.waiting.withLock { _ in leftovers.append(signal) }
    // If the hand-over has just ended, this thread delivers, because it's inside the gate.
    if !handOver.leaveToAttacher() { deliverLeftovers() }
  }

  private func deliverLeftovers() {
    while let signal = hub.waiting.withLock({ _ in leftovers.popFirst() }) { signal() }
  }
}

// Signals. Only the thread that may deliver (see above) calls these.
extension SubjectSubscription {
  /// Delivers a value that was sent, if there is demand for it.
  ///
  /// - Parameter version: The version of a current value; `nil` where there is none.
  @inlinable
  @inline(__always)
  func offer<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, version: Int?, failure: Failure.Type
  ) {
    if mayDeliver {
      if wants(version) { deliver(value, failure: failure) }
    } else {
      putAside(value.pointee, version: version, failure: failure)
    }
  }

  /// Puts a value aside. It's subtracted from the demand only when its turn comes, because the
  /// values before it may bring more demand.
  @inlinable
  @inline(never)
  func putAside<Output, Failure: Error>(_ value: Output, version: Int?, failure: Failure.Type) {
    putAside {
      guard self.wants(version) else { return }
      withUnsafePointer(to: value) { self.deliver($0, failure: failure) }
    }
  }

  /// Delivers the current value, if the subscriber hasn't seen it and there is demand for it.
  ///
  /// During the hand-over, the attaching thread delivers it. If that thread can't do so now, it
  /// catches up at the end. But the subscriber's first value overtakes the values put aside,
  /// because those came before there was demand. A thread inside the gate puts the value aside. It
  /// has to, because the subscriber joined the list too late to be offered this value, and by the
  /// end of the hand-over it may not be the current one any more.
  @inlinable
  func catchUp<Output, Failure: Error>(_ value: Output, version: Int, failure: Failure.Type) {
    if mayDeliver || handOver.isMine && isShown && seen < 0 {
      deliverCurrent(value, version: version, failure: failure)
    } else if handOver.isMine {
      _ = handOver.leaveToAttacher()
    } else {
      putAside { self.deliverCurrent(value, version: version, failure: failure) }
    }
  }

  @inlinable
  func deliverCurrent<Output, Failure: Error>(
    _ value: Output, version: Int, failure: Failure.Type
  ) {
    if wantsCurrent(version) { withUnsafePointer(to: value) { deliver($0, failure: failure) } }
  }

  /// Delivers the completion, unless the subscription has ended before.
  @inlinable
  func finish<Output, Failure: Error>(
    with completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    if mayDeliver {
      conclude(completion, output: output)
    } else {
      putAside { self.conclude(completion, output: output) }
    }
  }

  /// Whether to deliver a value that was sent. If so, subtracts it from the demand and records its
  /// version.
  @inlinable
  @inline(__always)
  func wants(_ version: Int?) -> Bool {
    if let version, version <= caughtUp { return false }
    guard credit.take() else { return false }
    // A nested send may have delivered a newer one already.
    if let version, version > seen { seen = version }
    return true
  }

  /// Whether to deliver the current value. If so, subtracts it from the demand and records its
  /// version.
  @inlinable
  func wantsCurrent(_ version: Int) -> Bool {
    guard version > seen, credit.take() else { return false }
    seen = version
    caughtUp = version
    return true
  }

  @inlinable
  @inline(__always)
  func deliver<Output, Failure: Error>(_ value: UnsafePointer<Output>, failure: Failure.Type) {
    downstream?._withUnsafeGuaranteedRef {
      let subscriber = unsafeDowncast($0, to: ErasedSubscriber<Output, Failure>.self)
      let more = subscriber.deliver(subscriber, value)
      if more > 0 { credit.add(more) }
    }
  }

  @inlinable
  func conclude<Output, Failure: Error>(
    _ completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    guard credit.end() else { return }
    downstream?._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: ErasedSubscriber<Output, Failure>.self)
        .receive(completion: completion)
    }
  }
}
