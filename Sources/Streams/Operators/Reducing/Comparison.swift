extension Publisher where Output: Comparable {
  /// Publishes the smallest value when upstream finishes.
  ///
  ///     [2, 1, 3].publisher.min()  // 1
  ///
  /// If several values are equal, publishes the first of them. An empty stream stays empty.
  /// Requests all of upstream's values at once, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. Values are compared on the thread
  /// that delivers them. Follows Combine's `min()`.
  ///
  /// - Returns: A publisher of one value, or of none if upstream publishes none.
  @inlinable public func min() -> Publishers.Comparison<Self> { max { $1 < $0 } }

  /// Publishes the greatest value when upstream finishes.
  ///
  ///     [2, 1, 3].publisher.max()  // 3
  ///
  /// If several values are equal, publishes the first of them. An empty stream stays empty.
  /// Requests all of upstream's values at once, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. Values are compared on the thread
  /// that delivers them. Follows Combine's `max()`.
  ///
  /// - Returns: A publisher of one value, or of none if upstream publishes none.
  @inlinable public func max() -> Publishers.Comparison<Self> { max { $0 < $1 } }
}

extension Publisher {
  /// Publishes the smallest value, in the order that a closure defines, when upstream finishes.
  ///
  ///     ["ab", "c"].publisher.min { $0.count < $1.count }  // "c"
  ///
  /// If several values are equal, publishes the first of them. An empty stream stays empty.
  /// Requests all of upstream's values at once, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. Follows Combine's `min(by:)`.
  ///
  /// - Parameter areInIncreasingOrder: Returns whether its first argument belongs before its
  ///   second. Called for each value but the first, on the thread that delivers the value. The new
  ///   value is the first argument, and the smallest one so far the second.
  /// - Returns: A publisher of one value, or of none if upstream publishes none.
  @inlinable
  public func min(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Publishers.Comparison<Self> {
    max { areInIncreasingOrder($1, $0) }
  }

  /// Publishes the greatest value, in the order that a closure defines, when upstream finishes.
  ///
  ///     ["ab", "c"].publisher.max { $0.count < $1.count }  // "ab"
  ///
  /// If several values are equal, publishes the first of them. An empty stream stays empty.
  /// Requests all of upstream's values at once, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. Follows Combine's `max(by:)`.
  ///
  /// - Parameter areInIncreasingOrder: Returns whether its first argument belongs before its
  ///   second. Called for each value but the first, on the thread that delivers the value. The
  ///   greatest value so far is the first argument, and the new one the second.
  /// - Returns: A publisher of one value, or of none if upstream publishes none.
  @inlinable
  public func max(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// A publisher of the greatest value in an order; see ``Publisher/max(by:)-(_)``. For the
  /// smallest value, the order is reversed.
  public struct Comparison<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    @inlinable
    public init(
      upstream: Upstream,
      areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool
    ) {
      (self.upstream, self.areInIncreasingOrder) = (upstream, areInIncreasingOrder)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(ReductionStage("Comparison", subscriber, .greatest(by: areInIncreasingOrder)))
    }
  }
}
