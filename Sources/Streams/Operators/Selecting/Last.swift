extension Publisher {
  /// Publishes the last value when upstream finishes.
  ///
  ///     [1, 2, 3].publisher.last()  // 3
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. The last value
  /// waits until downstream requests it. A failure doesn't wait. Follows Combine's `last()`.
  ///
  /// - Returns: A publisher of one value, or of none if upstream publishes none.
  @inlinable public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }
}

extension Publishers {
  /// A publisher of the last value; see ``Publisher/last()``.
  public struct Last<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(ReductionStage("Last", subscriber, .last { _ in true }))
    }
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}
extension Publishers.Last: Sendable where Upstream: Sendable {}
