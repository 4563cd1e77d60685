import Synchronization

/// One of the publishers whose values are merged. Its variables are under the lock of the junction;
/// the subscription of one that has ended belongs to whoever has removed it.
@usableFromInline
final class MergedChild {
  @exclusivity(unchecked)
  @usableFromInline
  var subscription: (any Subscription)?

  /// Where it stands among the attached ones.
  @exclusivity(unchecked)
  @usableFromInline
  var index = 0

  /// Changes under the lock, and is read by whoever delivers.
  @usableFromInline
  let hasEnded = Atomic<Bool>(false)

  @inlinable
  init() {}
}

/// What a `flatMap` or a `merge` knows of its publishers.
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
    guard !hasEnded, !child.hasEnded.load(ordering: .relaxed), child.subscription == nil else {
      return false
    }
    child.subscription = subscription
    child.index = children.count
    children.append(child)
    return true
  }

  /// Takes out a publisher that has completed. Its subscription is the caller's then, to be let go.
  ///
  /// - Returns: Whether that is news: neither it nor the whole had ended before.
  @inlinable
  mutating func remove(_ child: MergedChild) -> Bool {
    guard !hasEnded, !child.hasEnded.load(ordering: .relaxed) else { return false }
    child.hasEnded.store(true, ordering: .relaxed)
    guard child.subscription != nil else { return true }
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
    child.hasEnded.load(ordering: .relaxed) ? nil : child.subscription
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
    guard let old = upstream.complete() else { return nil }
    var remains = end()
    remains?.failed = old.subscription
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
    if let last = upstream.complete()?.subscription { remains.subscriptions.append(last) }
    children = []
    return remains
  }
}
