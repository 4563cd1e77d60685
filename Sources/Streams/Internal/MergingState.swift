/// One of the publishers whose values are merged. Its state is under the lock of the junction.
@usableFromInline
final class MergedChild {
  @usableFromInline
  var subscription: (any Subscription)?

  /// Where it stands among the live ones; `nil` once it has ended.
  @usableFromInline
  var index: Int?

  @inlinable
  init(index: Int) { self.index = index }
}

/// What a `flatMap` or a `merge` knows: who is live, what is wanted, and what waits.
///
/// Each event is a `mutating` method that says what is to be done; the junction does it after
/// unlocking. Subscriptions are handed out too when they are let go, since a `deinit` may call back.
@usableFromInline
struct MergingState<Value> {
  @usableFromInline
  enum Upstream {
    case awaiting
    case attached(any Subscription)
    case completed
  }

  /// What a publisher that has completed leaves behind.
  @usableFromInline
  struct Removal {
    /// To be let go.
    @usableFromInline
    var subscription: (any Subscription)?

    /// The upstream, if it is to be asked for one value more.
    @usableFromInline
    var upstream: (any Subscription)?

    @inlinable
    init(subscription: (any Subscription)? = nil) { self.subscription = subscription }
  }

  /// What is to be let go, or cancelled and let go, at the end.
  @usableFromInline
  struct Remains {
    @usableFromInline
    var subscriptions: [any Subscription] = []

    @usableFromInline
    var values: [(MergedChild, Value)] = []

    /// Whose failure is the end; it is not cancelled.
    @usableFromInline
    var failed: (any Subscription)?

    @inlinable
    init() {}

    @inlinable
    func cancel() {
      for subscription in subscriptions { subscription.cancel() }
    }
  }

  @usableFromInline
  let maxPublishers: Subscribers.Demand

  @usableFromInline
  var upstream = Upstream.awaiting

  @usableFromInline
  var children: [MergedChild] = []

  @usableFromInline
  var demand = Subscribers.Demand.none

  @usableFromInline
  var waiting = FIFO<(MergedChild, Value)>()

  @usableFromInline
  var isFlushing = false

  @usableFromInline
  var hasEnded = false

  /// Whether the downstream wants nothing more, not even the completion.
  @usableFromInline
  var isCancelled = false

  @inlinable
  init(maxPublishers: Subscribers.Demand) { self.maxPublishers = maxPublishers }

  /// - Returns: What to request from it; `nil` if it is to be cancelled.
  @inlinable
  mutating func attachUpstream(_ subscription: any Subscription) -> Subscribers.Demand? {
    guard !hasEnded, case .awaiting = upstream else { return nil }
    upstream = .attached(subscription)
    return maxPublishers
  }

  /// - Returns: A place for a new publisher; `nil` after the end.
  @inlinable
  mutating func makeChild() -> MergedChild? {
    guard !hasEnded, case .attached = upstream else { return nil }
    let child = MergedChild(index: children.count)
    children.append(child)
    return child
  }

  /// - Returns: What to request from it; `nil` if it is to be cancelled.
  @inlinable
  mutating func attach(
    _ subscription: any Subscription, to child: MergedChild
  ) -> Subscribers.Demand? {
    guard !hasEnded, child.index != nil, child.subscription == nil else { return nil }
    child.subscription = subscription
    return childDemand
  }

  @usableFromInline
  enum Arrival {
    case deliver(isUnlimited: Bool)
    case wait
    case drop
  }

  @inlinable
  mutating func arrive(_ value: Value, from child: MergedChild) -> Arrival {
    if hasEnded || child.index == nil { return .drop }
    guard waiting.isEmpty, demand > 0 else {
      waiting.append((child, value))
      return .wait
    }
    demand -= 1
    return .deliver(isUnlimited: demand == .unlimited)
  }

  /// - Returns: The live publishers to be asked for all they have, and whether something waits.
  @inlinable
  mutating func add(
    _ more: Subscribers.Demand
  ) -> (unlimited: [any Subscription], hasWaiting: Bool) {
    guard !hasEnded else { return ([], false) }
    let wasUnlimited = demand == .unlimited
    demand += more
    let turnsUnlimited = !wasUnlimited && demand == .unlimited
    return (turnsUnlimited ? children.compactMap(\.subscription) : [], !waiting.isEmpty)
  }

  /// - Returns: Whether the caller is to deliver what waits; somebody does already otherwise.
  @inlinable
  mutating func beginFlush() -> Bool {
    defer { isFlushing = true }
    return !isFlushing
  }

  /// - Returns: The next value to deliver; `nil` if there is none or no demand, and the flush over.
  @inlinable
  mutating func nextToFlush() -> (MergedChild, Value)? {
    guard demand > 0, let next = waiting.popFirst() else {
      isFlushing = false
      return nil
    }
    demand -= 1
    return next
  }

  /// - Returns: Whom to ask for one value more, after a value of its was flushed.
  @inlinable
  func refill(_ child: MergedChild) -> (any Subscription)? {
    demand == .unlimited ? nil : child.subscription
  }

  /// - Returns: What it leaves behind; `nil` if it had completed before.
  @inlinable
  mutating func remove(_ child: MergedChild) -> Removal? {
    guard let index = child.index else { return nil }
    var removal = Removal(subscription: child.subscription.take())
    child.index = nil
    let last = children.removeLast()
    if last !== child {
      children[index] = last
      last.index = index
    }
    if maxPublishers != .unlimited, case .attached(let subscription) = upstream {
      removal.upstream = subscription
    }
    return removal
  }

  /// - Returns: What it leaves behind; `nil` if it had completed before.
  @inlinable
  mutating func removeUpstream() -> Removal? {
    switch upstream {
    case .completed: return nil
    case .awaiting:
      upstream = .completed
      return Removal()
    case .attached(let subscription):
      upstream = .completed
      return Removal(subscription: subscription)
    }
  }

  /// - Returns: Whether everything is through; it is the end then.
  @inlinable
  mutating func endIfDone() -> Bool {
    guard !hasEnded, case .completed = upstream, children.isEmpty, waiting.isEmpty else {
      return false
    }
    hasEnded = true
    return true
  }

  /// - Returns: What is left over; `nil` if it had ended before.
  @inlinable
  mutating func cancel() -> Remains? {
    isCancelled = true
    return end()
  }

  /// - Returns: What is left over; `nil` if the publisher had completed before.
  @inlinable
  mutating func fail(_ child: MergedChild) -> Remains? {
    remove(child).flatMap { end(afterRemovalOf: $0) }
  }

  /// - Returns: What is left over; `nil` if upstream had completed before.
  @inlinable
  mutating func failUpstream() -> Remains? {
    removeUpstream().flatMap { end(afterRemovalOf: $0) }
  }

  @inlinable
  mutating func end(afterRemovalOf failed: Removal) -> Remains? {
    var remains = end()
    remains?.failed = failed.subscription
    return remains
  }

  @inlinable
  mutating func end() -> Remains? {
    guard !hasEnded else { return nil }
    hasEnded = true
    var remains = Remains()
    // Upstream last, as in Combine.
    remains.subscriptions = children.compactMap(\.subscription)
    if case .attached(let subscription) = upstream { remains.subscriptions.append(subscription) }
    remains.values = waiting.removeAll()
    for child in children {
      child.index = nil
      child.subscription = nil
    }
    upstream = .completed
    children = []
    return remains
  }

  @inlinable
  var childDemand: Subscribers.Demand {
    demand == .unlimited ? .unlimited : .max(1)
  }

  /// What a publisher may send for one that was delivered.
  @inlinable
  var replacement: Subscribers.Demand { demand == .unlimited ? .none : .max(1) }
}
