extension Publisher {
  /// Publishes whether a closure returns `true` for any of upstream's values.
  ///
  ///     [1, 2, 3].publisher.contains { $0 > 2 }  // true
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. As soon as a value
  /// matches, cancels upstream, and the result is `true`. If upstream finishes first, the result is
  /// `false`. The result waits until downstream requests a value. A failure doesn't wait. Follows
  /// Combine's `contains(where:)`.
  ///
  /// - Parameter predicate: Returns whether the value matches. Called for each value on the thread
  ///   that delivers it, until it returns `true`.
  /// - Returns: A publisher of one Boolean value.
  @inlinable
  public func contains(
    where predicate: @escaping (Output) -> Bool
  ) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of whether any value matches; see ``Publisher/contains(where:)-(_)``.
  public struct ContainsWhere<Upstream>: Publisher where Upstream: Publisher {
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
      upstream.attach(ReductionStage("ContainsWhere", subscriber, .contains(where: predicate)))
    }
  }
}
