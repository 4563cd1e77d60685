import Synchronization

/// One subscriber of a subject: its demand, and how far it has got.
///
/// **Delivering.** The thread inside the subject's gate delivers. While the subscriber gets its
/// subscription, it decides itself when that begins: with its first request
/// (``HandOver``). A value that comes earlier is missed, because nothing has been requested
/// yet. A completion that comes earlier waits for `receive(subscription:)` to return or, with
/// a current value, for the first request.
///
/// **Releasing.** The list keeps the subscription, and the subscription keeps its subscriber and
/// the subject. When the subscription has ended, a thread inside the gate removes it. Once that
/// thread has left the gate, it releases subscriber and subject. After that, a user who keeps the
/// subscription keeps nothing else alive.
@usableFromInline final class SubjectSubscription: NamedSubscription {
  @usableFromInline let hub: SubjectHub
  @usableFromInline let credit = DemandCredit()
  @usableFromInline let handOver = HandOver()

  /// Kept alive for as long as there is a subscriber; `nil` once both have been released.
  @exclusivity(unchecked) @usableFromInline var subject: AnyObject?

  /// An `ErasedSubscriber`. Unmanaged, so that a delivery needn't retain it. It's released only
  /// when no delivery can be running, see ``releaseSubscriberAndSubject()``.
  @exclusivity(unchecked) @usableFromInline var downstream: Unmanaged<AnyObject>?

  /// Whether a request has still to bring the current value. Demand that's returned for a value
  /// brings only values that come later.
  private let wantsCurrent = Atomic<Bool>(false)

  // The rest is touched inside the gate only. While the attaching thread delivers the first value,
  // the two versions belong to that thread.

  /// The newest version of a current value that was delivered.
  @exclusivity(unchecked) @usableFromInline var seen = -1

  /// The newest version that was delivered because of a request. A `send` that is still under way
  /// with this value or an older one skips this subscriber.
  @exclusivity(unchecked) @usableFromInline var caughtUp = -1

  /// Whether signals can be delivered at once.
  @exclusivity(unchecked) @usableFromInline var isReady = false

  /// Values that were sent while the attaching thread was delivering the first one.
  @exclusivity(unchecked) private var kept = FIFO<() -> Void>()

  /// Its place in the list, once it has one.
  @exclusivity(unchecked) var place: Int?

  /// Whether it has ended, and is about to be released.
  @exclusivity(unchecked) var isRemoved = false

  @usableFromInline
  init(hub: SubjectHub, subject: AnyObject, downstream: AnyObject) {
    self.hub = hub
    self.subject = subject
    self.downstream = .passRetained(downstream)
  }

  deinit { downstream?.release() }

  @usableFromInline var name: String { hub.name }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "\(name): zero values were requested: request at least one")
    guard !credit.isEnded else { return }
    let isFirst = hub.hasCurrentValue && handOver.isMine && handOver.mark() == .isNew
    if !isFirst { handOver.endUnlessMarked() }
    credit.add(hub.hasBackPressure ? demand : .unlimited)
    hub.noteDemand()
    guard hub.hasCurrentValue else { return }
    wantsCurrent.store(true, ordering: .relaxed)
    if isFirst { hub.deliverFirstValue(to: self) } else { hub.refresh(self) }
  }

  /// Whether there was a request since the last time.
  func takeRequestForCurrent() -> Bool { wantsCurrent.exchange(false, ordering: .relaxed) }

  @usableFromInline
  func cancel() {
    if credit.end() { hub.refresh(self) }
  }

  /// Releases the subscriber and the subject. Called once, outside the gate, by the thread that has
  /// removed the subscription.
  func releaseSubscriberAndSubject() {
    downstream.take()?.release()
    subject = nil
    kept = FIFO()
  }
}

// Signals. They're called inside the gate only, except for the first current value.
extension SubjectSubscription {
  /// Delivers a value that was sent, if there is demand for it.
  ///
  /// - Parameter version: The version of a current value; `nil` where there is none.
  @inlinable @inline(__always)
  func offer<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, version: Int?, failure: Failure.Type
  ) {
    if isReady || openIfHandedOver() {
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
    _ value: Output, version: Int?, failure: Failure.Type
  ) {
    let offer = { [self] in
      if takeDemand(for: version) { withUnsafePointer(to: value) { deliver($0, failure: failure) } }
    }
    if mayDeliverNested { offer() } else if credit.demand > 0 { keep(offer) }
  }

  @usableFromInline
  var mayDeliverNested: Bool { handOver.isMine && kept.isEmpty }

  @usableFromInline func keep(_ signal: @escaping () -> Void) { kept.append(signal) }

  /// Delivers the values that were kept, if the hand-over has ended.
  ///
  /// - Returns: Whether other signals can be delivered now.
  @usableFromInline
  func openIfHandedOver() -> Bool {
    guard handOver.isOver else { return false }
    while let next = kept.popFirst() { next() }
    isReady = true
    return true
  }

  /// Delivers the current value, if the subscriber hasn't seen it and there is demand for it.
  @inlinable
  func catchUp<Output, Failure: Error>(_ value: Output, version: Int, failure: Failure.Type) {
    guard version > seen, credit.take() else { return }
    seen = version
    caughtUp = version
    withUnsafePointer(to: value) { deliver($0, failure: failure) }
  }

  /// Delivers the completion, unless the subscription has ended before. During the hand-over, it
  /// waits: the attaching thread looks for it afterwards.
  @inlinable
  func finish<Output, Failure: Error>(
    with completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    guard isReady || openIfHandedOver(), credit.end() else { return }
    downstream?._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: ErasedSubscriber<Output, Failure>.self)
        .receive(completion: completion)
    }
  }

  /// Whether to deliver a value that was sent. If so, subtracts it from the demand and records its
  /// version.
  @inlinable @inline(__always)
  func takeDemand(for version: Int?) -> Bool {
    if let version, version <= caughtUp { return false }
    guard credit.take() else { return false }
    // A nested send may have delivered a newer one already.
    if let version, version > seen { seen = version }
    return true
  }

  @inlinable @inline(__always)
  func deliver<Output, Failure: Error>(_ value: UnsafePointer<Output>, failure: Failure.Type) {
    downstream?._withUnsafeGuaranteedRef {
      let subscriber = unsafeDowncast($0, to: ErasedSubscriber<Output, Failure>.self)
      let more = subscriber.deliver(subscriber, value)
      if more > 0 { credit.add(more) }
    }
  }
}
