extension Publisher {
  /// Publishes what a closure makes of each value, except where that is `nil`.
  ///
  ///     ["1", "x", "3"].publisher.compactMap { Int($0) }  // 1, 3
  ///
  /// Source of the rule: Combine's `compactMap`.
  ///
  /// - Parameter transform: Called once for each value, where the value is delivered.
  /// - Returns: A publisher that asks for one more value for each that it drops.
  // Disfavoured, like `map`: the type checker stops at the operator of `Publishers.CompactMap`.
  @_disfavoredOverload
  @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) -> T?
  ) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher of what a closure makes of each value, except `nil`; see
  /// ``Publisher/compactMap(_:)-(_)``.
  public struct CompactMap<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// What is done with each value.
    public let transform: (Upstream.Output) -> Output?

    /// Makes the publisher that ``Publisher/compactMap(_:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(CompactMapStage(downstream: subscriber, transform: transform))
    }
  }
}

extension Publishers.CompactMap {
  /// Publishes what both closures, one after the other, make of each value, except where either
  /// makes `nil`: one stage instead of two.
  ///
  /// - Parameter transform: Called with what the first closure has made.
  @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) -> T?
  ) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// Publishes what both closures, one after the other, make of each value, except where the first
  /// makes `nil`: one stage instead of two.
  ///
  /// - Parameter transform: Called with what the first closure has made.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap(upstream: upstream) { first($0).map(transform) }
  }
}

@usableFromInline
struct CompactMapStage<Input, Downstream: Subscriber>: SieveStage {
  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  typealias Thrown = Never

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay = RelaySubscription("CompactMap", showsUpstream: true)

  @usableFromInline
  let transform: (Input) -> Downstream.Input?

  @inlinable
  init(downstream: Downstream, transform: @escaping (Input) -> Downstream.Input?) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable
  @inline(__always)
  func sieve(_ input: Input) -> Downstream.Input? { transform(input) }
}
