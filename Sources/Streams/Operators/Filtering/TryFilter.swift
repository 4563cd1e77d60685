extension Publisher {
  /// Publishes the values for which a closure says yes, and fails with what it throws.
  ///
  ///     ["a", "", "b"].publisher.tryFilter { try !isForbidden($0) }  // "a", then what "" throws
  ///
  /// A throw cancels upstream first and is delivered then; nothing comes after it. Upstream's own
  /// failure is passed on as it is. Source of the rules: Combine's `tryFilter`.
  ///
  /// - Parameter isIncluded: Called once for each value, where the value is delivered.
  /// - Returns: A publisher that asks for one more value for each that it drops.
  // Disfavoured, like `map`: the type checker stops at the operator of `Publishers.TryFilter`.
  @_disfavoredOverload
  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher of the values that pass a test that can throw; see
  /// ``Publisher/tryFilter(_:)-(_)``.
  public struct TryFilter<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// The test.
    public let isIncluded: (Upstream.Output) throws -> Bool

    /// Makes the publisher that ``Publisher/tryFilter(_:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      let isIncluded = isIncluded
      upstream.attach(
        TryCompactMapStage<_, Upstream.Failure, _>(
          name: "TryFilter", downstream: subscriber
        ) { try isIncluded($0) ? $0 : nil })
    }
  }
}

extension Publishers.TryFilter {
  /// Publishes the values for which both closures say yes: one stage instead of two.
  ///
  /// - Parameter isIncluded: Called with the values for which the first closure says yes.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    tryFilter(isIncluded)
  }

  /// Publishes the values for which both closures say yes, and fails with what either throws: one
  /// stage instead of two.
  ///
  /// - Parameter isIncluded: Called with the values for which the first closure says yes.
  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}
