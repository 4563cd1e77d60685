extension Publisher {
  /// Drops values until a closure, which can throw, returns `false` for one, and publishes that
  /// value and all later ones.
  ///
  ///     lines.tryDrop { try isComment($0) }  // from the first line that isn't a comment
  ///
  /// If the closure throws, this publisher cancels upstream, then fails with that error and
  /// publishes nothing more. Upstream's own failure passes through unchanged. Follows Combine's
  /// `tryDrop(while:)`.
  ///
  /// - Parameter predicate: Returns whether to drop the value. Called for each value on the thread
  ///   that delivers it, until it returns `false`.
  /// - Returns: A publisher that requests another value for each one it drops.
  @inlinable
  public func tryDrop(
    while predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that drops values until a closure that can throw returns `false`; see
  /// ``Publisher/tryDrop(while:)-(_)``.
  public struct TryDropWhile<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Output) throws -> Bool

    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        CompactMapStage.dropping("TryDropWhile", subscriber, while: predicate))
    }
  }
}
