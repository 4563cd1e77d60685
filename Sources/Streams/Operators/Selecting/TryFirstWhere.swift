extension Publisher {
  /// Publishes the first value for which a closure says yes, as soon as it comes, and
  /// fails with what it throws.
  ///
  ///     lines.tryFirst { try isHeading($0) }
  ///
  /// All values are requested at once, whatever is requested of this publisher, and upstream is
  /// cancelled as soon as such a value comes; the value waits for a request. A failure does not
  /// wait. A throw cancels upstream first and is delivered then; nothing comes after it. Upstream's
  /// own failure is passed on as it is. Source of the rules: Combine's `tryFirst(where:)`.
  ///
  /// - Parameter predicate: Called once for each value, where the value is delivered, until it says
  ///   yes.
  /// - Returns: A publisher of one value, or of none if there was none such.
  @inlinable
  public func tryFirst(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the first value that passes a test that can throw; see
  /// ``Publisher/tryFirst(where:)-(_)``.
  public struct TryFirstWhere<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// The test.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher that ``Publisher/tryFirst(where:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      upstream.attach(
        TryReductionStage<_, Upstream.Failure, _>(
          name: "TryFirstWhere", downstream: subscriber, method: FirstMatch<_, any Error>(predicate)
        ))
    }
  }
}
