extension Publisher {
  /// Publishes the first value, as soon as it comes.
  ///
  ///     [1, 2, 3].publisher.first()  // 1
  ///
  /// All values are requested at once, whatever is requested of this publisher, and upstream is
  /// cancelled as soon as it comes; the value waits for a request. A failure does not wait. Source
  /// of the rules: Combine's `first()`.
  ///
  /// - Returns: A publisher of one value, or of none if there was none.
  @inlinable
  public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }
}

extension Publishers {
  /// A publisher of the first value; see ``Publisher/first()-(_)``.
  public struct First<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher that ``Publisher/first()-(_)`` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(
        ReductionStage(
          name: "First", downstream: subscriber,
          method: FirstMatch<Output, Never> { _ in true }))
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
