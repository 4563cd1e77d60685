extension Publisher {
  /// Accumulates all values with a closure, and publishes the result when upstream finishes.
  ///
  ///     [1, 2, 3].publisher.reduce(10) { $0 + $1 }  // 16
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. Follows Combine's `reduce`.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start with. It's published if there are no values.
  ///   - nextPartialResult: Makes the next result from the previous one and a value. Called once
  ///     for each value, on the thread that delivers the value.
  /// - Returns: A publisher of one result.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(
      upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that accumulates all values into one result; see ``Publisher/reduce(_:_:)-(_,_)``.
  public struct Reduce<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let initial: Output
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    @inlinable
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      (self.upstream, self.initial, self.nextPartialResult) = (upstream, initial, nextPartialResult)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(ReductionStage("Reduce", subscriber, .fold(initial, nextPartialResult)))
    }
  }
}
