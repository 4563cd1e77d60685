extension Publisher {
  /// Publishes values until a closure, which can throw, returns `false` for one, and then finishes.
  ///
  ///     lines.tryPrefix { try !isEndMarker($0) }
  ///
  /// The value that ends the stream isn't published. Upstream is cancelled first, then the stream
  /// finishes or, if the closure throws, fails. Nothing more is published. Upstream's own failure
  /// passes through unchanged. Follows Combine's `tryPrefix(while:)`.
  ///
  /// - Parameter predicate: Returns whether to go on. Called for each value on the thread that
  ///   delivers it, until it returns `false`.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func tryPrefix(
    while predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that finishes when a closure that can throw returns `false`; see
  /// ``Publisher/tryPrefix(while:)-(_)``.
  public struct TryPrefixWhile<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(PrefixWhileStage("TryPrefixWhile", subscriber, predicate: predicate))
    }
  }
}
