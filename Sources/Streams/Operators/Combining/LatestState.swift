/// The rules of `combineLatest`: a state, which each event changes.
///
/// - **Subscription:** downstream gets it first, before the publishers are subscribed to.
/// - **Values:** each publisher's latest one is kept. A value that arrives from within a delivery,
///   or while downstream has no demand, replaces it and delivers nothing.
/// - **Demand** goes to all publishers at once, also from within a delivery. Returned demand goes
///   to the publisher whose value was delivered.
/// - **End:** the stream finishes once all publishers have finished. After a failure, the other
///   publishers are cancelled first. If downstream cancels meanwhile, it gets no completion.
///
/// ```text
/// delivering ◄──► idle ──► ending ──► ended
///     └────────────┴───────────────────▲     (cancelled)
/// ```
@usableFromInline struct LatestState<Values, Downstream: Subscriber> {
  @usableFromInline typealias Held = HeldDownstream<Downstream>
  @usableFromInline typealias Completion = Subscribers.Completion<Downstream.Failure>

  @usableFromInline enum Phase {
    /// A thread is delivering the subscription or a combination. It has downstream, and gives it
    /// back afterwards. So the end of the stream can't release a downstream that's in use.
    case delivering
    case idle(Held)
    /// The publishers are being cancelled. Then downstream gets this completion.
    case ending(Held, Completion)
    /// Downstream has cancelled, or it gets its completion.
    case ended
  }

  /// What's left at the end: subscriptions to cancel, and what is only released.
  @usableFromInline typealias Remains = (
    subscriptions: [SubscriptionObject], values: Values, downstream: Held?
  )

  // It begins with the delivery of the subscription.
  @usableFromInline var phase = Phase.delivering
  @usableFromInline var sides: [CombinedSide]
  @usableFromInline var values: Values
  @usableFromInline let noValues: Values

  /// Combines the latest values; `nil` if one is missing.
  @usableFromInline let combine: (Values) -> Downstream.Input?

  /// What was requested and not delivered yet.
  @usableFromInline var demand = Subscribers.Demand.none

  /// The end of the stream. It waits until no delivery is running.
  @usableFromInline var completion: Completion?

  /// - Parameter values: Where the latest values will be.
  @inlinable
  init(count: Int, values: Values, combine: @escaping (Values) -> Downstream.Input?) {
    sides = Array(repeating: CombinedSide(), count: count)
    self.values = values
    noValues = values
    self.combine = combine
  }

  @inlinable var isOver: Bool {
    switch phase {
    case .delivering, .idle: completion != nil
    case .ending, .ended: true
    }
  }

  // MARK: From downstream

  /// - Returns: The publishers to request it from.
  @inlinable
  mutating func request(_ more: Subscribers.Demand) -> [SubscriptionObject] {
    guard !isOver else { return [] }
    demand += more
    return sides.compactMap { $0.subscription }
  }

  @inlinable
  mutating func cancel() -> Remains {
    defer { phase = .ended }
    return switch phase {
    case .idle(let downstream), .ending(let downstream, _): endSides(releasing: downstream)
    case .delivering, .ended: endSides(releasing: nil)
    }
  }

  @inlinable
  mutating func endSides(releasing downstream: Held?) -> Remains {
    let remains = (sides.compactMap { $0.subscription }, values, downstream)
    values = noValues
    for index in sides.indices { sides[index].phase = .over }
    return remains
  }

  // MARK: From the publishers

  /// - Returns: The demand for the publisher; `nil` if its subscription comes too late.
  @inlinable
  mutating func attach(_ subscription: SubscriptionObject, to index: Int) -> Subscribers.Demand? {
    guard !isOver, sides[index].attach(subscription) else { return nil }
    // Without this publisher, nothing has been delivered yet. So this is all that was requested.
    return demand
  }

  /// - Returns: A combination to deliver, and downstream, if there is one now.
  @inlinable
  mutating func receive(
    from index: Int, keep: (inout Values) -> Void
  ) -> (Downstream.Input, Held)? {
    guard sides[index].isLive, !isOver else { return nil }
    keep(&values)
    guard demand > 0, case .idle(let downstream) = phase, let combination = combine(values) else {
      return nil
    }
    demand -= 1
    phase = .delivering
    return (combination, downstream)
  }

  @inlinable
  mutating func complete(_ index: Int, _ completion: Completion) {
    guard sides[index].isLive else { return }
    sides[index].phase = .over
    guard !isOver else { return }
    switch completion {
    case .finished: if sides.allSatisfy({ $0.isOver }) { self.completion = completion }
    case .failure: self.completion = completion
    }
  }

  // MARK: After a delivery

  /// Takes downstream back, unless it has cancelled, and adds the demand that it has returned.
  ///
  /// - Returns: The demand for the publisher whose value was delivered.
  @inlinable
  mutating func delivered(
    to downstream: Held, returning more: Subscribers.Demand
  ) -> Subscribers.Demand {
    switch phase {
    case .delivering: phase = .idle(downstream)
    case .ended: return .none
    case .idle, .ending:
      fatalError("CombineLatest: nothing was delivered in the state \(phase)")
    }
    guard !isOver else { return .none }
    demand += more
    return more
  }

  /// Begins the end of the stream, if it's due.
  ///
  /// - Returns: What to cancel before downstream gets its completion.
  @inlinable
  mutating func beginEnd() -> Remains? {
    guard let completion, case .idle(let downstream) = phase else { return nil }
    self.completion = nil
    phase = .ending(downstream, completion)
    return endSides(releasing: nil)
  }

  /// Ends the stream, unless downstream has cancelled.
  @inlinable
  mutating func end() -> (Held, Completion)? {
    switch phase {
    case .ending(let downstream, let completion):
      phase = .ended
      return (downstream, completion)
    case .ended: return nil
    case .delivering, .idle:
      fatalError("CombineLatest: the end hasn't begun in the state \(phase)")
    }
  }
}
