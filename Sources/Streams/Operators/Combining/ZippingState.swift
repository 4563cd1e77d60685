/// The state of `zip`; see ``CombiningState``.
///
/// - **Subscription:** downstream gets it once all publishers have been subscribed to and have sent
///   theirs. Ends that come earlier wait until then. If there's a failure among them, the stream
///   fails. If not, a publisher that has finished without values finishes the stream.
/// - **Values** wait in the queue of their side. As soon as each side has one, a combination is
///   delivered, whether it was requested or not.
/// - **Demand** goes to all publishers. Demand from within a delivery is requested after it. The
///   publisher whose value completed the combination gets its share as the returned demand.
@usableFromInline struct ZippingState<Output, Failure: Error>: CombiningState {
  @usableFromInline typealias Action = CombiningAction<Output, Failure>
  @inlinable static var name: JunctionName { .zip }
  @usableFromInline let sides: [Side]

  /// Takes the first value of each side, and combines them. Formed where their types are known. It
  /// only moves values, so it may run under the lock.
  @usableFromInline let combine: () -> Output

  @usableFromInline var phase: CombiningPhase

  /// The first failure, until the current delivery is over.
  @usableFromInline var failure: Subscribers.Completion<Failure>?

  /// Demand from within the current delivery.
  @usableFromInline var requested = Subscribers.Demand.none

  /// - Parameter combine: Takes the first value of each side, which has one, and combines them.
  @inlinable
  init(_ sides: [Side], combine: @escaping () -> Output) {
    self.sides = sides
    self.combine = combine
    // Until all publishers have been subscribed to, one more is missing.
    phase = .attaching(missing: sides.count + 1)
  }

  @inlinable var isOver: Bool { phase == .ended || phase == .cancelled }

  // MARK: From downstream

  @inlinable
  mutating func request(
    _ demand: Subscribers.Demand, isWithinDelivery: Bool
  ) -> [SubscriptionObject] {
    if isWithinDelivery, phase == .delivering {
      requested += demand
      return []
    }
    return sides.subscriptions()
  }

  // MARK: From the publishers

  @inlinable
  mutating func attach(_ subscription: SubscriptionObject, to side: Side) -> AttachingAction {
    guard !isOver, side.attach(subscription) else { return .cancel }
    return countDown() ? .announce : .request(.none)
  }

  /// Counts a publisher that's there, or the end of subscribing.
  ///
  /// - Returns: Whether nothing is missing any more, so that downstream gets its subscription now.
  @inlinable
  mutating func countDown() -> Bool {
    guard case .attaching(let missing) = phase else { return false }
    phase = missing == 1 ? .delivering : .attaching(missing: missing - 1)
    return missing == 1
  }

  @inlinable
  mutating func receive<Value>(
    _ value: Value, from side: CombinedSide<Value>, replaced: inout Value?
  ) -> Action {
    guard failure == nil, side.isLive else { return .wait }
    side.append(value)
    return next(for: side)
  }

  @inlinable
  mutating func complete(
    _ side: Side, _ completion: Subscribers.Completion<Failure>
  ) -> Action {
    guard side.isLive else { return .wait }
    side.phase = .over
    if case .failure = completion, failure == nil { failure = completion }
    return next(for: nil)
  }

  // MARK: What's next

  @inlinable
  mutating func delivered(returning demand: Subscribers.Demand, to side: Side?) -> Action {
    guard phase == .delivering else { return .wait }
    requested += demand
    phase = .idle
    return end() ?? request(for: side) ?? next(for: side)
  }

  @inlinable
  mutating func next(for side: Side?) -> Action {
    guard phase == .idle else { return .wait }
    return end() ?? deliver() ?? request(for: side) ?? .wait
  }

  /// Ends the stream after a failure, or if there can't be another combination.
  @inlinable
  mutating func end() -> Action? {
    let isExhausted = sides.contains { $0.isEmpty && $0.isOver }
    guard let completion = failure.take() ?? (isExhausted ? .finished : nil) else { return nil }
    phase = .ended
    return .complete(completion, thenCancel: sides.end())
  }

  @inlinable
  mutating func deliver() -> Action? {
    if sides.contains(where: { $0.isEmpty }) { return nil }
    phase = .delivering
    return .deliver(combine())
  }

  @inlinable
  mutating func request(for side: Side?) -> Action? {
    guard requested > 0 else { return nil }
    defer { requested = .none }
    return .request(requested, from: sides.subscriptions(except: side))
  }
}

extension CombinedSide {
  /// Takes out the first value, which has to exist.
  @inlinable
  func removeFirst() -> Value {
    guard let value = popFirst() else { preconditionFailure("Zip: a value is missing") }
    return value
  }
}

extension CombiningJunction {
  /// Records that all publishers of a `zip` have been subscribed to.
  @inlinable
  func allAreSubscribed<Output, Failure>() where State == ZippingState<Output, Failure> {
    if state.withLock({ $0.countDown() }) { begin() }
  }
}
