extension Publisher {
  /// Transforms each value with a closure, and drops the values for which it returns `nil`.
  ///
  ///     ["1", "x", "3"].publisher.compactMap { Int($0) }  // 1, 3
  ///
  /// Follows Combine's `compactMap`.
  ///
  /// - Parameter transform: Returns the transformed value, or `nil` to drop it. Called once for
  ///   each value, on the thread that delivers the value.
  /// - Returns: A publisher that requests another value for each one it drops.
  // Disfavoured, like `map`: the type checker stops at the overload in `Publishers.CompactMap`.
  @_disfavoredOverload @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) -> T?
  ) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms values and drops `nil` results; see
  /// ``Publisher/compactMap(_:)-(_)``.
  public struct CompactMap<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let transform: (Upstream.Output) -> Output?

    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      (self.upstream, self.transform) = (upstream, transform)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        CompactMapStage(
          DetachingRelay("CompactMap", showsUpstream: true), subscriber,
          transform: allowingErrors(transform)))
    }
  }
}

extension Publishers.CompactMap {
  /// Transforms each value with both closures in turn, and drops it if either returns `nil`: one
  /// stage instead of two.
  ///
  /// - Parameter transform: Called with the result of the first closure.
  @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) -> T?
  ) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// Transforms each value with both closures in turn, and drops it if the first returns `nil`: one
  /// stage instead of two.
  ///
  /// - Parameter transform: Called with the result of the first closure.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap(upstream: upstream) { first($0).map(transform) }
  }
}

/// The stage of operators that make one value or none of each value, and only end early if their
/// closure throws: `compactMap`, `removeDuplicates`, `tryMap`, `decode` and others.
///
/// The closure throws what the stream fails with.
@usableFromInline struct CompactMapStage<Input, Downstream: Subscriber>: SieveStage {
  @usableFromInline typealias Thrown = Downstream.Failure
  @usableFromInline let relay: DetachingRelay
  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: (Input) throws(Thrown) -> Downstream.Input?

  @inlinable
  init(
    _ relay: DetachingRelay, _ downstream: Downstream,
    transform: @escaping (Input) throws(Thrown) -> Downstream.Input?
  ) {
    (self.relay, self.downstream, self.transform) = (relay, downstream, transform)
  }

  @inlinable @inline(__always)
  func sieve(_ input: Input) throws(Thrown) -> Downstream.Input? { try transform(input) }

  @inlinable func fail(with error: Thrown) { endEarly(.failure(error)) }
}
