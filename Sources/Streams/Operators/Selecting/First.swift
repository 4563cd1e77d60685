extension Publisher {
  /// Publishes the first value, without waiting for upstream to finish.
  ///
  ///     [1, 2, 3].publisher.first()  // 1
  ///
  /// Requests all of upstream's values right away, whatever downstream requests, and cancels
  /// upstream as soon as one arrives. The value waits until downstream requests it. A failure
  /// doesn't wait. Follows Combine's `first()`.
  ///
  /// - Returns: A publisher of one value, or of none if upstream publishes none.
  @inlinable public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }
}

extension Publishers {
  /// A publisher of the first value; see ``Publisher/first()``.
  public struct First<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(ReductionStage("First", subscriber, .first { _ in true }))
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
extension Publishers.First: Sendable where Upstream: Sendable {}
