extension Publisher {
  /// Publishes the last value for which a closure says yes, when upstream finishes.
  ///
  ///     [1, 2, 3, 4].publisher.last { $0 % 2 == 0 }  // 4
  ///
  /// All values are requested at once, whatever is requested of this publisher; the value waits
  /// for a request. A failure does not wait. Source of the rules: Combine's `last(where:)`.
  ///
  /// - Parameter predicate: Called once for each value, where the value is delivered.
  /// - Returns: A publisher of one value, or of none if there was none such.
  @inlinable
  public func last(
    where predicate: @escaping (Output) -> Bool
  ) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last value that passes a test; see
  /// ``Publisher/last(where:)-(_)``.
  public struct LastWhere<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The test.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher that ``Publisher/last(where:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(
        ReductionStage(
          name: "LastWhere", downstream: subscriber, method: LastMatch<_, Never>(predicate)))
    }
  }
}
