extension Publisher {
  /// Publishes the last value for which a closure that can throw returns `true`, when upstream
  /// finishes.
  ///
  ///     lines.tryLast { try isHeading($0) }
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. The last match
  /// waits until downstream requests it. A failure doesn't wait. If the closure throws, this
  /// publisher cancels upstream, then fails with that error and publishes nothing more. Upstream's
  /// own failure passes through unchanged. Follows Combine's `tryLast(where:)`.
  ///
  /// - Parameter predicate: Returns whether the value matches. Called once for each value, on the
  ///   thread that delivers the value.
  /// - Returns: A publisher of one value, or of none if no value matches.
  @inlinable
  public func tryLast(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last value that matches, with a test that can throw; see
  /// ``Publisher/tryLast(where:)-(_)``.
  public struct TryLastWhere<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(ReductionStage("TryLastWhere", subscriber, .last(where: predicate)))
    }
  }
}
