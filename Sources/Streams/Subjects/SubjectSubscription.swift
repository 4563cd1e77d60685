import Synchronization

/// One subscriber of a subject, and its demand.
///
/// **Delivering.** The thread inside the subject's gate delivers. A value that comes before the
/// subscriber's first request is missed, because there's no demand for it. A completion that comes
/// before that waits for `receive(subscription:)` to return: then the hand-over is over.
///
/// **Releasing.** The list keeps the subscription, and the subscription keeps its subscriber and
/// the subject. When the subscription has ended, a thread inside the gate removes it. Once that
/// thread has left the gate, it releases subscriber and subject. After that, a user who keeps the
/// subscription keeps nothing else alive.
@usableFromInline class SubjectSubscription: Subscription, Named {
  @usableFromInline final let hub: SubjectHub
  @usableFromInline final let credit = DemandCredit()

  private let handedOver = Atomic<Bool>(false)

  /// Kept alive for as long as there is a subscriber; `nil` once both have been released.
  @exclusivity(unchecked) @usableFromInline final var subject: AnyObject?

  /// An `ErasedSubscriber`. Unmanaged, so that a delivery needn't retain it. It's released only
  /// when no delivery can be running, see ``releaseSubscriberAndSubject()``.
  @exclusivity(unchecked) @usableFromInline final var downstream: Unmanaged<AnyObject>?

  // The rest is touched inside the gate only.

  /// Its place in the list, once it has one.
  @exclusivity(unchecked) final var place: Int?

  /// Whether it has ended, and is about to be released.
  @exclusivity(unchecked) final var isRemoved = false

  @usableFromInline
  init(hub: SubjectHub, subject: AnyObject, downstream: AnyObject) {
    self.hub = hub
    self.subject = subject
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

  /// Delivers the completion, unless the subscription has ended before. During the hand-over, it
  /// waits: the attaching thread looks for it afterwards. Called inside the gate only.
  @inlinable
  final func finish<Output, Failure: Error>(
    with completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    guard open(), credit.end() else { return }
    downstream?._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: ErasedSubscriber<Output, Failure>.self)
        .receive(completion: completion)
    }
  }

  /// Delivers a value that was sent, if there is demand for it. Called inside the gate only.
  @inlinable @inline(__always)
  final func offer<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, failure: Failure.Type
  ) {
    if credit.take() { deliver(value, failure: failure) }
  }

  @inlinable @inline(__always)
  final func deliver<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, failure: Failure.Type
  ) {
    downstream?._withUnsafeGuaranteedRef {
      let subscriber = unsafeDowncast($0, to: ErasedSubscriber<Output, Failure>.self)
      let more = subscriber.deliver(subscriber, value)
      if more > 0 { credit.add(more) }
    }
  }

  // MARK: What a current value changes

  /// Adds a request to the demand. The first one ends the hand-over.
  func add(_ demand: Subscribers.Demand) {
    endHandOver()
    credit.add(demand)
    hub.noteDemand()
  }

  /// Whether any thread may deliver. Until then, only the attaching thread does.
  var isHandedOver: Bool { handedOver.load(ordering: .acquiring) }

  @usableFromInline func endHandOver() { handedOver.store(true, ordering: .releasing) }

  /// Whether the completion can be delivered. Called inside the gate only.
  @usableFromInline func open() -> Bool { isHandedOver }

  /// Called once, outside the gate, by the thread that has removed the subscription.
  func releaseSubscriberAndSubject() {
    downstream.take()?.release()
    subject = nil
  }
}
