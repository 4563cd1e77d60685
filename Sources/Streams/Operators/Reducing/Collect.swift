extension Publisher {
  /// Collects all values, and publishes them as one array when upstream finishes.
  ///
  ///     [1, 2, 3].publisher.collect()  // [1, 2, 3]
  ///
  /// Requests all of upstream's values right away and keeps them, however many there are. The array
  /// waits until downstream requests a value. A failure doesn't wait, and drops the values
  /// collected so far. Follows Combine's `collect()`.
  ///
  /// - Returns: A publisher of one array, which is empty if there were no values.
  @inlinable
  public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}

extension Publishers {
  /// A publisher that collects all values into one array; see ``Publisher/collect()``.
  public struct Collect<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        ReductionStage(
          "Collect", subscriber,
          Reduction(initial: []) { input, result in
            result.value?.append(input)
            return false
          }))
    }
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}
extension Publishers.Collect: Sendable where Upstream: Sendable {}
