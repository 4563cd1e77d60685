import Synchronization

/// A ``SubjectHub`` whose subscribers get a current value with their first request.
///
/// The subject numbers its values, and each subscription remembers the newest number it has seen.
/// A request brings the current value if that's newer. The thread inside the gate delivers it, with
/// one exception: a first request, made while the subscriber gets its subscription, brings the
/// value before it returns. If another thread is inside the gate then, waiting for it could block
/// both forever. So the value is delivered outside the gate, and what is sent to this subscriber
/// meanwhile waits in its subscription.
@usableFromInline final class CurrentValueHub: SubjectHub, @unchecked Sendable {
  /// Delivers the current value, if the subscriber hasn't seen it. Called by the thread that may
  /// deliver to the subscriber.
  private let deliverCurrent: (CurrentValueSubscription) -> Void

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
  func send<Value>(_ value: Value, version: @autoclosure () -> Int) {
    withUnsafePointer(to: value) { value in
      forEach {
        unsafeDowncast($0, to: CurrentValueSubscription.self).offer(value, version: version())
      }
    }
  }

  /// Delivers the current value to a subscriber that requests it for the first time, at once and on
  /// its thread.
  func deliverFirstValue(to subscription: CurrentValueSubscription) {
    let hasEntered = gate.enterIfEmpty()
    if !hasEntered, !gate.isMine, !isClosed.load(ordering: .acquiring) { catchUp(subscription) }
    subscription.handOver.store(ThreadID.none, ordering: .releasing)
    refresh(subscription)
    if hasEntered { leave() }
  }

  override func makeSubscription(
    subject: AnyObject, downstream: ErasedSubscriber
  ) -> SubjectSubscription {
    CurrentValueSubscription(hub: self, subject: subject, downstream: downstream)
  }

  override func catchUp(_ subscription: SubjectSubscription) {
    let subscription = unsafeDowncast(subscription, to: CurrentValueSubscription.self)
    if subscription.takeRequest() { deliverCurrent(subscription) }
  }

  override func mayRemove(_ subscription: SubjectSubscription) -> Bool {
    // A first value may be on its way outside the gate. Its thread refreshes the subscription then.
    subscription.isHandedOver
  }
}

/// One subscriber of a subject with a current value, and how far it has got.
@usableFromInline final class CurrentValueSubscription: SubjectSubscription {
  /// Whether a request has still to bring the current value. Demand that's returned for a value
  /// brings only values that come later.
  private let wantsCurrent = Atomic<Bool>(false)

  // The rest is touched inside the gate only. While a thread delivers the first value, the two
  // versions belong to that thread.

  /// The newest version that was delivered.
  @exclusivity(unchecked) @usableFromInline var seen = -1

  /// The newest version that was delivered because of a request. A `send` that is still under way
  /// with this value or an older one skips this subscriber.
  @exclusivity(unchecked) @usableFromInline var caughtUp = -1

  /// Whether signals can be delivered at once.
  @exclusivity(unchecked) @usableFromInline var isOpen = false

  /// What was sent while another thread was delivering the first value.
  @exclusivity(unchecked) private var kept = FIFO<() -> Void>()

  override func add(_ demand: Subscribers.Demand) {
    credit.add(demand)
    wantsCurrent.store(true, ordering: .relaxed)
    let isFirst = handOver.compareExchange(
      expected: Self.attaching, desired: ThreadID.current, ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst {
      unsafeDowncast(hub, to: CurrentValueHub.self).deliverFirstValue(to: self)
    } else {
      hub.refresh(self)
    }
  }

  /// Whether there was a request since the last time.
  func takeRequest() -> Bool { wantsCurrent.exchange(false, ordering: .relaxed) }

  /// Delivers the current value, if the subscriber hasn't seen it and there is demand for it.
  @inlinable
  func catchUp<Value>(_ value: Value, version: Int) {
    guard version > seen, credit.take() else { return }
    seen = version
    caughtUp = version
    withUnsafePointer(to: value) { deliver($0) }
  }

  /// Delivers a value that was sent, if there is demand for it.
  @inlinable @inline(__always)
  func offer<Value>(_ value: UnsafePointer<Value>, version: Int) {
    if isOpen || open() {
      if takeDemand(for: version) { deliver(value) }
    } else {
      offerDuringHandOver(value.pointee, version: version)
    }
  }

  /// Keeps a value that was requested until the first one has been delivered. It's subtracted from
  /// the demand only when its turn comes, because the values before it may bring more demand. A
  /// thread that sends it from within its delivery of the first one needn't wait for that.
  @inlinable @inline(never)
  func offerDuringHandOver<Value>(_ value: Value, version: Int) {
    let offer = { [self] in
      if takeDemand(for: version) { withUnsafePointer(to: value) { deliver($0) } }
    }
    if mayDeliverNested { offer() } else if credit.demand > 0 { keep(offer) }
  }

  @usableFromInline var mayDeliverNested: Bool {
    kept.isEmpty && handOver.load(ordering: .relaxed) == ThreadID.current
  }

  @usableFromInline func keep(_ signal: @escaping () -> Void) { kept.append(signal) }

  /// Delivers the values that were kept, if the hand-over has ended.
  @usableFromInline override func open() -> Bool {
    guard isHandedOver else { return false }
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

  override func releaseSubscriberAndSubject() {
    super.releaseSubscriberAndSubject()
    kept = FIFO()
  }
}
