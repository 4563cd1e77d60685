extension Publisher {
  /// If upstream fails, continues with the publisher that your closure returns.
  ///
  ///     download.catch { _ in Just(.guest) }  // the guest, if the download fails
  ///
  /// Demand that's still outstanding is requested from the replacement. The replacement can fail
  /// too. Values that weren't requested pass as well, and don't count against later requests; in
  /// Combine they stop the program. Otherwise, it follows Combine's `catch`.
  ///
  /// - Parameter handler: Returns the replacement for upstream. Called at most once, on the thread
  ///   that delivers the failure.
  /// - Returns: A publisher that tracks the outstanding demand and passes requests on.
  @inlinable
  public func `catch`<P>(
    _ handler: @escaping (Failure) -> P
  ) -> Publishers.Catch<Self, P> where P: Publisher, Output == P.Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// A publisher that continues with a replacement if its upstream fails; see
  /// ``Publisher/catch(_:)-(_)``.
  public struct Catch<Upstream, NewPublisher>: Publisher
  where Upstream: Publisher, NewPublisher: Publisher, Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure

    public let upstream: Upstream
    public let handler: (Upstream.Failure) -> NewPublisher

    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      (self.upstream, self.handler) = (upstream, handler)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let handler = handler
      upstream.attach(CatchStage(name: "Catch", downstream: subscriber) { .success(handler($0)) })
    }
  }
}
