import Synchronization

/// A ``SubjectHub`` whose subscribers get a current value with their first request.
@usableFromInline final class CurrentValueHub: SubjectHub, @unchecked Sendable {
  /// Delivers the current value, if the subscriber hasn't seen it. Called by the thread that may
  /// deliver to the subscriber.
  private let deliverCurrent: (CurrentValueSubscription) -> Void

  /// Subscriptions whose attaching thread is delivering their first value, outside the gate: those
  /// that threads have noted, and those that the thread inside the gate knows of.
  private let notedFirstValues = Locked<[CurrentValueSubscription]>([])
  @exclusivity(unchecked) private var firstValues: [CurrentValueSubscription] = []

  @usableFromInline
  init(name: String, deliverCurrent: @escaping (CurrentValueSubscription) -> Void) {
    self.deliverCurrent = deliverCurrent
    super.init(name: name, hasDemand: true)
  }

  /// Offers a value to all current subscribers. Called inside the gate only.
  ///
  /// - Parameter version: The value's version, evaluated for each subscriber. A send from within a
  ///   delivery can change it.
  @inlinable @inline(__always)
  func send<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, version: @autoclosure () -> Int, failure: Failure.Type
  ) {
    forEach {
      unsafeDowncast($0, to: CurrentValueSubscription.self)
        .offer(value, version: version(), failure: failure)
    }
  }

  override func makeSubscription(
    subject: AnyObject, downstream: AnyObject
  ) -> SubjectSubscription {
    CurrentValueSubscription(hub: self, subject: subject, downstream: downstream)
  }

  override func catchUp(_ subscription: SubjectSubscription) {
    let subscription = unsafeDowncast(subscription, to: CurrentValueSubscription.self)
    if subscription.takeRequest() { deliverCurrent(subscription) }
  }

  // MARK: The first value

  /// Delivers the current value to a subscriber that requests it in `receive(subscription:)`, at
  /// once and on its thread. From then on, any thread may deliver to the subscriber.
  ///
  /// If another thread is inside the gate, waiting for it could block both forever. So the value is
  /// delivered outside the gate. If the other thread leaves the gate meanwhile, it passes the gate
  /// to this one, so a send on any thread waits until the value has been delivered. If the other
  /// thread sends from within its delivery, it keeps the value in the subscription instead.
  func deliverFirstValue(to subscription: CurrentValueSubscription) {
    if gate.isMine {
      subscription.endHandOver()
      refreshInside(subscription)
      releaseLater()
    } else if gate.enterIfEmpty() || noteFirstValue(of: subscription) {
      subscription.endHandOver()
      refreshInside(subscription)
      leaveAfterRefreshing()
    } else {
      if !isClosed.load(ordering: .acquiring) { catchUp(subscription) }
      subscription.endHandOver()
      notes.withLock { $0.changed.append(subscription) }
      // The gate may have been passed to this thread, also while it leaves its note.
      if gate.isMine || gate.enterOrLeaveNote() || gate.isMine {
        refreshNoted()
        leaveAfterRefreshing()
      }
    }
  }

  /// Tells the thread inside the gate about a first value.
  ///
  /// - Returns: Whether the calling thread has entered instead, because the other one has left.
  private func noteFirstValue(of subscription: CurrentValueSubscription) -> Bool {
    notedFirstValues.withLock { $0.append(subscription) }
    guard gate.enterOrLeaveNote() else { return false }
    // Takes the note out again, because it would keep the subscription alive.
    refreshNoted()
    return true
  }

  @usableFromInline
  override func refreshNoted() {
    firstValues += notedFirstValues.withLock { noted in
      defer { noted = [] }
      return noted
    }
    super.refreshNoted()
  }

  override func leave(actingOnNotes act: () -> Void) {
    guard !firstValues.isEmpty || !gate.leaveUndisturbed() else { return }
    gate.leave(
      to: {
        firstValues.removeAll { $0.isHandedOver }
        return firstValues.first?.attachingThread ?? ThreadID.none
      }, actingOnNotes: act)
  }
}

/// One subscriber of a subject with a current value, and how far it has got.
///
/// While the subscriber gets its subscription, its first request ends that hand-over, and brings
/// the current value. The attaching thread delivers that value.
@usableFromInline final class CurrentValueSubscription: SubjectSubscription {
  private let handOver = HandOver()

  /// Whether a request has still to bring the current value. Demand that's returned for a value
  /// brings only values that come later.
  private let wantsCurrent = Atomic<Bool>(false)

  // The rest is touched inside the gate only. While the attaching thread delivers the first value,
  // the two versions belong to that thread.

  /// The newest version that was delivered.
  @exclusivity(unchecked) @usableFromInline var seen = -1

  /// The newest version that was delivered because of a request. A `send` that is still under way
  /// with this value or an older one skips this subscriber.
  @exclusivity(unchecked) @usableFromInline var caughtUp = -1

  /// Whether signals can be delivered at once.
  @exclusivity(unchecked) @usableFromInline var isOpen = false

  /// Values that were sent while the attaching thread was delivering the first one.
  @exclusivity(unchecked) private var kept = FIFO<() -> Void>()

  override var isHandedOver: Bool { handOver.isOver }

  var attachingThread: UInt { handOver.thread }

  @usableFromInline override func endHandOver() { handOver.end() }

  override func add(_ demand: Subscribers.Demand) {
    let isFirst = handOver.isMine && handOver.mark() == .isNew
    if !isFirst { handOver.endUnlessMarked() }
    credit.add(demand)
    wantsCurrent.store(true, ordering: .relaxed)
    if isFirst {
      unsafeDowncast(hub, to: CurrentValueHub.self).deliverFirstValue(to: self)
    } else {
      hub.refresh(self)
    }
  }

  /// Whether there was a request since the last time.
  func takeRequest() -> Bool { wantsCurrent.exchange(false, ordering: .relaxed) }

  override func releaseSubscriberAndSubject() {
    super.releaseSubscriberAndSubject()
    kept = FIFO()
  }

  /// Delivers the current value, if the subscriber hasn't seen it and there is demand for it.
  @inlinable
  func catchUp<Output, Failure: Error>(_ value: Output, version: Int, failure: Failure.Type) {
    guard version > seen, credit.take() else { return }
    seen = version
    caughtUp = version
    withUnsafePointer(to: value) { deliver($0, failure: failure) }
  }

  /// Delivers a value that was sent, if there is demand for it.
  @inlinable @inline(__always)
  func offer<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, version: Int, failure: Failure.Type
  ) {
    if isOpen || open() {
      if takeDemand(for: version) { deliver(value, failure: failure) }
    } else {
      offerDuringHandOver(value.pointee, version: version, failure: failure)
    }
  }

  /// Delivers a value that the attaching thread sends itself. Keeps one from another thread if it
  /// was requested. It's subtracted from the demand only when its turn comes, because the values
  /// before it may bring more demand.
  @inlinable @inline(never)
  func offerDuringHandOver<Output, Failure: Error>(
    _ value: Output, version: Int, failure: Failure.Type
  ) {
    let offer = { [self] in
      if takeDemand(for: version) { withUnsafePointer(to: value) { deliver($0, failure: failure) } }
    }
    if mayDeliverNested { offer() } else if credit.demand > 0 { keep(offer) }
  }

  @usableFromInline var mayDeliverNested: Bool { handOver.isMine && kept.isEmpty }

  @usableFromInline func keep(_ signal: @escaping () -> Void) { kept.append(signal) }

  /// Delivers the values that were kept, if the hand-over has ended.
  @usableFromInline override func open() -> Bool {
    guard handOver.isOver else { return false }
    // Once it's removed, what was kept is released outside the gate.
    while !isRemoved, let next = kept.popFirst() { next() }
    isOpen = true
    return true
  }

  /// Whether to deliver a value that was sent. If so, subtracts it from the demand and records its
  /// version.
  @inlinable @inline(__always)
  func takeDemand(for version: Int) -> Bool {
    guard version > caughtUp, credit.take() else { return false }
    // A nested send may have delivered a newer one already.
    if version > seen { seen = version }
    return true
  }
}
