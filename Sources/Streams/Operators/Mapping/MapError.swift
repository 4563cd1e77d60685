extension Publisher {
  /// Fails with what a closure makes of upstream's error.
  ///
  ///     download.mapError { LoadError(cause: $0) }  // fails with a LoadError
  ///
  /// Source of the rule: Combine's `mapError`.
  ///
  /// - Parameter transform: Called once at most, where the failure is delivered.
  /// - Returns: A publisher that passes subscription, demand and values on unchanged.
  @inlinable
  public func mapError<E>(
    _ transform: @escaping (Failure) -> E
  ) -> Publishers.MapError<Self, E> where E: Error {
    Publishers.MapError(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that fails with what a closure makes of upstream's error; see
  /// ``Publisher/mapError(_:)-(_)``.
  public struct MapError<Upstream, Failure>: Publisher where Upstream: Publisher, Failure: Error {
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// What is done with the error.
    public let transform: (Upstream.Failure) -> Failure

    /// Makes the publisher that ``Publisher/mapError(_:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Makes the publisher that ``Publisher/mapError(_:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(MapErrorStage(downstream: subscriber, transform: transform))
    }
  }
}

@usableFromInline
struct MapErrorStage<Failure: Error, Downstream: Subscriber>: TransparentStage {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let transform: (Failure) -> Downstream.Failure

  @inlinable
  init(downstream: Downstream, transform: @escaping (Failure) -> Downstream.Failure) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(let error): downstream.receive(completion: .failure(transform(error)))
    }
  }
}
