extension Publisher {
  /// Publishes the first value for which a closure that can throw returns `true`, without waiting
  /// for upstream to finish.
  ///
  ///     lines.tryFirst { try isHeading($0) }
  ///
  /// Requests all of upstream's values right away, whatever downstream requests, and cancels
  /// upstream as soon as a value matches. The value waits until downstream requests it. A failure
  /// doesn't wait. If the closure throws, this publisher cancels upstream, then fails with that
  /// error and publishes nothing more. Upstream's own failure passes through unchanged. Follows
  /// Combine's `tryFirst(where:)`.
  ///
  /// - Parameter predicate: Returns whether the value matches. Called for each value on the thread
  ///   that delivers it, until it returns `true`.
  /// - Returns: A publisher of one value, or of none if no value matches.
  @inlinable
  public func tryFirst(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first value that matches, with a test that can throw; see
  /// ``Publisher/tryFirst(where:)-(_)``.
  public struct TryFirstWhere<Upstream>: Publisher where Upstream: Publisher {
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
      upstream.attachThrowing(ReductionStage("TryFirstWhere", subscriber, .first(where: predicate)))
    }
  }
}
