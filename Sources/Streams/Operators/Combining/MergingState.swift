/// The state of a `flatMap` or a `merge`.
///
/// - **Places:** with a limit, a publisher needs a place from before it's made until it has
///   finished. A value that upstream sends while all are taken waits in ``early``. The thread that
///   brings the next finish then makes its publisher, and goes on with the next early value as long
///   as there are places. Meanwhile, further values join the queue. So the order is kept, and the
///   user's closure isn't called on two threads at once.
/// - **Requests to upstream:** each finish requests one value, unless an early one takes the place.
/// - **Demand:** each value takes one from downstream's demand. Without demand it waits in
///   ``waiting``, and its publisher pauses, because it's asked for the next value after that one.
/// - **The end:** the stream is done when upstream has finished, no publisher is left, and nothing
///   waits.
@usableFromInline struct MergingState<Value>: JunctionState {
  @usableFromInline var upstream = Attachment.awaiting

  /// How many publishers are requested.
  @usableFromInline let maxPublishers: Subscribers.Demand

  /// How many publishers may be unfinished. There's always a place for one, because otherwise an
  /// early value would wait forever if the limit is zero.
  @usableFromInline let places: Subscribers.Demand

  /// The number of publishers that haven't finished, including those that are being made and those
  /// that have no subscription yet.
  @usableFromInline var unfinished = 0

  /// The values that wait for a place. Each closure makes and begins a publisher.
  @usableFromInline var early = FIFO<() -> Void>()

  /// Whether a thread is working off ``early``.
  @usableFromInline var isBeginning = false

  /// The publishers that are attached, with their subscriptions.
  @usableFromInline var children: [(child: MergedChild, subscription: SubscriptionObject)] = []

  /// Downstream's outstanding demand.
  @usableFromInline var demand = Subscribers.Demand.none

  /// The values that wait for demand, with their publishers.
  @usableFromInline var waiting = FIFO<(child: MergedChild?, value: Value)>()

  /// Whether a call is working off ``waiting``. Calls from within leave that to it.
  @usableFromInline var isFlushing = false

  @inlinable
  init(maxPublishers: Subscribers.Demand) {
    self.maxPublishers = maxPublishers
    places = max(maxPublishers, .max(1))
  }

  @inlinable var isDone: Bool {
    upstream.isOver && unfinished == 0 && early.isEmpty && waiting.isEmpty
  }

  /// Upstream's comes last, as in Combine.
  @usableFromInline var subscriptions: [SubscriptionObject] {
    children.map(\.subscription) + (upstream.subscription.map { [$0] } ?? [])
  }

  // MARK: Places

  /// What to do with a value from upstream.
  @usableFromInline enum Admission {
    /// Make its publisher, which has got a place.
    case now
    /// Put it into the queue: there's no place for it, or it isn't its turn.
    case later
    /// Nothing: upstream has ended.
    case never
  }

  @inlinable
  mutating func admit() -> Admission {
    if upstream.isOver { return .never }
    guard !isBeginning, places > unfinished else { return .later }
    unfinished += 1
    return .now
  }

  /// What to do after a publisher has finished.
  @usableFromInline enum NextStep {
    case nothing
    /// Request the value that brings the next publisher.
    case request(SubscriptionObject)
    /// Begin the publishers of early values.
    case begin
    /// Finish, as soon as no value is waiting.
    case finish
  }

  @inlinable
  mutating func childFinished() -> NextStep {
    precondition(unfinished > 0, "MergingState: a publisher has finished that had no place")
    unfinished -= 1
    if beginsEarly() { return .begin }
    if upstream.isOver { return unfinished == 0 ? .finish : .nothing }
    guard maxPublishers != .unlimited, maxPublishers > unfinished + early.count,
      let subscription = upstream.subscription
    else { return .nothing }
    return .request(subscription)
  }

  /// - Returns: Whether the caller has to work off ``early`` now.
  @inlinable
  mutating func beginsEarly() -> Bool {
    guard !isBeginning, !early.isEmpty, places > unfinished else { return false }
    isBeginning = true
    return true
  }

  /// - Returns: What makes the next publisher, which has got a place; `nil` if none is left that
  ///   has one.
  @usableFromInline
  mutating func nextEarly() -> (() -> Void)? {
    precondition(isBeginning, "MergingState: a thread takes an early value out of turn")
    guard places > unfinished, let start = early.popFirst() else {
      isBeginning = false
      return nil
    }
    unfinished += 1
    return start
  }

  // MARK: Publishers

  /// - Returns: What to request from the publisher; `nil` if the caller has to cancel it.
  @inlinable
  mutating func attach(
    _ subscription: SubscriptionObject, to child: MergedChild
  ) -> Subscribers.Demand? {
    guard case .awaiting = child.place else { return nil }
    child.place = .listed(children.count)
    children.append((child, subscription))
    return demand == .unlimited ? .unlimited : .max(1)
  }

  /// Takes out a publisher that has ended.
  ///
  /// - Returns: What it was before, for the caller to release.
  @inlinable
  mutating func end(_ child: MergedChild) -> Attachment {
    switch child.place {
    case .over: return .over
    case .awaiting:
      child.place = .over
      return .awaiting
    case .listed(let index):
      // The last one moves to its place in the list.
      children[children.count - 1].child.place = .listed(index)
      children.swapAt(index, children.count - 1)
      child.place = .over
      return .attached(children.removeLast().subscription)
    }
  }

  // MARK: Values and demand

  /// - Returns: The subscriptions to request everything from, if the demand has become unlimited.
  @inlinable
  mutating func request(_ more: Subscribers.Demand) -> [SubscriptionObject] {
    if demand == .unlimited { return [] }
    guard more == .unlimited else {
      // Counts never add up to unlimited.
      demand = min(demand + more, .max(.max))
      return []
    }
    demand = .unlimited
    return children.map(\.subscription)
  }

  /// Takes a value from the demand, or lets it wait.
  ///
  /// - Returns: The demand before, if the value is delivered now; `nil` if not.
  @inlinable
  mutating func accept(_ value: Value, from child: MergedChild?) -> Subscribers.Demand? {
    if child?.isOver == true { return nil }
    guard waiting.isEmpty, demand > 0 else {
      waiting.append((child, value))
      return nil
    }
    defer { demand -= 1 }
    return demand
  }

  /// - Returns: Whether the caller has to work off ``waiting`` now.
  @inlinable
  mutating func beginsFlushing() -> Bool {
    defer { isFlushing = true }
    return !isFlushing
  }

  /// - Returns: The next value that there's demand for; `nil` if the caller is through.
  @inlinable
  mutating func nextWaiting() -> (child: MergedChild?, value: Value)? {
    precondition(isFlushing, "MergingState: a thread takes a waiting value out of turn")
    guard demand > 0, let next = waiting.popFirst() else {
      isFlushing = false
      return nil
    }
    demand -= 1
    return next
  }

  /// - Returns: The subscription to request the next value from, after one that waited.
  @inlinable
  func subscriptionToAskAgain(of child: MergedChild?) -> SubscriptionObject? {
    guard demand != .unlimited, case .listed(let index) = child?.place else { return nil }
    return children[index].subscription
  }
}

/// One of the merged publishers. The junction's lock guards it.
@usableFromInline final class MergedChild {
  @usableFromInline enum Place {
    /// It hasn't sent its subscription yet. Its values count already.
    case awaiting
    /// Its index in the list of publishers.
    case listed(Int)
    /// It has ended.
    case over
  }

  @exclusivity(unchecked) @usableFromInline var place = Place.awaiting

  @inlinable init() {}

  @inlinable var isOver: Bool { if case .over = place { true } else { false } }
}
