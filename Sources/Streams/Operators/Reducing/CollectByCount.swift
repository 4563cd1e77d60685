extension Publisher {
  /// Collects values, and publishes them in arrays of a fixed size.
  ///
  ///     (1...5).publisher.collect(2)  // [1, 2], [3, 4], [5]
  ///
  /// A request for arrays goes upstream as a request for `count` times as many values. When
  /// upstream finishes, the remaining values are published in a shorter array, even if none was
  /// requested. A failure drops them. Follows Combine's `collect(_:)`.
  ///
  /// - Parameter count: How many values each array holds. Traps if it's less than one.
  /// - Returns: A publisher of arrays.
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher that collects values into arrays of a fixed size; see
  /// ``Publisher/collect(_:)-(_)``.
  public struct CollectByCount<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let count: Int

    @inlinable
    public init(upstream: Upstream, count: Int) {
      precondition(count > 0, "collect: the count must be at least 1, not \(count)")
      (self.upstream, self.count) = (upstream, count)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(CollectByCountStage<Upstream.Output, _>(downstream: subscriber, count: count))
    }
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}
extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}

@usableFromInline
struct CollectByCountStage<Input, Downstream: Subscriber>: RelayStage, TransparentStage
where Downstream.Input == [Input] {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: MultiplyingRelay
  @usableFromInline let collected = Memory<[Input]>([])

  @inlinable
  init(downstream: Downstream, count: Int) {
    self.downstream = downstream
    relay = MultiplyingRelay("CollectByCount", factor: count)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    collected.value.append(input)
    guard collected.value.count == relay.factor else { return .none }
    return downstream.receive(collected.exchange(with: [])) * relay.factor
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard relay.detach().isFirst else { return }
    let rest = collected.exchange(with: [])
    if case .finished = completion, !rest.isEmpty { _ = downstream.receive(rest) }
    if relay.conclude() { downstream.receive(completion: completion) }
  }
}

/// A relay that multiplies each request by a factor before it passes the request on.
@usableFromInline final class MultiplyingRelay: DetachingRelay {
  @usableFromInline let factor: Int

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
