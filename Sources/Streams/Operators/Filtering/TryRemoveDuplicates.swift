extension Publisher {
  /// Drops each value that a closure, which can throw, considers a duplicate of the previous one.
  ///
  ///     responses.tryRemoveDuplicates { try $0.name() == $1.name() }
  ///
  /// Each value is compared with the last value received, even if that one was dropped. If the
  /// closure throws, this publisher cancels upstream, then fails with that error and publishes
  /// nothing more. Upstream's own failure passes through unchanged. Follows Combine's
  /// `tryRemoveDuplicates(by:)`.
  ///
  /// - Parameter predicate: Returns whether the previous value and this one are duplicates. Called
  ///   once for each value except the first, on the thread that delivers the value.
  /// - Returns: A publisher that requests another value for each one it drops.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that drops repeated values, with a comparison that can throw; see
  /// ``Publisher/tryRemoveDuplicates(by:)-(_)``.
  public struct TryRemoveDuplicates<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    @inlinable
    public init(
      upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        CompactMapStage.removingDuplicates("TryRemoveDuplicates", subscriber, by: predicate))
    }
  }
}
