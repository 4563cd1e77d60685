extension Publisher {
  /// Publishes the last value, when upstream finishes.
  ///
  ///     [1, 2, 3].publisher.last()  // 3
  ///
  /// All values are requested at once, whatever is requested of this publisher; the value waits
  /// for a request. A failure does not wait. Source of the rules: Combine's `last()`.
  ///
  /// - Returns: A publisher of one value, or of none if there was none.
  @inlinable
  public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }
}

extension Publishers {
  /// A publisher of the last value; see ``Publisher/last()-(_)``.
  public struct Last<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher that ``Publisher/last()-(_)`` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(
        ReductionStage(
          name: "Last", downstream: subscriber,
          method: LastMatch<Output, Never> { _ in true }))
    }
  }
}

extension Publishers.Last: Equatable where Upstream: Equatable {}
