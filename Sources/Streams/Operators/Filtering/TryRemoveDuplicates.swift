extension Publisher {
  /// Publishes the values that a closure does not take for a duplicate of the one before, and fails
  /// with what it throws.
  ///
  ///     answers.tryRemoveDuplicates { try $0.name() == $1.name() }
  ///
  /// A value is compared with the one received before it, whether that was dropped or not. A throw
  /// cancels upstream first and is delivered then; nothing comes after it. Upstream's own failure
  /// is passed on as it is. Source of the rules: Combine's `tryRemoveDuplicates(by:)`.
  ///
  /// - Parameter predicate: Says whether the value before and this one are duplicates. Called once
  ///   for each value but the first, where the value is delivered.
  /// - Returns: A publisher that asks for one more value for each that it drops.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// A publisher without repeated values, by a comparison that can throw; see
  /// ``Publisher/tryRemoveDuplicates(by:)-(_)``.
  public struct TryRemoveDuplicates<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream

    /// Whether the value before and this one are duplicates.
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Makes the publisher that ``Publisher/tryRemoveDuplicates(by:)-(_)`` returns.
    @inlinable
    public init(
      upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == any Error {
      let predicate = predicate
      let latest = Memory<Output?>(nil)
      upstream.attach(
        TryCompactMapStage<_, Upstream.Failure, _>(
          name: "TryRemoveDuplicates", downstream: subscriber
        ) { input in
          guard let previous = latest.exchange(with: input) else { return input }
          return try predicate(previous, input) ? nil : input
        })
    }
  }
}
