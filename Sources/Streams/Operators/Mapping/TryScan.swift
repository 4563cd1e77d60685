extension Publisher {
  /// Accumulates the values with a closure that can throw, and publishes the result after each
  /// value.
  ///
  ///     ["1", "2", "x"].publisher.tryScan(0) { try $0 + number($1) }  // 1, 3, the error for "x"
  ///
  /// If the closure throws, this publisher cancels upstream, then fails with that error and
  /// publishes nothing more. Upstream's own failure passes through unchanged. Follows Combine's
  /// `tryScan`.
  ///
  /// - Parameters:
  ///   - initialResult: The result to start with. It isn't published itself.
  ///   - nextPartialResult: Makes the next result from the previous one and a value. Called once
  ///     for each value, on the thread that delivers the value.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.TryScan(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// A publisher that accumulates values with a throwing closure and publishes each result; see
  /// ``Publisher/tryScan(_:_:)-(_,_)``.
  public struct TryScan<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = any Error

    public let upstream: Upstream
    public let initialResult: Output
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let result = Memory(initialResult)
      upstream.attachThrowing(
        CompactMapStage(DetachingRelay("TryScan", trapsOnNoDemand: false), subscriber) {
          [nextPartialResult] input in
          let next = try nextPartialResult(result.value, input)
          result.value = next
          return next
        })
    }
  }
}
