extension Publisher {
  /// Publishes how many values there were, when upstream finishes.
  ///
  ///     ["a", "b"].publisher.count()  // 2
  ///
  /// All values are requested at once, whatever is requested of this publisher; the number waits
  /// for a request. A failure does not wait. Source of the rules: Combine's `count()`.
  ///
  /// - Returns: A publisher of one number.
  @inlinable
  public func count() -> Publishers.Count<Self> { Publishers.Count(upstream: self) }
}

extension Publishers {
  /// A publisher of the number of values; see ``Publisher/count()-(_)``.
  public struct Count<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Int
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher that ``Publisher/count()-(_)`` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(
        ReductionStage(
          name: "Count", downstream: subscriber,
          method: Fold<Upstream.Output, Int, Never>(0) { count, _ in count + 1 }))
    }
  }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}
