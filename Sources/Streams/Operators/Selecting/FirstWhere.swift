extension Publisher {
  /// Publishes the first value for which a closure says yes, as soon as it comes.
  ///
  ///     [1, 2, 3, 4].publisher.first { $0 % 2 == 0 }  // 2
  ///
  /// All values are requested at once, whatever is requested of this publisher, and upstream is
  /// cancelled as soon as such a value comes; the value waits for a request. A failure does not
  /// wait. Source of the rules: Combine's `first(where:)`.
  ///
  /// - Parameter predicate: Called once for each value, where the value is delivered, until it says
  ///   yes.
  /// - Returns: A publisher of one value, or of none if there was none such.
  @inlinable
  public func first(
    where predicate: @escaping (Output) -> Bool
  ) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first value that passes a test; see
  /// ``Publisher/first(where:)-(_)``.
  public struct FirstWhere<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The test.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher that ``Publisher/first(where:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      // `print()` shows Combine's name for it.
      upstream.attach(
        ReductionStage(
          name: "TryFirst", downstream: subscriber, method: FirstMatch<_, Never>(predicate)))
    }
  }
}
