extension Publisher where Output: Equatable {
  /// Publishes the values that are not equal to the one before.
  ///
  ///     [1, 1, 2, 2, 1].publisher.removeDuplicates()  // 1, 2, 1
  ///
  /// Source of the rules: Combine's `removeDuplicates`.
  ///
  /// - Returns: A publisher that asks for one more value for each that it drops.
  @inlinable
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: ==)
  }
}

extension Publisher {
  /// Publishes the values that a closure does not take for a duplicate of the one before.
  ///
  ///     [1, 3, 4, 6].publisher.removeDuplicates { $0 % 2 == $1 % 2 }  // 1, 4
  ///
  /// A value is compared with the one received before it, whether that was dropped or not. Source
  /// of the rules: Combine's `removeDuplicates(by:)`.
  ///
  /// - Parameter predicate: Says whether the value before and this one are duplicates. Called once
  ///   for each value but the first, where the value is delivered.
  /// - Returns: A publisher that asks for one more value for each that it drops.
  @inlinable
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher without repeated values; see ``Publisher/removeDuplicates(by:)-(_)``.
  public struct RemoveDuplicates<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Whether the value before and this one are duplicates.
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    /// Makes the publisher that ``Publisher/removeDuplicates(by:)-(_)`` returns.
    @inlinable
    public init(
      upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(RemoveDuplicatesStage(downstream: subscriber, predicate: predicate))
    }
  }
}

// region: stage
@usableFromInline
struct RemoveDuplicatesStage<Downstream: Subscriber>: SieveStage {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  typealias Thrown = Never

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay = RelaySubscription("RemoveDuplicates")

  @usableFromInline
  let latest = Memory<Downstream.Input?>(nil)

  @usableFromInline
  let predicate: (Downstream.Input, Downstream.Input) -> Bool

  @inlinable
  init(
    downstream: Downstream, predicate: @escaping (Downstream.Input, Downstream.Input) -> Bool
  ) {
    self.downstream = downstream
    self.predicate = predicate
  }

  @inlinable
  @inline(__always)
  func sieve(_ input: Input) -> Input? {
    // Remembered before the closure is asked, which may send a value itself.
    guard let previous = latest.exchange(with: input) else { return input }
    return predicate(previous, input) ? nil : input
  }
}
// endregion
