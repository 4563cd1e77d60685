extension Publisher where Output: Equatable {
  /// Publishes only the values that differ from the previous one.
  ///
  ///     [1, 1, 2, 2, 1].publisher.removeDuplicates()  // 1, 2, 1
  ///
  /// Follows Combine's `removeDuplicates`.
  ///
  /// - Returns: A publisher that requests another value for each one it drops.
  @inlinable
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: ==)
  }
}

extension Publisher {
  /// Drops each value that a closure considers a duplicate of the previous one.
  ///
  ///     [1, 3, 4, 6].publisher.removeDuplicates { $0 % 2 == $1 % 2 }  // 1, 4
  ///
  /// Each value is compared with the last value received, even if that one was dropped. Follows
  /// Combine's `removeDuplicates(by:)`.
  ///
  /// - Parameter predicate: Returns whether the previous value and this one are duplicates. Called
  ///   once for each value except the first, on the thread that delivers the value.
  /// - Returns: A publisher that requests another value for each one it drops.
  @inlinable
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher that drops repeated values; see ``Publisher/removeDuplicates(by:)-(_)``.
  public struct RemoveDuplicates<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    @inlinable
    public init(
      upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool
    ) {
      (self.upstream, self.predicate) = (upstream, predicate)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        CompactMapStage.removingDuplicates(
          "RemoveDuplicates", subscriber, by: allowingErrors(predicate)))
    }
  }
}

extension CompactMapStage where Input == Downstream.Input {
  /// The stage of `removeDuplicates` and `tryRemoveDuplicates`.
  @inlinable @inline(__always)
  static func removingDuplicates(
    _ name: String, _ downstream: Downstream,
    by predicate: @escaping (Input, Input) throws(Thrown) -> Bool
  ) -> CompactMapStage {
    let latest = Memory<Input?>(nil)
    return CompactMapStage(DetachingRelay(name), downstream) { input throws(Thrown) in
      // Stored before the closure is called, because the closure may send a value itself.
      guard let previous = latest.exchange(with: input) else { return input }
      return try predicate(previous, input) ? nil : input
    }
  }
}
