/// The state of `combineLatest`; see ``CombiningState``.
///
/// - **Subscription:** downstream gets it first, before the publishers are subscribed to.
/// - **Values:** each side keeps its latest one. A value that arrives from within a delivery, or
///   while downstream has no demand, replaces the side's value and delivers nothing.
/// - **Demand** goes to all publishers at once, also from within a delivery. Returned demand goes
///   to the publisher whose value was delivered.
/// - **End:** the stream finishes once all publishers have finished.
@usableFromInline struct LatestState<Output, Failure: Error>: CombiningState {
  @usableFromInline typealias Action = CombiningAction<Output, Failure>
  @inlinable static var name: JunctionName { .combineLatest }
  @usableFromInline let sides: [Side]

  /// Combines the latest values; `nil` if a side has none. Formed where their types are known.
  @usableFromInline let combine: () -> Output?

  @usableFromInline var phase = CombiningPhase.delivering

  /// What was requested and not delivered yet.
  @usableFromInline var demand = Subscribers.Demand.none

  /// The end, until the current delivery is over.
  @usableFromInline var ending: Subscribers.Completion<Failure>?

  /// - Parameter combine: Combines the latest values; `nil` if a side has none.
  @inlinable
  init(_ sides: [Side], combine: @escaping () -> Output?) {
    self.sides = sides
    self.combine = combine
  }

  @inlinable var isOver: Bool { phase == .ended || phase == .cancelled || ending != nil }

  // MARK: From downstream

  @inlinable
  mutating func request(
    _ more: Subscribers.Demand, isWithinDelivery: Bool
  ) -> [SubscriptionObject] {
    guard !isOver else { return [] }
    demand += more
    return sides.subscriptions()
  }

  // MARK: From the publishers

  @inlinable
  mutating func attach(_ subscription: SubscriptionObject, to side: Side) -> AttachingAction {
    guard !isOver, side.attach(subscription) else { return .cancel }
    // Without this side, nothing has been delivered yet. So this is all that was ever requested.
    return .request(demand)
  }

  @inlinable
  mutating func receive<Value>(
    _ value: Value, from side: CombinedSide<Value>, replaced: inout Value?
  ) -> Action {
    guard !isOver, side.isLive else { return .wait }
    replaced = side.popFirst()
    side.append(value)
    guard phase == .idle, demand > 0, let combination = combine() else { return .wait }
    demand -= 1
    phase = .delivering
    return .deliver(combination)
  }

  @inlinable
  mutating func complete(
    _ side: Side, _ completion: Subscribers.Completion<Failure>
  ) -> Action {
    guard side.isLive else { return .wait }
    side.phase = .over
    guard !isOver else { return .wait }
    switch completion {
    case .finished: if sides.allSatisfy({ $0.isOver }) { ending = completion }
    case .failure: ending = completion
    }
    return next(for: nil)
  }

  // MARK: What's next

  @inlinable
  mutating func delivered(returning more: Subscribers.Demand, to side: Side?) -> Action {
    guard phase == .delivering else { return .wait }
    phase = .idle
    guard more > 0, !isOver else { return next(for: side) }
    demand += more
    return .request(more, from: [])
  }

  @inlinable
  mutating func next(for side: Side?) -> Action {
    guard phase == .idle, let ending = ending.take() else { return .wait }
    phase = .ended
    return .cancel(sides.end(), thenComplete: ending)
  }
}

extension CombinedSide {
  /// The latest value, if there is one.
  @inlinable var latest: Value? { values.first }
}
