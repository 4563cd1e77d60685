extension Publisher {
  /// Transforms each value with a closure.
  ///
  ///     [1, 2].publisher.map { $0 * 10 }  // 10, 20
  ///
  /// - Parameter transform: Returns the transformed value. Called once for each value, on the
  ///   thread that delivers the value.
  /// - Returns: A publisher that passes on the subscription, demand and completion unchanged.
  // Disfavoured, so that the type checker stops at the `map` of `Publishers.Map`, `Just` and
  // similar types, instead of trying both overloads at every step of a chain.
  @_disfavoredOverload @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms each value with a closure; see
  /// ``Publisher/map(_:)->Publishers.Map<Self,T>``.
  public struct Map<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let transform: (Upstream.Output) -> Output

    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      (self.upstream, self.transform) = (upstream, transform)
    }

    // region: publisher
    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(MapStage(downstream: subscriber, transform: transform))
    }
    // endregion: publisher
  }
}

extension Publishers.Map {
  /// Transforms each value with both closures in turn: one stage instead of two.
  ///
  /// - Parameter transform: Called with the result of the first closure.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
    let first = self.transform
    return Publishers.Map(upstream: upstream) { transform(first($0)) }
  }

  /// Transforms each value with both closures in turn, and fails if the second one throws: one
  /// stage instead of two.
  ///
  /// - Parameter transform: Called with the result of the first closure.
  @inlinable
  public func tryMap<T>(
    _ transform: @escaping (Output) throws -> T
  ) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap(upstream: upstream) { try transform(first($0)) }
  }
}

/// The stage of `map`: it passes on what the closure makes of each value. All other signals pass it
/// unchanged, so it needs no memory and no subscription of its own.
@usableFromInline struct MapStage<Input, Downstream: Subscriber>: TransparentStage {
  @usableFromInline var name: String { "Map" }

  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: (Input) -> Downstream.Input

  @inlinable
  init(downstream: Downstream, transform: @escaping (Input) -> Downstream.Input) {
    (self.downstream, self.transform) = (downstream, transform)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    downstream.receive(transform(input))
  }
}
