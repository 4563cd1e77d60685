extension Publisher {
  /// Publishes whether a closure returns `true` for all of upstream's values.
  ///
  ///     [1, 2, 3].publisher.allSatisfy { $0 < 3 }  // false
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. As soon as a value
  /// doesn't match, cancels upstream, and the result is `false`. If upstream finishes first, even
  /// without a value, the result is `true`. The result waits until downstream requests a value. A
  /// failure doesn't wait. Follows Combine's `allSatisfy`.
  ///
  /// - Parameter predicate: Returns whether the value matches. Called for each value on the thread
  ///   that delivers it, until it returns `false`.
  /// - Returns: A publisher of one Boolean value.
  @inlinable
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether all values match; see ``Publisher/allSatisfy(_:)-(_)``.
  public struct AllSatisfy<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(ReductionStage("AllSatisfy", subscriber, .allSatisfy(predicate)))
    }
  }
}
