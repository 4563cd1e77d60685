extension Publisher {
  /// When upstream fails, goes on with the publisher that a closure returns, or fails with what the
  /// closure throws.
  ///
  ///     download.tryCatch { error in
  ///       guard error.isTemporary else { throw error }
  ///       return mirror
  ///     }
  ///
  /// Demand that is not yet met is requested of the replacement. The replacement may fail in its
  /// turn. A value that was not requested traps. Source of the rules: Combine's `tryCatch`.
  ///
  /// - Parameter handler: Called once at most, where the failure is delivered.
  /// - Returns: A publisher that counts the values and passes demand on.
  @inlinable
  public func tryCatch<P>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P: Publisher, Output == P.Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that goes on with another one, or with an error that a closure throws, when its
  /// upstream fails; see ``Publisher/tryCatch(_:)-(_)``.
  public struct TryCatch<Upstream, NewPublisher>: Publisher
  where Upstream: Publisher, NewPublisher: Publisher, Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// Where the values come from, until it fails.
    public let upstream: Upstream

    /// Returns what to go on with, or throws.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// Makes the publisher that ``Publisher/tryCatch(_:)-(_)`` returns.
    @inlinable
    public init(
      upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      let handler = handler
      upstream.attach(
        CatchStage(name: "TryCatch", downstream: subscriber) { error in
          Result { try handler(error).mapError { $0 as any Error } }
        })
    }
  }
}
