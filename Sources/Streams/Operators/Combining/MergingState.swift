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

  @usableFromInline var hasEnded = false

  /// Whether downstream has cancelled, so that it doesn't even get the completion.
  @usableFromInline var isCancelled = false

  @inlinable init() {}

  /// - Returns: Whether the subscription is kept. If not, the caller cancels it.
  @inlinable
  mutating func attachUpstream(_ subscription: SubscriptionObject) -> Bool {
    !hasEnded && upstream.attach(subscription)
  }

  /// Counts a publisher that is about to be made.
  ///
  /// - Returns: Whether it's wanted: neither upstream nor the stream has ended.
  @inlinable
  mutating func admit() -> Bool {
    guard !hasEnded, !upstream.isCompleted else { return false }
    unfinished += 1
    return true
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
  }

  /// Records that a publisher has finished.
  ///
  /// - Parameter isLimited: Whether the number of live publishers is limited.
  @inlinable
  mutating func finishOne(isLimited: Bool) -> NextStep {
    unfinished -= 1
    if unfinished == 0, upstream.isCompleted { return .finish }
    if isLimited, case .attached(let subscription) = upstream { return .requestNext(subscription) }
    return .nothing
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
    return remains
  }
}
