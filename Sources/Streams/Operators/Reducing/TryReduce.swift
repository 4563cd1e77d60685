extension Publisher {
  /// Publishes what has been accumulated of all values, when upstream finishes, and fails with what
  /// the closure throws.
  ///
  ///     ["1", "2"].publisher.tryReduce(0) { try $0 + number($1) }  // 3
  ///
  /// All values are requested at once, whatever is requested of this publisher; the result waits
  /// for a request. A failure does not wait. A throw cancels upstream first and is delivered then;
  /// nothing comes after it. Upstream's own failure is passed on as it is. Source of the rules:
  /// Combine's `tryReduce`.
  ///
  /// - Parameters:
  ///   - initialResult: What to start with; published if there are no values.
  ///   - nextPartialResult: Makes the next result of the one before and a value. Called once for
  ///     each value, where the value is delivered.
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
  /// A publisher of what a throwing closure has accumulated of all values; see
  /// ``Publisher/tryReduce(_:_:)-(_,_)``.
  public struct TryReduce<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// What each subscription starts with.
    public let initial: Output

    /// Makes the next result of the one before and a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Makes the publisher that ``Publisher/tryReduce(_:_:)-(_,_)`` returns.
    @inlinable
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      upstream.attach(
        TryReductionStage<_, Upstream.Failure, _>(
          name: "TryReduce", downstream: subscriber,
          method: Fold<_, _, any Error>(initial, nextPartialResult)))
    }
  }
}
