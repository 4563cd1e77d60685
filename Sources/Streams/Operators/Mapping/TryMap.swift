extension Publisher {
  /// Transforms each value with a closure that can throw.
  ///
  ///     ["1", "x"].publisher.tryMap { try number($0) }  // 1, then the error for "x"
  ///
  /// If the closure throws, this publisher cancels upstream, then fails with that error and
  /// publishes nothing more. Upstream's own failure passes through unchanged. Follows Combine's
  /// `tryMap`.
  ///
  /// - Parameter transform: Returns the transformed value. Called once for each value, on the
  ///   thread that delivers the value.
  /// - Returns: A publisher that passes demand on unchanged.
  // Disfavoured, like `map`: the type checker stops at the overload in `Publishers.TryMap`.
  @_disfavoredOverload @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms each value with a throwing closure; see
  /// ``Publisher/tryMap(_:)-(_)``.
  public struct TryMap<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = any Error

    public let upstream: Upstream
    public let transform: (Upstream.Output) throws -> Output

    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      (self.upstream, self.transform) = (upstream, transform)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        CompactMapStage(
          DetachingRelay("TryMap", trapsOnNoDemand: false), subscriber, transform: transform))
    }
  }
}

extension Publishers.TryMap {
  /// Transforms each value with both closures in turn: one stage instead of two.
  ///
  /// - Parameter transform: Called with the result of the first closure.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
    tryMap(transform)
  }

  /// Transforms each value with both closures in turn, and fails if either throws: one stage
  /// instead of two.
  ///
  /// - Parameter transform: Called with the result of the first closure.
  @inlinable
  public func tryMap<T>(
    _ transform: @escaping (Output) throws -> T
  ) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap(upstream: upstream) { try transform(first($0)) }
  }
}
