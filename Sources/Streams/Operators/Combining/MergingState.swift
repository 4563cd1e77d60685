import Synchronization

/// One of the merged publishers. The junction's lock guards its variables, with one exception: when
/// a caller removes a publisher that has ended, its subscription belongs to that caller.
@usableFromInline final class MergedChild {
  @exclusivity(unchecked) @usableFromInline var subscription: SubscriptionObject?

  /// Its index in ``MergingState/children``.
  @exclusivity(unchecked) @usableFromInline var index = 0

  @usableFromInline enum Phase {
    @inlinable static var awaiting: UInt8 { 0 }

    @inlinable static var live: UInt8 { 1 }

    @inlinable static var ended: UInt8 { 2 }
  }

  /// Changes under the lock. Deliveries read it without the lock.
  @usableFromInline let phase = Atomic<UInt8>(Phase.awaiting)

  @inlinable init() {}

  /// Whether it has sent its subscription and hasn't ended.
  @inlinable var isLive: Bool { phase.load(ordering: .relaxed) == Phase.live }

  /// Whether its signals don't count any more. They do before its subscription.
  @inlinable var hasEnded: Bool { phase.load(ordering: .relaxed) == Phase.ended }
}

/// The publishers of a `flatMap` or a `merge`.
///
/// Each event is a `mutating` method that returns what to do, and the junction does it after
/// unlocking. Subscriptions that only have to be released are returned too, because a `deinit` may
/// call back.
@usableFromInline struct MergingState {
  @usableFromInline var upstream = JunctionUpstream.awaiting

  /// The publishers that are attached.
  @usableFromInline var children: [MergedChild] = []

  /// The number of publishers that haven't finished, including those that are being made and those
  /// that have no subscription yet.
  @usableFromInline var unfinished = 0

  /// The values that upstream has sent too early: it wasn't asked for them, and as many publishers
  /// as allowed are unfinished, or a thread is still beginning those before. Each closure makes and
  /// begins a publisher.
  @usableFromInline var early = FIFO<() -> Void>()

  /// How many of them have got a place. They count as unfinished, so they needn't be requested.
  @usableFromInline var due = 0

  /// Whether a thread is beginning those that are due, one after another. As long as it does, each
  /// value from upstream waits for it, so that the user's closure isn't called on two threads at
  /// once, and the order is kept.
  @usableFromInline var isBeginning = false

  @usableFromInline var hasEnded = false

  /// Whether downstream has cancelled, so that it doesn't even get the completion.
  @usableFromInline var isCancelled = false

  @inlinable init() {}

  /// - Returns: Whether the subscription is kept. If not, the caller cancels it.
  @inlinable
  mutating func attachUpstream(_ subscription: SubscriptionObject) -> Bool {
    !hasEnded && upstream.attach(subscription)
  }

  /// What to do with a value from upstream.
  @usableFromInline enum Admission {
    /// Make its publisher, which has been counted.
    case now
    /// Put it off: there's no place for it, or it isn't its turn.
    case later
    /// Nothing: upstream or the stream has ended.
    case never
  }

  /// Counts a publisher that is about to be made, if there's a place for it and it's its turn.
  ///
  /// - Parameter limit: How many may be unfinished. There's always a place for one, because
  ///   otherwise an early value would wait forever if the limit is zero.
  @inlinable
  mutating func admit(limit: Subscribers.Demand) -> Admission {
    guard !hasEnded, !upstream.isCompleted else { return .never }
    guard !isBeginning, hasPlace(limit: limit) else { return .later }
    unfinished += 1
    return .now
  }

  @inlinable
  func hasPlace(limit: Subscribers.Demand) -> Bool { unfinished == 0 || limit > unfinished }

  /// Puts off a value, unless its publisher can be made meanwhile. If there's a place for it, the
  /// thread that is beginning others takes it next.
  @usableFromInline
  mutating func putOff(_ start: @escaping () -> Void, limit: Subscribers.Demand) -> Admission {
    let admission = admit(limit: limit)
    guard case .later = admission else { return admission }
    early.append(start)
    if hasPlace(limit: limit) {
      unfinished += 1
      due += 1
    }
    return .later
  }

  /// - Returns: What begins the next publisher that is due, if there's one. If not, the calling
  ///   thread has begun them all.
  @usableFromInline
  mutating func nextDue() -> (() -> Void)? {
    guard !hasEnded, due > 0, let next = early.popFirst() else {
      isBeginning = false
      return nil
    }
    due -= 1
    return next
  }

  /// - Returns: Whether the subscription is kept. If not, the caller cancels it.
  @inlinable
  mutating func attach(_ subscription: SubscriptionObject, to child: MergedChild) -> Bool {
    guard !hasEnded, child.phase.load(ordering: .relaxed) == MergedChild.Phase.awaiting else {
      return false
    }
    child.phase.store(MergedChild.Phase.live, ordering: .relaxed)
    child.subscription = subscription
    child.index = children.count
    children.append(child)
    return true
  }

  /// Takes out a publisher that has completed. Its subscription then belongs to the caller, who
  /// releases it.
  ///
  /// - Returns: Whether this counts: neither the publisher nor the stream had ended.
  @inlinable
  mutating func remove(_ child: MergedChild) -> Bool {
    guard !hasEnded, !child.hasEnded else { return false }
    let isListed = child.isLive
    child.phase.store(MergedChild.Phase.ended, ordering: .relaxed)
    guard isListed else { return true }
    let last = children.removeLast()
    if last !== child {
      children[child.index] = last
      last.index = child.index
    }
    return true
  }

  /// What to do after a publisher has finished.
  @usableFromInline enum NextStep {
    case nothing
    /// Finish, as soon as no value is waiting.
    case finish
    /// Request the value that brings the next publisher.
    case requestNext(SubscriptionObject)
    /// Begin the publishers of early values that are due.
    case beginDue
  }

  /// Records that a publisher has finished.
  ///
  /// - Parameter isLimited: Whether the number of live publishers is limited.
  @inlinable
  mutating func finishOne(isLimited: Bool) -> NextStep {
    if isLimited, due < early.count { return givePlaceToEarly() }
    unfinished -= 1
    if unfinished == 0, upstream.isCompleted { return .finish }
    if isLimited, case .attached(let subscription) = upstream { return .requestNext(subscription) }
    return .nothing
  }

  /// Gives a place to a value that upstream has sent already, so the number of publishers stays.
  @usableFromInline
  mutating func givePlaceToEarly() -> NextStep {
    due += 1
    if isBeginning { return .nothing }
    isBeginning = true
    return .beginDue
  }

  /// - Returns: The subscription to request the next value from, after one from the queue was
  ///   delivered; `nil` if its publisher has ended.
  @inlinable
  func subscription(of child: MergedChild) -> SubscriptionObject? {
    child.isLive ? child.subscription : nil
  }

  /// - Returns: The subscriptions that are left over; `nil` if the stream had ended before.
  @inlinable
  mutating func cancel() -> JunctionRemains? {
    isCancelled = true
    return end()
  }

  /// - Returns: The subscriptions that are left over; `nil` if the publisher had ended.
  @inlinable
  mutating func fail(_ child: MergedChild) -> JunctionRemains? {
    guard remove(child) else { return nil }
    let failed = child.subscription.take()
    var remains = end()
    remains?.failed = failed
    return remains
  }

  /// - Returns: The subscriptions that are left over; `nil` if upstream had ended before.
  @inlinable
  mutating func failUpstream() -> JunctionRemains? {
    let (isFirst, failed) = upstream.complete()
    guard isFirst else { return nil }
    var remains = end()
    remains?.failed = failed
    return remains
  }

  /// - Returns: The subscriptions that are left over; `nil` if upstream or a publisher hasn't
  ///   finished, or the stream had ended before.
  @inlinable
  mutating func finish() -> JunctionRemains? {
    upstream.isCompleted && unfinished == 0 ? end() : nil
  }

  /// - Returns: The subscriptions that are left over; `nil` if the stream had ended before.
  @inlinable
  mutating func end() -> JunctionRemains? {
    guard !hasEnded else { return nil }
    hasEnded = true
    var remains = JunctionRemains()
    // Upstream last, as in Combine.
    remains.subscriptions = children.compactMap { $0.subscription.take() }
    if let last = upstream.end() { remains.subscriptions.append(last) }
    children = []
    swap(&early, &remains.early)
    return remains
  }
}
