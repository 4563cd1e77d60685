extension Publisher {
  /// Publishes the values before the first for which a closure says no, and ends there; fails with
  /// what it throws.
  ///
  ///     lines.tryPrefix { try !isEndMarker($0) }
  ///
  /// The value that ends it is not published. Upstream is cancelled first, then the stream finishes
  /// or fails; nothing comes after it. Upstream's own failure is passed on as it is. Source of the
  /// rules: Combine's `tryPrefix(while:)`.
  ///
  /// - Parameter predicate: Called once for each value, where the value is delivered, until it says
  ///   no.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func tryPrefix(
    while predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that ends before the first value that does not pass a test that can throw; see
  /// ``Publisher/tryPrefix(while:)-(_)``.
  public struct TryPrefixWhile<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// The test.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher that ``Publisher/tryPrefix(while:)-(_)`` returns.
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
        TryPrefixWhileStage<Upstream.Failure, _>(
          downstream: subscriber, predicate: predicate))
    }
  }
}

@usableFromInline
struct TryPrefixWhileStage<UpstreamFailure: Error, Downstream: Subscriber>: ThrowingStage,
  SieveStage
where Downstream.Failure == any Error {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay = RelaySubscription("TryPrefixWhile")

  @usableFromInline
  let predicate: (Downstream.Input) throws -> Bool

  @inlinable
  init(downstream: Downstream, predicate: @escaping (Downstream.Input) throws -> Bool) {
    self.downstream = downstream
    self.predicate = predicate
  }

  @inlinable
  @inline(__always)
  func sieve(_ input: Input) throws(any Error) -> Input? { try predicate(input) ? input : nil }

  @inlinable
  func holdBack() -> Subscribers.Demand {
    endEarly(.finished)
    return .none
  }
}
