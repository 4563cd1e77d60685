import Synchronization

/// The subscribers of a subject, and the gate through which it sends to them.
///
/// A thread that sends enters the gate, and delivers to each subscriber in turn. One thread at a
/// time is inside: its own sends nest, and those of other threads wait. The list of subscribers
/// changes only inside the gate too, but subscribing and cancelling don't wait for it. They enter
/// if it's empty (``refresh(_:)``), or else leave a note for the thread inside, which acts on it
/// before its next nested send, or as it leaves. That thread also releases the subscribers that
/// have ended, once it has left, because a release can run the user's code.
///
/// The class doesn't know the type of the values, so it isn't generic. ``CurrentValueHub`` adds a
/// current value.
@usableFromInline class SubjectHub: @unchecked Sendable {
  // `@unchecked`: the variables are only touched inside the gate, except `finish`.

  /// What threads outside the gate need too.
  struct Notes {
    /// Subscriptions that the thread inside the gate has to refresh.
    var changed: [SubjectSubscription] = []

    /// The subscriptions that feed the subject, in the order in which they came.
    var upstreams = Arrivals<SubscriptionObject>()
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
  /// list retains them, so that a delivery needn't. While one is running, it can grow but not
  /// shrink, so a loop by index needs no copy.
  @exclusivity(unchecked) @usableFromInline final var list: [Unmanaged<SubjectSubscription>?] = []

  /// How many places of the list are `nil`.
  @exclusivity(unchecked) private final var holes = 0

  /// Subscriptions that have ended, and will be released.
  @exclusivity(unchecked) private final var ended: [SubjectSubscription] = []

  /// Delivers the completion, once there is one. Doesn't change after ``isClosed`` is set, so any
  /// thread that has seen that may read it.
  @exclusivity(unchecked) @usableFromInline final var finish: ((ErasedSubscriber) -> Void)?

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
    if isClosed.load(ordering: .acquiring) { return attachLate(subscriber) }
    let subscription = admit(ErasedDownstream(subscriber), to: subject)
    subscriber.receive(subscription: subscription)
    endHandOver(subscription)
  }

  /// Puts a subscriber on the list before it gets its subscription, so that a value sent after its
  /// first request arrives.
  @usableFromInline
  final func admit(_ downstream: ErasedSubscriber, to subject: AnyObject) -> SubjectSubscription {
    let subscription = makeSubscription(subject: subject, downstream: downstream)
    refresh(subscription)
    return subscription
  }

  @usableFromInline
  final func endHandOver(_ subscription: SubjectSubscription) {
    subscription.endHandOver()
    // The subject may have completed meanwhile.
    refresh(subscription)
  }

  @inlinable @inline(never)
  final func attachLate<S: Subscriber>(_ subscriber: S) {
    subscriber.receive(subscription: Subscriptions.empty)
    finish?(ErasedDownstream(subscriber))
  }

  // MARK: Sending

  /// Sends a value to all subscribers.
  @inlinable
  final func send<Value>(_ value: Value) {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    if !wasOutside { admitLatecomers() }
    if !isClosed.load(ordering: .relaxed) {
      withUnsafePointer(to: value) { value in
        forEach { if $0.credit.take() { $0.deliver(value) } }
      }
    }
    if wasOutside { leave(as: me) }
  }

  /// Ends the subject and delivers the completion to all subscribers, unless it has ended before.
  @usableFromInline
  final func send<Failure>(completion: Subscribers.Completion<Failure>) {
    let wasOutside = gate.enter()
    if !isClosed.load(ordering: .relaxed) {
      let finish = { (subscriber: ErasedSubscriber) in subscriber.receive(completion: completion) }
      self.finish = finish
      isClosed.store(true, ordering: .releasing)
      forEach {
        $0.finish(finish)
        noteEnd(of: $0)
      }
    }
    if wasOutside { leave() }
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

  /// Refreshes the subscriptions that other threads have noted so far, so that the next value
  /// reaches them. A nested send calls it first.
  @inlinable @inline(__always)
  final func admitLatecomers() {
    if gate.hasNotes { refreshNoted() }
  }

  /// Leaves the gate. Called by the outermost call of a thread.
  @inlinable @inline(__always)
  final func leave(as me: UInt = ThreadID.current) {
    if !gate.leaveUndisturbed(as: me) { leaveActingOnNotes() }
  }

  @usableFromInline
  final func leaveActingOnNotes() {
    var released: [SubjectSubscription] = []
    gate.leave {
      refreshNoted()
      let more = removeEnded()
      released = released.isEmpty ? more : released + more
    }
    for subscription in released { subscription.releaseSubscriberAndSubject() }
  }

  // MARK: Refreshing

  /// Makes sure that a thread inside the gate does what a subscription needs: adds it to the list,
  /// brings it up to date, or removes it. Doesn't wait.
  @usableFromInline
  final func refresh(_ subscription: SubjectSubscription) {
    if gate.enterIfEmpty() {
      refreshInside(subscription)
      leave()
    } else if gate.isMine {
      refreshInside(subscription)
    } else {
      notes.withLock { $0.changed.append(subscription) }
      guard gate.enterOrLeaveNote() else { return }
      refreshNoted()
      leave()
    }
  }

  /// Called inside the gate only.
  @usableFromInline
  final func refreshNoted() {
    let changed = notes.withLock { notes in
      defer { notes.changed = [] }
      return notes.changed
    }
    for subscription in changed { refreshInside(subscription) }
  }

  /// Called inside the gate only.
  final func refreshInside(_ subscription: SubjectSubscription) {
    if !subscription.credit.isEnded {
      if subscription.place == nil {
        subscription.place = list.count
        list.append(.passRetained(subscription))
      }
      if let finish {
        subscription.finish(finish)
      } else if subscription.open() {
        catchUp(subscription)
      }
    }
    noteEnd(of: subscription)
  }

  /// If a subscription has ended, leaves a note to remove it when no delivery is running.
  private final func noteEnd(of subscription: SubjectSubscription) {
    guard subscription.credit.isEnded, !subscription.isRemoved, mayRemove(subscription)
    else { return }
    subscription.isRemoved = true
    ended.append(subscription)
    gate.leaveNote()
  }

  /// Takes the subscriptions that have ended out. Called only when no loop is running.
  ///
  /// - Returns: Them, for the caller to release outside the gate.
  private final func removeEnded() -> [SubjectSubscription] {
    guard !ended.isEmpty else { return [] }
    defer { ended = [] }
    for subscription in ended {
      // One that ended before it was added has no place.
      guard let place = subscription.place else { continue }
      list[place]?.release()
      list[place] = nil
      holes += 1
    }
    // Closed only now and then, so that each removal costs constant time on average.
    if 2 * holes > list.count {
      list.removeAll { $0 == nil }
      holes = 0
      for (place, subscription) in list.enumerated() {
        subscription?._withUnsafeGuaranteedRef { $0.place = place }
      }
    }
    return ended
  }

  // MARK: What a current value changes

  func makeSubscription(subject: AnyObject, downstream: ErasedSubscriber) -> SubjectSubscription {
    SubjectSubscription(hub: self, subject: subject, downstream: downstream)
  }

  /// Brings a subscription up to date while the subject hasn't ended. Called inside the gate only.
  func catchUp(_ subscription: SubjectSubscription) {}

  /// Whether no thread is using a subscription's subscriber outside the gate.
  func mayRemove(_ subscription: SubjectSubscription) -> Bool { true }
}
