extension Publisher {
  /// Publishes the values in arrays of some each.
  ///
  ///     (1...5).publisher.collect(2)  // [1, 2], [3, 4], [5]
  ///
  /// A request for arrays goes up as one for so many values. What is left when upstream finishes is
  /// published in a shorter array, whether it has been requested or not; a failure drops it. Source
  /// of the rules: Combine's `collect(_:)`.
  ///
  /// - Parameter count: How many values an array holds; less than one traps.
  /// - Returns: A publisher of arrays.
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher of arrays of some values each; see ``Publisher/collect(_:)-(_)``.
  public struct CollectByCount<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many values an array holds.
    public let count: Int

    /// Makes the publisher that ``Publisher/collect(_:)-(_)`` returns.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - count: How many values an array holds; less than one traps.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      precondition(count > 0, "collect: the count must be at least 1, not \(count)")
      self.upstream = upstream
      self.count = count
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(CollectByCountStage<Upstream.Output, _>(downstream: subscriber, count: count))
    }
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

@usableFromInline
struct CollectByCountStage<Input, Downstream: Subscriber>: RelayStage, TransparentStage
where Downstream.Input == [Input] {
  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay: MultiplyingRelay

  @usableFromInline
  let collected = Memory<[Input]>([])

  @inlinable
  init(downstream: Downstream, count: Int) {
    self.downstream = downstream
    relay = MultiplyingRelay("CollectByCount", factor: count)
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    collected.value.append(input)
    guard collected.value.count == relay.factor else { return .none }
    return downstream.receive(collected.exchange(with: [])) * relay.factor
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard relay.isActive, relay.detach() != nil else { return }
    let rest = collected.exchange(with: [])
    if case .finished = completion, !rest.isEmpty { _ = downstream.receive(rest) }
    if relay.conclude() { downstream.receive(completion: completion) }
  }
}

/// A relay that requests some values for each that is requested of it.
@usableFromInline
final class MultiplyingRelay: RelaySubscription {
  @usableFromInline
  let factor: Int

  @usableFromInline
  init(_ name: String, factor: Int) {
    self.factor = factor
    super.init(name)
  }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    check(demand)
    forward(demand * factor)
  }
}
