extension Publisher {
  /// Publishes the smallest value, in the order that a closure that can throw defines, when
  /// upstream finishes.
  ///
  ///     ["20", "3"].publisher.tryMin { try number($0) < number($1) }  // "3"
  ///
  /// If several values are equal, publishes the first of them. An empty stream stays empty.
  /// Requests all of upstream's values at once, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. If the closure throws, this
  /// publisher cancels upstream, then fails with that error and publishes nothing more. Upstream's
  /// own failure passes through unchanged. Follows Combine's `tryMin(by:)`.
  ///
  /// - Parameter areInIncreasingOrder: Returns whether its first argument belongs before its
  ///   second. Called for each value but the first, on the thread that delivers the value. The new
  ///   value is the first argument, and the smallest one so far the second.
  /// - Returns: A publisher of one value, or of none if upstream publishes none.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    tryMax { try areInIncreasingOrder($1, $0) }
  }

  /// Publishes the greatest value, in the order that a closure that can throw defines, when
  /// upstream finishes.
  ///
  ///     ["20", "3"].publisher.tryMax { try number($0) < number($1) }  // "20"
  ///
  /// If several values are equal, publishes the first of them. An empty stream stays empty.
  /// Requests all of upstream's values at once, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. If the closure throws, this
  /// publisher cancels upstream, then fails with that error and publishes nothing more. Upstream's
  /// own failure passes through unchanged. Follows Combine's `tryMax(by:)`.
  ///
  /// - Parameter areInIncreasingOrder: Returns whether its first argument belongs before its
  ///   second. Called for each value but the first, on the thread that delivers the value. The
  ///   greatest value so far is the first argument, and the new one the second.
  /// - Returns: A publisher of one value, or of none if upstream publishes none.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// A publisher of the greatest value in an order, with a comparison that can throw; see
  /// ``Publisher/tryMax(by:)-(_)``. For the smallest value, the order is reversed.
  public struct TryComparison<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    @inlinable
    public init(
      upstream: Upstream,
      areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      (self.upstream, self.areInIncreasingOrder) = (upstream, areInIncreasingOrder)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        ReductionStage("TryComparison", subscriber, .greatest(by: areInIncreasingOrder)))
    }
  }
}
