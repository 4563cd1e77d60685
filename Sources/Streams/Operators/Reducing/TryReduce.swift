extension Publisher {
  /// Accumulates all values with a closure that can throw, and publishes the result when upstream
  /// finishes.
  ///
  ///     ["1", "2"].publisher.tryReduce(0) { try $0 + number($1) }  // 3
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. If the closure throws, this
  /// publisher cancels upstream, then fails with that error and publishes nothing more. Upstream's
  /// own failure passes through unchanged. Follows Combine's `tryReduce`.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start with. It's published if there are no values.
  ///   - nextPartialResult: Makes the next result from the previous one and a value. Called once
  ///     for each value, on the thread that delivers the value.
  /// - Returns: A publisher of one result.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(
      upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that accumulates all values into one result with a throwing closure; see
  /// ``Publisher/tryReduce(_:_:)-(_,_)``.
  public struct TryReduce<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = any Error

    public let upstream: Upstream
    public let initial: Output
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    @inlinable
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      (self.upstream, self.initial, self.nextPartialResult) = (upstream, initial, nextPartialResult)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        ReductionStage("TryReduce", subscriber, .fold(initial, nextPartialResult)))
    }
  }
}
