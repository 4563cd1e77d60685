extension Publisher {
  /// Publishes whether a closure that can throw returns `true` for any of upstream's values.
  ///
  ///     lines.tryContains { try isHeading($0) }
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. As soon as a value
  /// matches, cancels upstream, and the result is `true`. If upstream finishes first, the result is
  /// `false`. The result waits until downstream requests a value. A failure doesn't wait. If the
  /// closure throws, this publisher cancels upstream, then fails with that error and publishes
  /// nothing more. Upstream's own failure passes through unchanged. Follows Combine's
  /// `tryContains(where:)`.
  ///
  /// - Parameter predicate: Returns whether the value matches. Called for each value on the thread
  ///   that delivers it, until it returns `true`.
  /// - Returns: A publisher of one Boolean value.
  @inlinable
  public func tryContains(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether any value matches, with a test that can throw; see
  /// ``Publisher/tryContains(where:)-(_)``.
  public struct TryContainsWhere<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Bool
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        ReductionStage("TryContainsWhere", subscriber, .contains(where: predicate)))
    }
  }
}
