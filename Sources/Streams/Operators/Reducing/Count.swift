extension Publisher {
  /// Counts the values, and publishes their number when upstream finishes.
  ///
  ///     ["a", "b"].publisher.count()  // 2
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. The result waits
  /// until downstream requests a value. A failure doesn't wait. Follows Combine's `count()`.
  ///
  /// - Returns: A publisher of one number.
  @inlinable public func count() -> Publishers.Count<Self> { Publishers.Count(upstream: self) }
}

extension Publishers {
  /// A publisher of the number of values; see ``Publisher/count()``.
  public struct Count<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Int
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(ReductionStage("Count", subscriber, .fold(0) { count, _ in count + 1 }))
    }
  }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}
extension Publishers.Count: Sendable where Upstream: Sendable {}
