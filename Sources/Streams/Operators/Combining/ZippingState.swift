/// The rules of `zip`: a state, which each event changes, and which says what to do then.
///
/// - **Subscription:** downstream gets it once all publishers have been subscribed to and have sent
///   theirs. Ends that come earlier wait until then. If there's a failure among them, the stream
///   fails. If not, a publisher that has finished without values finishes the stream.
/// - **Values** wait in the queue of their publisher. As soon as each queue has one, a combination
///   is delivered, whether it was requested or not.
/// - **Demand** goes to all publishers. Demand from within a delivery is requested after it. The
///   publisher whose value completed the combination gets its share as the returned demand.
/// - **A publisher's signal from within a delivery** waits until the delivery is over.
///
/// ```text
/// attaching ──► delivering ◄──► idle ──► ended
///                   └─────────────────────▲     (cancelled during a delivery)
/// ```
@usableFromInline struct ZippingState<Queues, Downstream: Subscriber> {
  @usableFromInline typealias Held = HeldDownstream<Downstream>

  @usableFromInline enum Phase {
    /// Downstream gets its subscription once no publisher is missing.
    case attaching(Held, missing: Int)
    /// A thread is delivering the subscription or a combination. It has downstream, and gives it
    /// back afterwards. So the end of the stream can't release a downstream that's in use.
    case delivering
    case idle(Held)
    /// Downstream has cancelled, or it gets its completion.
    case ended
  }

  /// What to do inside the gate.
  @usableFromInline enum Action {
    case announce(to: Held)
    case deliver(Downstream.Input, to: Held)
    case complete(Subscribers.Completion<Downstream.Failure>, to: Held, Remains)
    case leave(Errand)
  }

  /// What to do outside the gate.
  @usableFromInline enum Errand {
    case nothing
    /// Request this, and return it to the publisher whose value completed the combination.
    case request(Subscribers.Demand, from: [SubscriptionObject])
    case cancel(Remains)
  }

  /// What's left at the end: subscriptions to cancel, and the rest, which is only released.
  @usableFromInline typealias Remains = (subscriptions: [SubscriptionObject], rest: [Any])

  @usableFromInline var phase: Phase
  @usableFromInline var sides: [CombinedSide]
  @usableFromInline var queues: Queues
  @usableFromInline let emptyQueues: Queues

  /// Takes the first value of each queue. It only moves values, so it may run under the lock.
  @usableFromInline let combine: (inout Queues) -> Downstream.Input

  /// The first failure. It waits until the publishers are attached and no delivery is running.
  @usableFromInline var failure: Subscribers.Completion<Downstream.Failure>?

  /// Demand from within the current delivery.
  @usableFromInline var requested = Subscribers.Demand.none

  @inlinable
  init(
    count: Int, queues: Queues, downstream: Downstream,
    combine: @escaping (inout Queues) -> Downstream.Input
  ) {
    sides = Array(repeating: CombinedSide(), count: count)
    self.queues = queues
    emptyQueues = queues
    self.combine = combine
    // Until all publishers have been subscribed to, one more is missing.
    phase = .attaching(HeldDownstream(downstream), missing: count + 1)
  }

  @inlinable var isOver: Bool { if case .ended = phase { true } else { false } }

  // MARK: From downstream

  /// - Returns: The publishers to request it from now.
  @inlinable
  mutating func request(
    _ demand: Subscribers.Demand, isWithinDelivery: Bool
  ) -> [SubscriptionObject] {
    guard isWithinDelivery, case .delivering = phase else {
      return sides.compactMap { $0.subscription }
    }
    requested += demand
    return []
  }

  @inlinable
  mutating func cancel() -> Remains {
    switch phase {
    case .idle(let downstream): end(releasing: downstream)
    case .delivering, .ended: end(releasing: nil)
    case .attaching: fatalError("Zip: a cancellation isn't possible in the state \(phase)")
    }
  }

  // MARK: From the publishers

  @inlinable
  mutating func attach(_ subscription: SubscriptionObject, to index: Int) -> Action {
    guard sides[index].attach(subscription) else {
      return .leave(.cancel(([subscription], [])))
    }
    return countDown()
  }

  /// Counts a publisher that's there, or the end of subscribing.
  @inlinable
  mutating func countDown() -> Action {
    guard case .attaching(let downstream, let missing) = phase else {
      fatalError("Zip: a subscription isn't possible in the state \(phase)")
    }
    if missing > 1 {
      phase = .attaching(downstream, missing: missing - 1)
      return .leave(.nothing)
    }
    phase = .delivering
    return .announce(to: downstream)
  }

  @inlinable
  mutating func receive(from index: Int, append: (inout Queues) -> Void) -> Action {
    guard sides[index].isLive else { return .leave(.nothing) }
    append(&queues)
    sides[index].waiting += 1
    return next()
  }

  @inlinable
  mutating func complete(
    _ index: Int, _ completion: Subscribers.Completion<Downstream.Failure>
  ) -> Action {
    guard sides[index].isLive else { return .leave(.nothing) }
    // The caller keeps its subscription, so that it isn't released here, under the lock.
    sides[index].phase = .over
    if case .failure = completion, failure == nil { failure = completion }
    return next()
  }

  // MARK: What's next

  /// Downstream has its subscription.
  @inlinable
  mutating func announced(to downstream: Held) -> Action {
    takeBack(downstream) ? next() : .leave(.cancel(([], [downstream])))
  }

  /// Downstream has got a combination.
  ///
  /// - Parameters:
  ///   - demand: The demand that it has returned.
  ///   - index: The publisher whose value led to the delivery, which gets the demand.
  @inlinable
  mutating func delivered(
    to downstream: Held, returning demand: Subscribers.Demand, for index: Int?
  ) -> Action {
    guard takeBack(downstream) else { return .leave(.cancel(([], [downstream]))) }
    requested += demand
    return requested > 0 && !isAtEnd ? request(for: index) : next()
  }

  /// Takes downstream back after a delivery.
  ///
  /// - Returns: Whether it's still wanted. If it has cancelled, the caller releases it.
  @inlinable
  mutating func takeBack(_ downstream: Held) -> Bool {
    switch phase {
    case .delivering: phase = .idle(downstream)
    case .ended: return false
    case .attaching, .idle: fatalError("Zip: nothing was delivered in the state \(phase)")
    }
    return true
  }

  /// What to do while nothing is being delivered.
  @inlinable
  mutating func next() -> Action {
    guard case .idle(let downstream) = phase else { return .leave(.nothing) }
    if isAtEnd {
      return .complete(failure.take() ?? .finished, to: downstream, end(releasing: downstream))
    }
    if sides.allSatisfy({ $0.waiting > 0 }) {
      for index in sides.indices { sides[index].waiting -= 1 }
      phase = .delivering
      return .deliver(combine(&queues), to: downstream)
    }
    // What was requested with the subscription. The demand of a delivery is requested after it.
    return requested > 0 ? request(for: nil) : .leave(.nothing)
  }

  /// Whether a publisher has failed, or there can't be another combination.
  @inlinable var isAtEnd: Bool {
    failure != nil || sides.contains { $0.waiting == 0 && $0.isOver }
  }

  @inlinable
  mutating func end(releasing downstream: Held?) -> Remains {
    let remains: Remains = (sides.compactMap { $0.subscription }, [queues, downstream as Any])
    queues = emptyQueues
    for index in sides.indices { sides[index].phase = .over }
    phase = .ended
    return remains
  }

  /// Requests the demand of a delivery. The publisher whose value led to it gets it returned.
  @inlinable
  mutating func request(for index: Int?) -> Action {
    defer { requested = .none }
    let others = sides.indices.compactMap { $0 == index ? nil : sides[$0].subscription }
    return .leave(.request(requested, from: others))
  }
}

/// One of the publishers of a `zip` or a `combineLatest`.
@usableFromInline struct CombinedSide {
  @usableFromInline enum Phase {
    /// It hasn't sent a subscription yet.
    case awaiting
    case live(SubscriptionObject)
    /// It has ended, or has been cancelled. It sends nothing more.
    case over
  }

  @usableFromInline var phase = Phase.awaiting

  /// How many of its values wait for the other publishers of a `zip`.
  @usableFromInline var waiting = 0

  @inlinable init() {}

  @inlinable var isLive: Bool { if case .live = phase { true } else { false } }
  @inlinable var isOver: Bool { if case .over = phase { true } else { false } }

  @inlinable var subscription: SubscriptionObject? {
    if case .live(let subscription) = phase { subscription } else { nil }
  }

  /// Keeps a subscription.
  ///
  /// - Returns: Whether it's the first one. If not, the caller cancels it.
  @inlinable
  mutating func attach(_ subscription: SubscriptionObject) -> Bool {
    guard case .awaiting = phase else { return false }
    phase = .live(subscription)
    return true
  }
}

extension FIFO {
  /// Takes out the first value, which has to exist.
  @inlinable
  mutating func removeFirst() -> Element {
    guard let first = popFirst() else { preconditionFailure("Zip: a value is missing") }
    return first
  }
}
