extension Publisher {
  /// Publishes values until a closure returns `false` for one, and then finishes.
  ///
  ///     [1, 2, 9, 3].publisher.prefix { $0 < 5 }  // 1, 2
  ///
  /// The value that ends the stream isn't published. Upstream is cancelled first, then the stream
  /// finishes. Follows Combine's `prefix(while:)`.
  ///
  /// - Parameter predicate: Returns whether to go on. Called for each value on the thread that
  ///   delivers it, until it returns `false`.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that finishes when a closure returns `false`; see
  /// ``Publisher/prefix(while:)-(_)``.
  public struct PrefixWhile<Upstream>: Publisher where Upstream: Publisher {
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
      upstream.attach(
        PrefixWhileStage("PrefixWhile", subscriber, predicate: allowingErrors(predicate)))
    }
  }
}

/// The stage of `prefix(while:)` and `tryPrefix(while:)`. The closure throws what the stream fails
/// with.
@usableFromInline struct PrefixWhileStage<Downstream: Subscriber>: SieveStage {
  @usableFromInline typealias Thrown = Downstream.Failure
  @usableFromInline let relay: DetachingRelay
  @usableFromInline let downstream: Downstream
  @usableFromInline let predicate: (Downstream.Input) throws(Thrown) -> Bool

  @inlinable
  init(
    _ name: String, _ downstream: Downstream,
    predicate: @escaping (Downstream.Input) throws(Thrown) -> Bool
  ) {
    (relay, self.downstream, self.predicate) = (DetachingRelay(name), downstream, predicate)
  }

  @inlinable @inline(__always)
  func sieve(_ input: Input) throws(Thrown) -> Input? { try predicate(input) ? input : nil }

  @inlinable
  func holdBack() -> Subscribers.Demand {
    endEarly(.finished)
    return .none
  }

  @inlinable func fail(with error: Thrown) { endEarly(.failure(error)) }
}
