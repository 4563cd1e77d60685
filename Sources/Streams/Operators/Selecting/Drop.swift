extension Publisher {
  /// Drops the first values, and publishes the others.
  ///
  ///     (1...5).publisher.dropFirst(2)  // 3, 4, 5
  ///
  /// Downstream gets its subscription before upstream is subscribed to. The values to drop are
  /// requested in addition to those that downstream requests, as soon as upstream sends its
  /// subscription. So they're dropped even if downstream requests nothing. The end of upstream
  /// passes through unchanged. Follows Combine's `dropFirst(_:)`.
  ///
  /// - Parameter count: How many values to drop. If it's negative, subscribing traps.
  /// - Returns: A publisher that requests `count` values more than downstream does.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// A publisher that drops the first values; see ``Publisher/dropFirst(_:)-(_)``.
  public struct Drop<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let count: Int

    @inlinable
    public init(upstream: Upstream, count: Int) {
      (self.upstream, self.count) = (upstream, count)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      precondition(count >= 0, "dropFirst: the count can't be negative: \(count)")
      let stage = DropStage(downstream: subscriber, count: count)
      subscriber.receive(subscription: stage.relay)
      upstream.attach(stage)
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}
extension Publishers.Drop: Sendable where Upstream: Sendable {}

@usableFromInline struct DropStage<Downstream: Subscriber>: RelayStage, TransparentStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = LateRelay("Drop")
  @usableFromInline let count: Int

  /// How many values are still to be dropped.
  @usableFromInline let remaining: Memory<Int>

  @inlinable
  init(downstream: Downstream, count: Int) {
    (self.downstream, self.count) = (downstream, count)
    remaining = Memory(count)
  }

  // Yes, whatever downstream does: it has its subscription already.
  @inlinable static var _requestsLast: _Hint<Bool> { .yes }

  @inlinable
  func receive(subscription: any Subscription) {
    relay.attachLate(subscription, requesting: count)
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard !relay.isOver else { return .none }
    let count = remaining.value
    if count == 0 { return downstream.receive(input) }
    remaining.value = count - 1
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) { passEnd(completion) }
}
