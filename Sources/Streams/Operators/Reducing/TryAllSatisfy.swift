extension Publisher {
  /// Publishes whether a closure that can throw returns `true` for all of upstream's values.
  ///
  ///     files.tryAllSatisfy { try $0.isReadable() }
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. As soon as a value
  /// doesn't match, cancels upstream, and the result is `false`. If upstream finishes first, even
  /// without a value, the result is `true`. The result waits until downstream requests a value. A
  /// failure doesn't wait. If the closure throws, this publisher cancels upstream, then fails with
  /// that error and publishes nothing more. Upstream's own failure passes through unchanged.
  /// Follows Combine's `tryAllSatisfy`.
  ///
  /// - Parameter predicate: Returns whether the value matches. Called for each value on the thread
  ///   that delivers it, until it returns `false`.
  /// - Returns: A publisher of one Boolean value.
  @inlinable
  public func tryAllSatisfy(
    _ predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryAllSatisfy<Self> {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether all values match, with a test that can throw; see
  /// ``Publisher/tryAllSatisfy(_:)-(_)``.
  public struct TryAllSatisfy<Upstream>: Publisher where Upstream: Publisher {
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
      upstream.attachThrowing(ReductionStage("TryAllSatisfy", subscriber, .allSatisfy(predicate)))
    }
  }
}
