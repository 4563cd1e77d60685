import Synchronization

/// One subscriber of a subject, and its demand.
///
/// **Delivering.** The thread inside the subject's gate delivers. The first request ends the
/// hand-over, in which the subscriber gets its subscription. A value that comes before that request
/// is missed, because there's no demand for it. A completion that comes before it waits until
/// `receive(subscription:)` has returned, which ends the hand-over too.
///
/// **Releasing.** The list keeps the subscription, and the subscription keeps its subscriber and
/// the subject. When the subscription has ended, the thread inside the gate releases those two,
/// once it has left the gate. After that, a user who keeps the subscription keeps only the hub
/// alive.
@usableFromInline class SubjectSubscription: Subscription, Named {
  @usableFromInline final let hub: SubjectHub
  @usableFromInline final let credit = DemandCredit()

  /// Says who may deliver: no thread while it's ``attaching``, and any thread inside the gate once
  /// it's ``ThreadID/none``. A current value puts the thread in between that delivers it.
  final let handOver = Atomic<UInt>(SubjectSubscription.attaching)

  /// Isn't the ID of a thread.
  static var attaching: UInt { 1 }

  /// Kept alive for as long as there is a subscriber; `nil` once both have been released.
  @exclusivity(unchecked) @usableFromInline final var subject: AnyObject?

  /// Unmanaged, so that a delivery needn't retain it. It's released only when no delivery can be
  /// running, see ``releaseSubscriberAndSubject()``.
  @exclusivity(unchecked) @usableFromInline final var downstream: Unmanaged<ErasedSubscriber>?

  // The rest is touched inside the gate only.

  /// Its place in the list, once it has one.
  @exclusivity(unchecked) final var place: Int?

  /// Whether it has ended, and is about to be released.
  @exclusivity(unchecked) final var isRemoved = false

  @usableFromInline
  init(hub: SubjectHub, subject: AnyObject, downstream: ErasedSubscriber) {
    (self.hub, self.subject) = (hub, subject)
    self.downstream = .passRetained(downstream)
  }

  deinit { downstream?.release() }

  @usableFromInline final var name: String { hub.name }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "\(name): zero values were requested: request at least one")
    if !credit.isEnded { add(hub.hasBackPressure ? demand : .unlimited) }
  }

  @usableFromInline
  final func cancel() {
    if credit.end() { hub.refresh(self) }
  }

  final var isHandedOver: Bool { handOver.load(ordering: .acquiring) == ThreadID.none }

  /// Ends the hand-over, unless a thread is delivering the current value: then that thread does.
  final func endHandOver() {
    _ = handOver.compareExchange(
      expected: Self.attaching, desired: ThreadID.none, ordering: .releasing)
  }

  /// Delivers a value, whose demand was taken. Called inside the gate only.
  @inlinable @inline(__always)
  final func deliver(_ value: UnsafeRawPointer) {
    downstream?._withUnsafeGuaranteedRef {
      let more = $0.receive(value)
      if more > 0 { credit.add(more) }
    }
  }

  /// Delivers the completion, unless the subscription has ended before. During the hand-over, it
  /// waits: the attaching thread looks for it afterwards. Called inside the gate only.
  final func finish(_ deliver: (ErasedSubscriber) -> Void) {
    if open(), credit.end() { downstream?._withUnsafeGuaranteedRef(deliver) }
  }

  // MARK: What a current value changes

  /// Adds a request to the demand. The first one ends the hand-over.
  func add(_ demand: Subscribers.Demand) {
    endHandOver()
    credit.add(demand)
    hub.noteDemand()
  }

  /// Whether any signal can be delivered. Called inside the gate only.
  @usableFromInline func open() -> Bool { isHandedOver }

  /// Called once, outside the gate, by the thread that has removed the subscription.
  func releaseSubscriberAndSubject() {
    downstream.take()?.release()
    subject = nil
  }
}
