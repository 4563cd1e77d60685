extension Publisher where Output: Equatable {
  /// Publishes whether upstream publishes a value that equals `output`.
  ///
  ///     [1, 2, 3].publisher.contains(2)  // true
  ///
  /// Requests all of upstream's values right away, whatever downstream requests. As soon as an
  /// equal value arrives, cancels upstream, and the result is `true`. If upstream finishes first,
  /// the result is `false`. The result waits until downstream requests a value. A failure doesn't
  /// wait. Values are compared on the thread that delivers them. Follows Combine's `contains(_:)`.
  ///
  /// - Parameter output: The value to look for.
  /// - Returns: A publisher of one Boolean value.
  @inlinable
  public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publishers {
  /// A publisher of whether upstream publishes a certain value; see ``Publisher/contains(_:)-(_)``.
  public struct Contains<Upstream>: Publisher
  where Upstream: Publisher, Upstream.Output: Equatable {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let output: Upstream.Output

    @inlinable
    public init(upstream: Upstream, output: Upstream.Output) {
      (self.upstream, self.output) = (upstream, output)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        ReductionStage("Contains", subscriber, .contains { [output] in $0 == output }))
    }
  }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}
extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
