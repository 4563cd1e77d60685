extension Publisher {
  /// Publishes the last value for which a closure returns `true`, when upstream finishes.
  ///
  ///     [1, 2, 3, 4].publisher.last { $0 % 2 == 0 }  // 4
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. The last match
  /// waits until downstream requests it. A failure doesn't wait. Follows Combine's `last(where:)`.
  ///
  /// - Parameter predicate: Returns whether the value matches. Called once for each value, on the
  ///   thread that delivers the value.
  /// - Returns: A publisher of one value, or of none if no value matches.
  @inlinable
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last value that matches; see ``Publisher/last(where:)-(_)``.
  public struct LastWhere<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(ReductionStage("LastWhere", subscriber, .last(where: predicate)))
    }
  }
}
