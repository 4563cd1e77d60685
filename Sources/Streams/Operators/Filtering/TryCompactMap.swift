extension Publisher {
  /// Publishes what a closure makes of each value, except where that is `nil`, and fails with what
  /// it throws.
  ///
  ///     lines.tryCompactMap { try $0.isEmpty ? nil : number($0) }
  ///
  /// A throw cancels upstream first and is delivered then; nothing comes after it. Upstream's own
  /// failure is passed on as it is. Source of the rules: Combine's `tryCompactMap`.
  ///
  /// - Parameter transform: Called once for each value, where the value is delivered.
  /// - Returns: A publisher that asks for one more value for each that it drops.
  @inlinable
  public func tryCompactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher of what a throwing closure makes of each value, except `nil`; see
  /// ``Publisher/tryCompactMap(_:)-(_)``.
  public struct TryCompactMap<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// What is done with each value.
    public let transform: (Upstream.Output) throws -> Output?

    /// Makes the publisher that ``Publisher/tryCompactMap(_:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      upstream.attach(
        TryCompactMapStage<_, Upstream.Failure, _>(
          name: "TryCompactMap", downstream: subscriber, transform: transform))
    }
  }
}

extension Publishers.TryCompactMap {
  /// Publishes what both closures, one after the other, make of each value, except where either
  /// makes `nil`, and fails with what either throws: one stage instead of two.
  ///
  /// - Parameter transform: Called with what the first closure has made.
  @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryCompactMap(upstream: upstream) { try first($0).flatMap(transform) }
  }
}

/// What `tryCompactMap` and `tryFilter` share: the two differ in their closure and their name.
@usableFromInline
struct TryCompactMapStage<Input, UpstreamFailure: Error, Downstream: Subscriber>: ThrowingStage,
  SieveStage
where Downstream.Failure == any Error {
  @usableFromInline
  typealias Failure = UpstreamFailure

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay: RelaySubscription

  @usableFromInline
  let transform: (Input) throws -> Downstream.Input?

  @inlinable
  init(
    name: String, downstream: Downstream, transform: @escaping (Input) throws -> Downstream.Input?
  ) {
    self.downstream = downstream
    self.transform = transform
    relay = RelaySubscription(name)
  }

  @inlinable
  @inline(__always)
  func sieve(_ input: Input) throws(any Error) -> Downstream.Input? { try transform(input) }
}
