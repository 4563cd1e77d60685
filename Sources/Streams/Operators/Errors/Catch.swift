extension Publisher {
  /// When upstream fails, goes on with the publisher that a closure returns.
  ///
  ///     download.catch { _ in Just(.guest) }  // the guest, if the download fails
  ///
  /// Demand that is not yet met is requested of the replacement. The replacement may fail in its
  /// turn. A value that was not requested traps. Source of the rules: Combine's `catch`.
  ///
  /// - Parameter handler: Called once at most, where the failure is delivered.
  /// - Returns: A publisher that counts the values and passes demand on.
  @inlinable
  public func `catch`<P>(
    _ handler: @escaping (Failure) -> P
  ) -> Publishers.Catch<Self, P> where P: Publisher, Output == P.Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that goes on with another one when its upstream fails; see
  /// ``Publisher/catch(_:)-(_)``.
  public struct Catch<Upstream, NewPublisher>: Publisher
  where Upstream: Publisher, NewPublisher: Publisher, Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure

    /// Where the values come from, until it fails.
    public let upstream: Upstream

    /// Returns what to go on with.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// Makes the publisher that ``Publisher/catch(_:)-(_)`` returns.
    @inlinable
    public init(
      upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == NewPublisher.Failure {
      let handler = handler
      upstream.attach(CatchStage(name: "Catch", downstream: subscriber) { .success(handler($0)) })
    }
  }
}
