import Synchronization

/// The subscribers of a subject, and the gate through which it sends to them.
///
/// The class doesn't know the type of the values, so it isn't generic. Only the methods that
/// deliver are. ``CurrentValueHub`` adds a current value.
///
/// **Inside the gate.** One thread at a time sends, and its deliveries run inside the gate. The
/// same thread can enter again (a nested send). A second thread that sends waits. The list of
/// subscribers changes only inside the gate, and it only grows while values are delivered. So a
/// loop by index needs no copy of the list.
///
/// **Without waiting.** Subscribing and cancelling call ``refresh(_:)``. If the gate is free, the
/// thread enters and does what the subscription needs. Otherwise it leaves a note, and the thread
/// inside does it before it leaves, or before its next nested send.
///
/// **Releasing.** Subscribers that have ended or cancelled are released by the thread that leaves
/// the gate, after it has left. A release can run the user's code.
@usableFromInline class SubjectHub: @unchecked Sendable {
  // `@unchecked`: the variables are only touched inside the gate.

  /// What threads that didn't enter the gate have left.
  struct Notes {
    /// Subscriptions to refresh.
    var changed: [SubjectSubscription] = []
    /// The subscriptions that feed the subject.
    var upstreams = Arrivals<any Subscription>()
  }

  /// The name of the subject.
  @usableFromInline final let name: String

  /// Whether a subscriber gets no more values than it has requested. If not, its first request
  /// counts as unlimited.
  final let hasBackPressure: Bool

  @usableFromInline final let gate = Gate()

  /// Whether the subject has completed. Changes inside the gate.
  @usableFromInline final let isClosed = Atomic<Bool>(false)

  /// Whether a subscriber has requested something; see ``noteDemand()``.
  final let hasDemand: Atomic<Bool>

  final let notes = Locked(Notes())

  // The rest is touched inside the gate only.

  /// The subscribers in the order in which they came, with `nil` where one has been removed. The
  /// list retains them, so a delivery needn't.
  @exclusivity(unchecked) @usableFromInline final var list: [Unmanaged<SubjectSubscription>?] = []

  /// How many places of the list are `nil`.
  @exclusivity(unchecked) private final var holes = 0

  /// Subscriptions that have ended, and will be removed.
  @exclusivity(unchecked) private final var ended: [SubjectSubscription] = []

  /// Delivers the completion, once there is one. Doesn't change after ``isClosed`` is set, so any
  /// thread that has seen that may read it.
  @exclusivity(unchecked) @usableFromInline final var finish: ((SubjectSubscription) -> Void)?

  /// - Parameter hasDemand: Whether upstreams are asked for everything at once.
  @usableFromInline
  init(name: String, hasDemand: Bool = false, hasBackPressure: Bool = true) {
    self.name = name
    self.hasDemand = Atomic(hasDemand)
    self.hasBackPressure = hasBackPressure
  }

  // MARK: Subscribing

  /// Hands a subscriber its subscription, or the completion if the subject has ended.
  @inlinable @inline(__always)
  final func attach<S: Subscriber>(_ subscriber: S, to subject: AnyObject) {
    if isClosed.load(ordering: .acquiring) { return attachLate(subscriber, to: subject) }
    let subscription = admit(ErasedDownstream.make(subscriber), to: subject)
    subscriber.receive(subscription: subscription)
    endHandOver(subscription)
  }

  /// Puts a subscriber on the list before it gets its subscription, so that a value sent after its
  /// first request arrives.
  @usableFromInline
  final func admit(_ downstream: AnyObject, to subject: AnyObject) -> SubjectSubscription {
    let subscription = makeSubscription(subject: subject, downstream: downstream)
    refresh(subscription)
    return subscription
  }

  @inlinable @inline(never)
  final func attachLate<S: Subscriber>(_ subscriber: S, to subject: AnyObject) {
    subscriber.receive(subscription: Subscriptions.empty)
    let subscription = SubjectSubscription(
      hub: self, subject: subject, downstream: ErasedDownstream.make(subscriber))
    subscription.endHandOver()
    finish?(subscription)
  }

  @usableFromInline
  final func endHandOver(_ subscription: SubjectSubscription) {
    subscription.endHandOver()
    // The subject may have completed, or the subscriber may have cancelled.
    refresh(subscription)
  }

  // MARK: Signals

  /// Sends a value to all subscribers.
  @inlinable
  final func send<Output, Failure: Error>(_ value: Output, failure: Failure.Type) {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    if !wasOutside { admitLatecomers() }
    if !isClosed.load(ordering: .relaxed) {
      withUnsafePointer(to: value) { value in
        forEach { $0.offer(value, failure: failure) }
      }
    }
    if wasOutside { leave(as: me) }
  }

  /// Ends the subject and delivers the completion to all subscribers, unless it has ended before.
  @usableFromInline
  final func send<Output, Failure: Error>(
    completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    let wasOutside = gate.enter()
    if !isClosed.load(ordering: .relaxed) {
      finish = { $0.finish(with: completion, output: output) }
      isClosed.store(true, ordering: .releasing)
      forEach {
        $0.finish(with: completion, output: output)
        markIfEnded($0)
      }
    }
    if wasOutside { leaveAfterRefreshing() } else { releaseLater() }
  }

  /// Calls a closure for all current subscribers. Called inside the gate only.
  @inlinable @inline(__always)
  final func forEach(_ body: (SubjectSubscription) -> Void) {
    // Subscribers that join during the loop stand after this end, and don't get this value.
    let end = list.count
    var index = 0
    while index < end {
      list[index]?._withUnsafeGuaranteedRef(body)
      index += 1
    }
  }

  // MARK: Refreshing

  /// Makes sure that a thread inside the gate does what a subscription needs: adds it to the list,
  /// brings it up to date, or removes it. Doesn't wait.
  @usableFromInline
  final func refresh(_ subscription: SubjectSubscription) {
    if gate.enterIfEmpty() {
      refreshInside(subscription)
      leaveAfterRefreshing()
    } else if gate.isMine {
      refreshInside(subscription)
      releaseLater()
    } else {
      notes.withLock { $0.changed.append(subscription) }
      guard gate.enterOrLeaveNote() else { return }
      refreshNoted()
      leaveAfterRefreshing()
    }
  }

  /// Called inside the gate only.
  final func refreshInside(_ subscription: SubjectSubscription) {
    if !subscription.credit.isEnded {
      if subscription.place == nil {
        subscription.place = list.count
        list.append(.passRetained(subscription))
      }
      if subscription.open() { if let finish { finish(subscription) } else { catchUp(subscription) } }
    }
    markIfEnded(subscription)
  }

  /// Refreshes the subscriptions that other threads have noted so far, so that the next value
  /// reaches them. A nested send calls it first.
  @inlinable @inline(__always)
  final func admitLatecomers() {
    if gate.hasNotes { refreshNoted() }
  }

  /// Notes that a subscription has ended. It's removed when no delivery is running. During its
  /// hand-over, the attaching thread may be using the subscriber, so that thread comes back to this
  /// afterwards.
  @usableFromInline
  final func markIfEnded(_ subscription: SubjectSubscription) {
    guard subscription.credit.isEnded, subscription.isHandedOver, !subscription.isRemoved
    else { return }
    subscription.isRemoved = true
    ended.append(subscription)
  }

  // MARK: Leaving the gate

  /// Leaves the gate, after refreshing the subscriptions that other threads have noted meanwhile.
  @inlinable @inline(__always)
  final func leave(as me: UInt = ThreadID.current) {
    if !gate.leaveUndisturbed(as: me) { leaveAfterRefreshing() }
  }

  /// The same, and then releases the subscribers that have ended. Called by the outermost call of a
  /// thread.
  @usableFromInline
  final func leaveAfterRefreshing() {
    var released: [SubjectSubscription] = []
    removeEnded(&released)
    leave {
      refreshNoted()
      removeEnded(&released)
    }
    for subscription in released { subscription.releaseSubscriberAndSubject() }
  }

  /// Leaves the release of ended subscribers to this thread's outermost call.
  @usableFromInline
  final func releaseLater() {
    if !ended.isEmpty { gate.leaveNote() }
  }

  /// Removes the subscriptions that have ended. Called only when no loop is running.
  ///
  /// - Parameter released: Receives them, for the caller to release outside the gate.
  private final func removeEnded(_ released: inout [SubjectSubscription]) {
    guard !ended.isEmpty else { return }
    for subscription in ended {
      // It may have ended before it was added to the list.
      guard let place = subscription.place else { continue }
      list[place]?.release()
      list[place] = nil
      holes += 1
    }
    released += ended
    ended = []
    // Closed only now and then, so that each removal costs constant time on average.
    guard 2 * holes > list.count else { return }
    list.removeAll { $0 == nil }
    holes = 0
    for (place, subscription) in list.enumerated() {
      subscription?._withUnsafeGuaranteedRef { $0.place = place }
    }
  }

  // MARK: What a current value changes

  func makeSubscription(subject: AnyObject, downstream: AnyObject) -> SubjectSubscription {
    SubjectSubscription(hub: self, subject: subject, downstream: downstream)
  }

  /// Brings a subscription up to date while the subject hasn't ended. Called inside the gate only.
  func catchUp(_ subscription: SubjectSubscription) {}

  /// Refreshes the subscriptions that other threads have noted. Called inside the gate only.
  @usableFromInline
  func refreshNoted() {
    let changed = notes.withLock { notes in
      defer { notes.changed = [] }
      return notes.changed
    }
    for subscription in changed { refreshInside(subscription) }
  }

  /// Acts on notes until there are none, and leaves the gate.
  func leave(actingOnNotes act: () -> Void) {
    if !gate.leaveUndisturbed() { gate.leave(actingOnNotes: act) }
  }
}
