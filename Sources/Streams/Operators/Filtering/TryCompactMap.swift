extension Publisher {
  /// Transforms each value with a closure that can throw, and drops the values for which it returns
  /// `nil`.
  ///
  ///     lines.tryCompactMap { try $0.isEmpty ? nil : number($0) }
  ///
  /// If the closure throws, this publisher cancels upstream, then fails with that error and
  /// publishes nothing more. Upstream's own failure passes through unchanged. Follows Combine's
  /// `tryCompactMap`.
  ///
  /// - Parameter transform: Returns the transformed value, or `nil` to drop it. Called once for
  ///   each value, on the thread that delivers the value.
  /// - Returns: A publisher that requests another value for each one it drops.
  @inlinable
  public func tryCompactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// A publisher that transforms values with a throwing closure and drops `nil` results; see
  /// ``Publisher/tryCompactMap(_:)-(_)``.
  public struct TryCompactMap<Upstream, Output>: Publisher where Upstream: Publisher {
    public typealias Failure = any Error

    public let upstream: Upstream
    public let transform: (Upstream.Output) throws -> Output?

    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      (self.upstream, self.transform) = (upstream, transform)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attachThrowing(
        CompactMapStage(DetachingRelay("TryCompactMap"), subscriber, transform: transform))
    }
  }
}

extension Publishers.TryCompactMap {
  /// Transforms each value with both closures in turn, drops it if either returns `nil`, and fails
  /// if either throws: one stage instead of two.
  ///
  /// - Parameter transform: Called with the result of the first closure.
  @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryCompactMap(upstream: upstream) { try first($0).flatMap(transform) }
  }
}
