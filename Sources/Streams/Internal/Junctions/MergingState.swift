import Synchronization

/// One of the publishers whose values are merged. Its variables are under the lock of the junction,
/// except that the caller who removes one that has ended owns its subscription from then on.
@usableFromInline
final class MergedChild {
  @exclusivity(unchecked)
  @usableFromInline
  var subscription: (any Subscription)?

  /// Its index among the attached ones.
  @exclusivity(unchecked)
  @usableFromInline
  var index = 0

  @usableFromInline
  enum Phase {
    @inlinable
    static var awaiting: UInt8 { 0 }

    @inlinable
    static var live: UInt8 { 1 }

    @inlinable
    static var ended: UInt8 { 2 }
  }

  /// Changes under the lock. Deliveries read it without.
  @usableFromInline
  let phase = Atomic<UInt8>(Phase.awaiting)

  @inlinable
  init() {}

  /// Whether its signals count: it has sent its subscription, and has not ended.
  @inlinable
  var isLive: Bool { phase.load(ordering: .relaxed) == Phase.live }
}

/// The publishers of a `flatMap` or a `merge`.
///
/// Each event is a `mutating` method that says what is to be done; the junction does it after
/// unlocking. Subscriptions are handed out too when they are let go, since a `deinit` may call
/// back.
@usableFromInline
struct MergingState {
  @usableFromInline
  var upstream = JunctionUpstream.awaiting

  /// The publishers that are attached.
  @usableFromInline
  var children: [MergedChild] = []

  @usableFromInline
  var hasEnded = false

  /// Whether the downstream wants nothing more, not even the completion.
  @usableFromInline
  var isCancelled = false

  @inlinable
  init() {}

  /// - Returns: Whether it has taken its place; it is to be cancelled otherwise.
  @inlinable
  mutating func attachUpstream(_ subscription: any Subscription) -> Bool {
    !hasEnded && upstream.attach(subscription)
  }

  /// - Returns: Whether it has taken its place; it is to be cancelled otherwise.
  @inlinable
  mutating func attach(_ subscription: any Subscription, to child: MergedChild) -> Bool {
    guard !hasEnded, child.phase.load(ordering: .relaxed) == MergedChild.Phase.awaiting else {
      return false
    }
    child.phase.store(MergedChild.Phase.live, ordering: .relaxed)
    child.subscription = subscription
    child.index = children.count
    children.append(child)
    return true
  }

  /// Takes out a publisher that has completed. Its subscription is the caller's then, to be let go.
  ///
  /// - Returns: Whether that counts: it was live, and the whole had not ended before.
  @inlinable
  mutating func remove(_ child: MergedChild) -> Bool {
    guard !hasEnded, child.isLive else { return false }
    child.phase.store(MergedChild.Phase.ended, ordering: .relaxed)
    let last = children.removeLast()
    if last !== child {
      children[child.index] = last
      last.index = child.index
    }
    return true
  }

  /// - Returns: What to request more of for a value that was flushed; `nil` if it has completed.
  @inlinable
  func subscription(of child: MergedChild) -> (any Subscription)? {
    child.isLive ? child.subscription : nil
  }

  /// - Returns: What is left over; `nil` if it had ended before.
  @inlinable
  mutating func cancel() -> JunctionRemains? {
    isCancelled = true
    return end()
  }

  /// - Returns: What is left over; `nil` if the publisher had completed before.
  @inlinable
  mutating func fail(_ child: MergedChild) -> JunctionRemains? {
    guard remove(child) else { return nil }
    let failed = child.subscription.take()
    var remains = end()
    remains?.failed = failed
    return remains
  }

  /// - Returns: What is left over; `nil` if upstream had completed before.
  @inlinable
  mutating func failUpstream() -> JunctionRemains? {
    guard let failed = upstream.complete() else { return nil }
    var remains = end()
    remains?.failed = failed
    return remains
  }

  /// - Returns: What is left over; `nil` if upstream has not completed.
  @inlinable
  mutating func finish() -> JunctionRemains? {
    upstream.isCompleted ? end() : nil
  }

  /// - Returns: What is left over; `nil` if it had ended before.
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
