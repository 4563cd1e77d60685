import Synchronization

/// The subscribers of a subject, and the gate through which it sends to them.
///
/// The class doesn't know the type of the values, so it isn't generic. Only the methods
/// that deliver are.
///
/// **Inside the gate.** One thread at a time sends, and its deliveries run inside the gate. The
/// same thread can enter again (a nested send). A second thread that sends waits. The list of
/// subscribers changes only inside the gate, and it only grows while values are delivered. So a
/// loop by index needs no copy of the list.
///
/// **Without waiting.** Subscribing, requesting and cancelling don't wait. Subscribing and
/// cancelling call ``refresh(_:)``, and so do requests if there's a current value. If the gate is
/// free, the thread enters and does what the subscription needs. Otherwise it leaves a note, and
/// the thread inside does it before it leaves, or before its next nested send.
///
/// **Releasing.** Subscribers that have ended or cancelled are released by the thread that leaves
/// the gate, after it has left. A release can run the user's code.
@usableFromInline final class SubjectHub: @unchecked Sendable {
  // `@unchecked`: the variables are only touched inside the gate, and `catchUp` captures nothing.

  /// What threads that didn't enter the gate have left.
  struct Notes {
    /// Subscriptions to refresh.
    var changed: [SubjectSubscription] = []
    /// Subscriptions whose attaching thread is delivering their first value, outside the gate.
    var gettingFirstValue: [SubjectSubscription] = []
    /// The subscriptions that feed the subject.
    var upstreams = Arrivals<any Subscription>()
  }

  /// The name of the subject.
  @usableFromInline let name: String

  /// Whether a subscriber that requests may get a value at once.
  @usableFromInline let hasCurrentValue: Bool

  /// Whether a subscriber gets no more values than it has requested. If not, its first request
  /// counts as unlimited.
  let hasBackPressure: Bool

  /// Delivers the completion if the subject has ended, or else the current value if there is one
  /// that the subscriber hasn't seen. Called by the thread that may deliver to the subscriber.
  @usableFromInline let catchUp: (SubjectSubscription) -> Void

  @usableFromInline let gate = Gate()

  /// Whether the subject has completed. Changes inside the gate.
  @usableFromInline let isClosed = Atomic<Bool>(false)

  /// Whether a subscriber has requested something; see ``noteDemand()``. `true` from the start if
  /// there is a current value.
  let hasDemand: Atomic<Bool>

  let notes = Locked(Notes())

  // The rest is touched inside the gate only.

  /// The subscribers in the order in which they came, with `nil` where one has been removed. The
  /// list retains them, so a delivery needn't.
  @exclusivity(unchecked) @usableFromInline var list: [Unmanaged<SubjectSubscription>?] = []

  /// How many places of the list are `nil`.
  @exclusivity(unchecked) private var holes = 0

  /// Subscriptions that have ended, and will be removed.
  @exclusivity(unchecked) private var ended: [SubjectSubscription] = []

  /// Subscriptions that may be getting their first value outside the gate.
  @exclusivity(unchecked) var gettingFirstValue: [SubjectSubscription] = []

  @usableFromInline
  init(
    name: String, hasCurrentValue: Bool, hasBackPressure: Bool = true,
    catchUp: @escaping (SubjectSubscription) -> Void
  ) {
    self.name = name
    self.hasCurrentValue = hasCurrentValue
    self.hasBackPressure = hasBackPressure
    self.catchUp = catchUp
    // A subject with a current value requests everything from its upstreams at once.
    hasDemand = Atomic(hasCurrentValue)
  }

  // MARK: Subscribing

  /// Hands a subscriber its subscription, or the completion if the subject has ended.
  ///
  /// - Parameter completion: How the subject has ended. Evaluated only if it has.
  @inlinable @inline(__always)
  func attach<S: Subscriber>(
    _ subscriber: S, to subject: AnyObject,
    completion: @autoclosure () -> Subscribers.Completion<S.Failure>
  ) {
    if isClosed.load(ordering: .acquiring) {
      return subscriber.receiveEmptyStream(completion())
    }
    let subscription = SubjectSubscription(
      hub: self, subject: subject, downstream: ErasedDownstream.make(subscriber))
    // On the list first, so that a value sent after the first request arrives.
    refresh(subscription)
    subscriber.receive(subscription: subscription)
    endHandOver(subscription)
  }

  @usableFromInline
  func endHandOver(_ subscription: SubjectSubscription) {
    subscription.handOver.end()
    // The subject may have completed, or the subscriber may have cancelled.
    refresh(subscription)
  }

  // MARK: Signals

  /// Sends a value that isn't kept to all subscribers, as a `PassthroughSubject` does.
  @inlinable
  func pass<Output, Failure: Error>(_ value: Output, failure: Failure.Type) {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    if !wasOutside { admitLatecomers() }
    if !isClosed.load(ordering: .relaxed) {
      withUnsafePointer(to: value) { send($0, version: nil, failure: failure) }
    }
    if wasOutside { leave(as: me) }
  }

  /// Offers a value to all current subscribers. Called inside the gate only.
  ///
  /// - Parameter version: The version of a current value, evaluated for each subscriber. A send
  ///   from within a delivery can change it.
  @inlinable @inline(__always)
  func send<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, version: @autoclosure () -> Int?, failure: Failure.Type
  ) {
    // Subscribers that join during the loop stand after this end, and don't get this value.
    let end = list.count
    var index = 0
    while index < end {
      list[index]?._withUnsafeGuaranteedRef {
        $0.offer(value, version: version(), failure: failure)
      }
      index += 1
    }
  }

  /// Ends the subject and delivers the completion to all subscribers. Called inside the gate only,
  /// once.
  @inlinable
  func complete<Output, Failure: Error>(
    _ completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    isClosed.store(true, ordering: .releasing)
    let end = list.count
    var index = 0
    while index < end {
      list[index]?._withUnsafeGuaranteedRef {
        $0.finish(with: completion, output: output)
        markIfEnded($0)
      }
      index += 1
    }
  }

  // MARK: Refreshing

  /// Makes sure that a thread inside the gate does what a subscription needs: adds it to the list,
  /// brings it up to date, or removes it. Doesn't wait.
  @usableFromInline
  func refresh(_ subscription: SubjectSubscription) {
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
  func refreshInside(_ subscription: SubjectSubscription) {
    if !subscription.credit.isEnded {
      if subscription.place == nil {
        subscription.place = list.count
        list.append(.passRetained(subscription))
      }
      if subscription.openIfHandedOver(),
        isClosed.load(ordering: .relaxed) || subscription.takeRequestForCurrent()
      {
        catchUp(subscription)
      }
    }
    markIfEnded(subscription)
  }

  /// Refreshes the subscriptions that other threads have noted. Called inside the gate only.
  @usableFromInline
  func refreshNoted() {
    let (changed, first) = notes.withLock { notes in
      defer {
        notes.changed = []
        notes.gettingFirstValue = []
      }
      return (notes.changed, notes.gettingFirstValue)
    }
    gettingFirstValue += first
    for subscription in changed { refreshInside(subscription) }
  }

  /// Refreshes the subscriptions that other threads have noted so far, so that the next value
  /// reaches them.
  ///
  /// A nested send calls it first. A send of a current value calls it once the value is stored,
  /// because a subscriber that's just attaching may have been given the value before.
  @inlinable @inline(__always)
  func admitLatecomers() {
    if gate.hasNotes { refreshNoted() }
  }

  /// Notes that a subscription has ended. It's removed when no delivery is running. During its
  /// hand-over, the attaching thread may be using the subscriber, so that thread comes back to this
  /// afterwards.
  @usableFromInline
  func markIfEnded(_ subscription: SubjectSubscription) {
    guard subscription.credit.isEnded, subscription.handOver.isOver, !subscription.isRemoved
    else { return }
    subscription.isRemoved = true
    // Nothing that was kept will be delivered, or released inside the gate.
    subscription.isReady = true
    ended.append(subscription)
  }

  // MARK: Leaving the gate

  /// Leaves the gate, after refreshing the subscriptions that other threads have noted meanwhile.
  @inlinable @inline(__always)
  func leave(as me: UInt = ThreadID.current) {
    if !gate.leaveUndisturbed(as: me) { leaveAfterRefreshing() }
  }

  /// Leaves the gate, after refreshing the subscriptions that other threads have noted meanwhile.
  /// Then releases the subscribers that have ended. Called by the outermost call of a thread.
  @usableFromInline
  func leaveAfterRefreshing() {
    var released: [SubjectSubscription] = []
    removeEnded(&released)
    if !gettingFirstValue.isEmpty || !gate.leaveUndisturbed() {
      gate.leave(to: threadWithFirstValue) {
        refreshNoted()
        removeEnded(&released)
      }
    }
    for subscription in released { subscription.releaseSubscriberAndSubject() }
  }

  /// Leaves the release of ended subscribers to this thread's outermost call.
  @usableFromInline
  func releaseLater() {
    if !ended.isEmpty { gate.leaveNote() }
  }

  /// Removes the subscriptions that have ended. Called only when no loop is running.
  ///
  /// - Parameter released: Receives them, for the caller to release outside the gate.
  private func removeEnded(_ released: inout [SubjectSubscription]) {
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
}
