extension Publisher {
  /// Publishes the values before the first for which a closure says no, and ends there.
  ///
  ///     [1, 2, 9, 3].publisher.prefix { $0 < 5 }  // 1, 2
  ///
  /// The value that ends it is not published: upstream is cancelled first, then the stream
  /// finishes. Source of the rules: Combine's `prefix(while:)`.
  ///
  /// - Parameter predicate: Called once for each value, where the value is delivered, until it says
  ///   no.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func prefix(
    while predicate: @escaping (Output) -> Bool
  ) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that ends before the first value that does not pass a test; see
  /// ``Publisher/prefix(while:)-(_)``.
  public struct PrefixWhile<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The test.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher that ``Publisher/prefix(while:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(PrefixWhileStage(downstream: subscriber, predicate: predicate))
    }
  }
}

@usableFromInline
struct PrefixWhileStage<Downstream: Subscriber>: SieveStage {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  typealias Thrown = Never

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay = RelaySubscription("PrefixWhile")

  @usableFromInline
  let predicate: (Downstream.Input) -> Bool

  @inlinable
  init(downstream: Downstream, predicate: @escaping (Downstream.Input) -> Bool) {
    self.downstream = downstream
    self.predicate = predicate
  }

  @inlinable
  @inline(__always)
  func sieve(_ input: Input) -> Input? { predicate(input) ? input : nil }

  @inlinable
  func holdBack() -> Subscribers.Demand {
    endEarly(.finished)
    return .none
  }
}
