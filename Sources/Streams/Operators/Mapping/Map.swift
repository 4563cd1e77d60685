extension Publisher {
  /// Publishes what a closure makes of each value.
  ///
  ///     [1, 2].publisher.map { $0 * 10 }  // 10, 20
  ///
  /// - Parameter transform: Called once for each value, where the value is delivered.
  /// - Returns: A publisher that passes demand, completion and subscription on unchanged.
  // Disfavoured, so that the type checker stops at `map` of `Publishers.Map`, of `Just` and of the
  // like, instead of trying both at every step of a chain.
  @_disfavoredOverload
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher of what a closure makes of each value; see ``Publisher/map(_:)-(_)``.
  public struct Map<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// What is done with each value.
    public let transform: (Upstream.Output) -> Output

    /// Makes the publisher that ``Publisher/map(_:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    // region: publisher
    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(MapStage(downstream: subscriber, transform: transform))
    }
    // endregion: publisher
  }
}

extension Publishers.Map {
  /// Publishes what both closures, one after the other, make of each value: one stage instead of
  /// two.
  ///
  /// - Parameter transform: Called with what the first closure has made.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
    let first = self.transform
    return Publishers.Map(upstream: upstream) { transform(first($0)) }
  }

  /// Publishes what both closures, one after the other, make of each value, and fails with what the
  /// second throws: one stage instead of two.
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

// region: stage
@usableFromInline
struct MapStage<Input, Downstream: Subscriber>: TransparentStage {
  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let transform: (Input) -> Downstream.Input

  @inlinable
  init(downstream: Downstream, transform: @escaping (Input) -> Downstream.Input) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    downstream.receive(transform(input))
  }
}
// endregion
