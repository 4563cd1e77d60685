extension Publisher {
  /// If upstream finishes without publishing a value, publishes a value instead, and finishes.
  ///
  ///     [Int]().publisher.replaceEmpty(with: 7)  // 7
  ///
  /// The value waits until downstream requests one. A failure passes through at once, without the
  /// value.
  ///
  /// Passes downstream's requests on. Also requests all of upstream's values, as soon as downstream
  /// has its subscription, and passes each one on when it arrives. So a subscriber that requests
  /// only a few values still gets all of them. Follows Combine's `replaceEmpty(with:)`.
  ///
  /// - Parameter output: The value to publish if upstream finishes without one.
  /// - Returns: A publisher of upstream's values, or of `output`.
  @inlinable
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that publishes a value if upstream publishes none; see
  /// ``Publisher/replaceEmpty(with:)-(_)``.
  public struct ReplaceEmpty<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let output: Upstream.Output
    public let upstream: Upstream

    @inlinable
    public init(upstream: Upstream, output: Output) {
      (self.upstream, self.output) = (upstream, output)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(ReplaceEmptyStage(downstream: subscriber, output: output))
    }
  }
}

extension Publishers.ReplaceEmpty: Equatable
where Upstream: Equatable, Upstream.Output: Equatable {}
extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

/// Passes values on, and keeps the replacement for an empty stream until it's requested.
@usableFromInline struct ReplaceEmptyStage<Downstream: Subscriber>: ConsumingStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = ResultRelay<Downstream>("ReplaceEmpty", passesRequestsOn: true)
  @usableFromInline let isEmpty = Memory(true)
  @usableFromInline let output: Downstream.Input

  @inlinable
  init(downstream: Downstream, output: Downstream.Input) {
    (self.downstream, self.output) = (downstream, output)
  }

  // Downstream's requests reach upstream too, so downstream decides.
  @inlinable static var _requestsLast: _Hint<Bool> { Downstream._requestsLast }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    isEmpty.value = false
    return downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard relay.isActive else { return }
    guard case .finished = completion, isEmpty.value else { return passEnd(completion) }
    guard relay.detach().isFirst else { return }
    relay.keep(output, for: downstream)
  }
}
