extension Publisher {
  /// Publishes only the values for which a closure that can throw returns `true`.
  ///
  ///     ["a", "", "b"].publisher.tryFilter { try !isForbidden($0) }  // "a", then the error for ""
  ///
  /// If the closure throws, this publisher cancels upstream, then fails with that error and
  /// publishes nothing more. Upstream's own failure passes through unchanged. Follows Combine's
  /// `tryFilter`.
  ///
  /// - Parameter isIncluded: Returns whether to keep the value. Called once for each value, on the
  ///   thread that delivers the value.
  /// - Returns: A publisher that requests another value for each one it drops.
  // Disfavoured, like `map`: the type checker stops at the overload in `Publishers.TryFilter`.
  @_disfavoredOverload @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher of the values for which a throwing closure returns `true`; see
  /// ``Publisher/tryFilter(_:)-(_)``.
  public struct TryFilter<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let isIncluded: (Upstream.Output) throws -> Bool

    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      (self.upstream, self.isIncluded) = (upstream, isIncluded)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        CompactMapStage(DetachingRelay("TryFilter"), subscriber) { [isIncluded] in
          try isIncluded($0) ? $0 : nil
        })
    }
  }
}

extension Publishers.TryFilter {
  /// Publishes only the values for which both closures return `true`: one stage instead of two.
  ///
  /// - Parameter isIncluded: Called with the values for which the first closure returns `true`.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    tryFilter(isIncluded)
  }

  /// Publishes only the values for which both closures return `true`, and fails if either throws:
  /// one stage instead of two.
  ///
  /// - Parameter isIncluded: Called with the values for which the first closure returns `true`.
  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}
