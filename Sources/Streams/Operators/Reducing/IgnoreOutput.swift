extension Publisher {
  /// Drops all values, and publishes only the completion.
  ///
  ///     [1, 2, 3].publisher.ignoreOutput()  // finishes
  ///
  /// Requests all of upstream's values right away. The completion doesn't wait for a request.
  /// Follows Combine's `ignoreOutput()`.
  ///
  /// - Returns: A publisher without values.
  @inlinable
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// A publisher that publishes only upstream's completion; see ``Publisher/ignoreOutput()``.
  public struct IgnoreOutput<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Never
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(IgnoreOutputStage<Upstream.Output, _>(downstream: subscriber))
    }
  }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}
extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}

@usableFromInline struct IgnoreOutputStage<Input, Downstream: Subscriber>: ConsumingStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = ResultRelay<Downstream>("IgnoreOutput", showsUpstream: true)

  @inlinable init(downstream: Downstream) { self.downstream = downstream }

  @inlinable @inline(__always) func receive(_ input: Input) -> Subscribers.Demand { .none }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) { passEnd(completion) }
}
