extension Publisher {
  /// Publishes what a closure makes of each value, and fails with what it throws.
  ///
  ///     ["1", "x"].publisher.tryMap { try number($0) }  // 1, then the error that "x" throws
  ///
  /// A throw cancels upstream first and is delivered then; nothing comes after it. Upstream's own
  /// failure is passed on as it is. Source of the rules: Combine's `tryMap`.
  ///
  /// - Parameter transform: Called once for each value, where the value is delivered.
  /// - Returns: A publisher that passes demand on unchanged.
  // Disfavoured, like `map`: the type checker stops at the operator of `Publishers.TryMap`.
  @_disfavoredOverload
  @inlinable
  public func tryMap<T>(
    _ transform: @escaping (Output) throws -> T
  ) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher of what a throwing closure makes of each value; see
  /// ``Publisher/tryMap(_:)-(_)``.
  public struct TryMap<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// What is done with each value.
    public let transform: (Upstream.Output) throws -> Output

    /// Makes the publisher that ``Publisher/tryMap(_:)-(_)`` returns.
    @inlinable
    public init(
      upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      upstream.attach(
        TryMapStage<_, Upstream.Failure, _>(
          name: "TryMap", downstream: subscriber, transform: transform))
    }
  }
}

extension Publishers.TryMap {
  /// Publishes what both closures, one after the other, make of each value: one stage instead of
  /// two.
  ///
  /// - Parameter transform: Called with what the first closure has made.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
    tryMap(transform)
  }

  /// Publishes what both closures, one after the other, make of each value, and fails with what
  /// either throws: one stage instead of two.
  ///
  /// - Parameter transform: Called with what the first closure has made.
  @inlinable
  public func tryMap<T>(
    _ transform: @escaping (Output) throws -> T
  ) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap(upstream: upstream) { try transform(first($0)) }
  }
}

/// What `tryMap`, `encode` and `decode` share: the three differ in their closure and their name.
@usableFromInline
struct TryMapStage<Input, UpstreamFailure: Error, Downstream: Subscriber>: ThrowingStage, SieveStage
where Downstream.Failure == any Error {
  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay: RelaySubscription

  @usableFromInline
  let transform: (Input) throws -> Downstream.Input

  @inlinable
  init(
    name: String, downstream: Downstream, transform: @escaping (Input) throws -> Downstream.Input
  ) {
    self.downstream = downstream
    self.transform = transform
    relay = RelaySubscription(name, trapsOnNoDemand: false)
  }

  @inlinable
  @inline(__always)
  func sieve(_ input: Input) throws(any Error) -> Downstream.Input? { try transform(input) }
}
