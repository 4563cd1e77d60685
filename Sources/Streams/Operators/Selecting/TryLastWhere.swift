extension Publisher {
  /// Publishes the last value for which a closure says yes, when upstream finishes, and
  /// fails with what it throws.
  ///
  ///     lines.tryLast { try isHeading($0) }
  ///
  /// All values are requested at once, whatever is requested of this publisher; the value waits
  /// for a request. A failure does not wait. A throw cancels upstream first and is delivered then;
  /// nothing comes after it. Upstream's own failure is passed on as it is. Source of the rules:
  /// Combine's `tryLast(where:)`.
  ///
  /// - Parameter predicate: Called once for each value, where the value is delivered.
  /// - Returns: A publisher of one value, or of none if there was none such.
  @inlinable
  public func tryLast(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher of the last value that passes a test that can throw; see
  /// ``Publisher/tryLast(where:)-(_)``.
  public struct TryLastWhere<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// The test.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher that ``Publisher/tryLast(where:)-(_)`` returns.
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
          name: "TryLastWhere", downstream: subscriber, method: LastMatch<_, any Error>(predicate)))
    }
  }
}
