extension Publisher {
  /// If upstream fails, continues with the publisher that your closure returns, or fails with the
  /// error that it throws.
  ///
  ///     download.tryCatch { error in
  ///       guard error.isTemporary else { throw error }
  ///       return mirror
  ///     }
  ///
  /// Demand that's still outstanding is requested from the replacement. The replacement can fail
  /// too. Values that weren't requested pass as well, and don't count against later requests; in
  /// Combine they stop the program. Otherwise, it follows Combine's `tryCatch`.
  ///
  /// - Parameter handler: Returns the replacement for upstream, or throws. Called at most once, on
  ///   the thread that delivers the failure.
  /// - Returns: A publisher that tracks the outstanding demand and passes requests on.
  @inlinable
  public func tryCatch<P>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P: Publisher, Output == P.Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that continues with a replacement, or with an error that a closure throws, if its
  /// upstream fails; see ``Publisher/tryCatch(_:)-(_)``.
  public struct TryCatch<Upstream, NewPublisher>: Publisher
  where Upstream: Publisher, NewPublisher: Publisher, Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let handler: (Upstream.Failure) throws -> NewPublisher

    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      (self.upstream, self.handler) = (upstream, handler)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let handler = handler
      upstream.attach(
        CatchStage(name: "TryCatch", downstream: subscriber) { error in
          Result { try handler(error).mapError { $0 as any Error } }
        })
    }
  }
}
