extension Publisher {
  /// Transforms upstream's error with a closure.
  ///
  ///     download.mapError { LoadError(cause: $0) }  // fails with a LoadError
  ///
  /// Follows Combine's `mapError`.
  ///
  /// - Parameter transform: Returns the new error. Called at most once, on the thread that delivers
  ///   the failure.
  /// - Returns: A publisher that passes on the subscription, demand and values unchanged.
  @inlinable
  public func mapError<E>(
    _ transform: @escaping (Failure) -> E
  ) -> Publishers.MapError<Self, E> where E: Error {
    Publishers.MapError(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms upstream's error; see ``Publisher/mapError(_:)-(_)``.
  public struct MapError<Upstream, Failure>: Publisher where Upstream: Publisher, Failure: Error {
    public typealias Output = Upstream.Output

    public let upstream: Upstream
    public let transform: (Upstream.Failure) -> Failure

    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      (self.upstream, self.transform) = (upstream, transform)
    }

    @inlinable
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        CompletionStage(name: "MapError", downstream: subscriber) { [transform] in
          $0.mapError(transform)
        })
    }
  }
}
