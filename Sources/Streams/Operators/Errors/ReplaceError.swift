extension Publisher {
  /// When upstream fails, publishes a value instead of the error, and finishes.
  ///
  ///     download.replaceError(with: .guest)  // the guest, if the download fails
  ///
  /// The value waits until it is requested. A value that was not requested traps. Source of the
  /// rules: Combine's `replaceError`.
  ///
  /// - Parameter output: What takes the place of an error.
  /// - Returns: A publisher that counts the values and passes demand on.
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

    /// What takes the place of an error.
    public let output: Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher that ``Publisher/replaceError(with:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Never {
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
