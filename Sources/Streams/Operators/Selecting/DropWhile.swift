extension Publisher {
  /// Drops values until a closure returns `false` for one, and publishes that value and all later
  /// ones.
  ///
  ///     [1, 2, 9, 3].publisher.drop { $0 < 5 }  // 9, 3
  ///
  /// The end of upstream passes through unchanged. Follows Combine's `drop(while:)`.
  ///
  /// - Parameter predicate: Returns whether to drop the value. Called for each value on the thread
  ///   that delivers it, until it returns `false`.
  /// - Returns: A publisher that requests another value for each one it drops.
  @inlinable
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that drops values until a closure returns `false`; see
  /// ``Publisher/drop(while:)-(_)``.
  public struct DropWhile<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Output) -> Bool

    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        CompactMapStage.dropping("DropWhile", subscriber, while: allowingErrors(predicate)))
    }
  }
}

extension CompactMapStage where Input == Downstream.Input {
  /// The stage of `drop(while:)` and `tryDrop(while:)`.
  @inlinable @inline(__always)
  static func dropping(
    _ name: String, _ downstream: Downstream,
    while predicate: @escaping (Input) throws(Thrown) -> Bool
  ) -> CompactMapStage {
    let isDropping = Memory(true)
    return CompactMapStage(DetachingRelay(name), downstream) { input throws(Thrown) in
      if isDropping.value {
        if try predicate(input) { return nil }
        isDropping.value = false
      }
      return input
    }
  }
}
