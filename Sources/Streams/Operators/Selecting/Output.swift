extension Publisher {
  /// Publishes at most the first `maxLength` values, and finishes right after the last of them.
  ///
  ///     (1...10).publisher.prefix(2)  // 1, 2
  ///
  /// The last value is delivered, upstream is cancelled, and the stream finishes, in this order and
  /// without waiting for another value. With a length of zero, upstream is cancelled as soon as it
  /// sends a subscription, and the stream finishes without a request.
  ///
  /// Follows Combine's `prefix(_:)`, except for a length of zero, where Combine's behaviour isn't
  /// known.
  ///
  /// - Parameter maxLength: How many values to publish at most. Traps if it's negative.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    precondition(maxLength >= 0, "prefix: the length can't be negative: \(maxLength)")
    return output(in: 0..<maxLength)
  }

  /// Publishes the value at one index, and finishes right after it.
  ///
  ///     ["a", "b", "c"].publisher.output(at: 1)  // "b"
  ///
  /// Follows Combine's `output(at:)`.
  ///
  /// - Parameter index: The index of the value, counted from zero. Traps if it's negative or
  ///   `Int.max`.
  /// - Returns: A publisher that requests another value for each one it drops.
  @inlinable
  public func output(at index: Int) -> Publishers.Output<Self> {
    precondition(index >= 0, "output(at:): the index can't be negative: \(index)")
    return output(in: index...index)
  }

  /// Publishes the values in a range of indices, and finishes right after the last of them.
  ///
  ///     ["a", "b", "c", "d"].publisher.output(in: 1...2)  // "b", "c"
  ///
  /// The last value is delivered, upstream is cancelled, and the stream finishes, in this order and
  /// without waiting for another value. An empty range behaves like ``prefix(_:)-(_)`` with a
  /// length of zero. Follows Combine's `output(in:)`.
  ///
  /// - Parameter range: The indices, counted from zero. Traps if a bound is negative.
  /// - Returns: A publisher that requests another value for each one it drops.
  @inlinable
  public func output<R>(in range: R) -> Publishers.Output<Self>
  where R: RangeExpression, R.Bound == Int {
    Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }
}

extension Publishers {
  /// A publisher of the values in a range of indices; see ``Publisher/output(in:)-(_)``.
  public struct Output<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let range: CountableRange<Int>

    @inlinable
    public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(
        range.lowerBound >= 0 && range.upperBound >= 0,
        "output(in:): the bounds can't be negative: \(range)")
      (self.upstream, self.range) = (upstream, range)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(OutputStage(downstream: subscriber, range: range))
    }
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}
extension Publishers.Output: Sendable where Upstream: Sendable {}

@usableFromInline struct OutputStage<Downstream: Subscriber>: RelayStage, TransparentStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = DetachingRelay("Output")
  @usableFromInline let range: Range<Int>

  /// The index of the next value.
  @usableFromInline let index = Memory(0)

  @inlinable
  init(downstream: Downstream, range: Range<Int>) {
    (self.downstream, self.range) = (downstream, range)
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard relay.attach(subscription) else { return }
    if range.isEmpty { relay.detach().upstream?.cancel() }
    downstream.receive(subscription: relay)
    // Upstream has been cancelled by now, so there's nothing that this could be reordered with.
    if range.isEmpty, relay.conclude() { downstream.receive(completion: .finished) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let place = index.value
    // A value after the last one can only come from within the last one's delivery.
    guard !relay.isOver, place < range.upperBound else { return .none }
    index.value = place + 1
    if place < range.lowerBound { return .max(1) }
    let more = downstream.receive(input)
    if place + 1 == range.upperBound { endEarly(.finished) }
    return more
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) { passEnd(completion) }
}
