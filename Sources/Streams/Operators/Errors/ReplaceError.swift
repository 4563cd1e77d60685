extension Publisher {
  /// If upstream fails, publishes a value instead of the error, and finishes.
  ///
  ///     download.replaceError(with: .guest)  // the guest, if the download fails
  ///
  /// The value waits until it's requested. Upstream's values pass when they arrive, even those that
  /// weren't requested, and these don't count against later requests. In Combine they stop the
  /// program. Otherwise, it follows Combine's `replaceError`.
  ///
  /// - Parameter output: The value to publish instead of an error.
  /// - Returns: A publisher that tracks the outstanding demand and passes requests on.
  @inlinable
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher that publishes a value instead of an error; see
  /// ``Publisher/replaceError(with:)-(_)``.
  public struct ReplaceError<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    public let output: Upstream.Output
    public let upstream: Upstream

    @inlinable
    public init(upstream: Upstream, output: Output) {
      (self.upstream, self.output) = (upstream, output)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let output = output
      upstream.attach(
        CatchStage<Upstream.Failure, _, _>(
          name: "ReplaceError", downstream: subscriber
        ) { _ in .success(Just(output)) })
    }
  }
}

extension Publishers.ReplaceError: Equatable
where Upstream: Equatable, Upstream.Output: Equatable {}
extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
