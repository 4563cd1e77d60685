extension Publisher {
  /// Publishes what has been accumulated so far, after each value, and fails with what the closure
  /// throws.
  ///
  ///     ["1", "2", "x"].publisher.tryScan(0) { try $0 + number($1) }  // 1, 3, what "x" throws
  ///
  /// A throw cancels upstream first and is delivered then; nothing comes after it. Upstream's own
  /// failure is passed on as it is. Source of the rules: Combine's `tryScan`.
  ///
  /// - Parameters:
  ///   - initialResult: What to start with; not published itself.
  ///   - nextPartialResult: Makes the next result of the one before and a value. Called once for
  ///     each value, where the value is delivered.
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
  /// A publisher of what a throwing closure has accumulated after each value; see
  /// ``Publisher/tryScan(_:_:)-(_,_)``.
  public struct TryScan<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// What each subscription starts with.
    public let initialResult: Output

    /// Makes the next result of the one before and a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Makes the publisher that ``Publisher/tryScan(_:_:)-(_,_)`` returns.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      let nextPartialResult = nextPartialResult
      let result = Memory(initialResult)
      upstream.attach(
        TryMapStage<Upstream.Output, Upstream.Failure, _>(
          name: "TryScan", downstream: subscriber
        ) { input in
          let next = try nextPartialResult(result.value, input)
          result.value = next
          return next
        })
    }
  }
}
