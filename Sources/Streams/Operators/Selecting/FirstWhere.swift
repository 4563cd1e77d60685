extension Publisher {
  /// Publishes the first value for which a closure returns `true`, without waiting for upstream to
  /// finish.
  ///
  ///     [1, 2, 3, 4].publisher.first { $0 % 2 == 0 }  // 2
  ///
  /// Requests all of upstream's values right away, whatever downstream requests, and cancels
  /// upstream as soon as a value matches. The value waits until downstream requests it. A failure
  /// doesn't wait. Follows Combine's `first(where:)`.
  ///
  /// - Parameter predicate: Returns whether the value matches. Called for each value on the thread
  ///   that delivers it, until it returns `true`.
  /// - Returns: A publisher of one value, or of none if no value matches.
  @inlinable
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first value that matches; see ``Publisher/first(where:)-(_)``.
  public struct FirstWhere<Upstream>: Publisher where Upstream: Publisher {
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
      // The name that Combine gives it, which `print()` shows.
      upstream.attach(ReductionStage("TryFirst", subscriber, .first(where: predicate)))
    }
  }
}
