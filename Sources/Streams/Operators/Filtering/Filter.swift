extension Publisher {
  /// Publishes only the values for which a closure returns `true`.
  ///
  ///     [1, 2, 3].publisher.filter { $0 != 2 }  // 1, 3
  ///
  /// - Parameter isIncluded: Returns whether to keep the value. Called once for each value, on the
  ///   thread that delivers the value.
  /// - Returns: A publisher that requests another value for each one it drops.
  // Disfavoured, like `map`: the type checker stops at the overload in `Publishers.Filter`.
  @_disfavoredOverload @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher of the values for which a closure returns `true`; see
  /// ``Publisher/filter(_:)-(_)``.
  public struct Filter<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let isIncluded: (Upstream.Output) -> Bool

    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      (self.upstream, self.isIncluded) = (upstream, isIncluded)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(FilterStage(downstream: subscriber, isIncluded: isIncluded))
    }
  }
}

extension Publishers.Filter {
  /// Publishes only the values for which both closures return `true`: one stage instead of two.
  ///
  /// - Parameter isIncluded: Called with the values for which the first closure returns `true`.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }

  /// Publishes only the values for which both closures return `true`, and fails if the second one
  /// throws: one stage instead of two.
  ///
  /// - Parameter isIncluded: Called with the values for which the first closure returns `true`.
  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

/// The stage of `filter`: it tests each value, and passes it on or holds it back.
///
/// For a value that it holds back, it returns a demand of one. So upstream sends another value, and
/// downstream still gets as many as it has requested. The relay passes requests and a cancellation
/// on to upstream, and knows when the stream is over. Nothing passes after that, even if upstream
/// goes on. The end passes once, even if upstream has never sent a subscription.
@usableFromInline struct FilterStage<Downstream: Subscriber>: RelayStage, TransparentStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = RelaySubscription("Filter", showsUpstream: true)
  @usableFromInline let isIncluded: (Downstream.Input) -> Bool

  @inlinable
  init(downstream: Downstream, isIncluded: @escaping (Downstream.Input) -> Bool) {
    (self.downstream, self.isIncluded) = (downstream, isIncluded)
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard !relay.isOver else { return .none }
    return isIncluded(input) ? downstream.receive(input) : .max(1)
  }

  // Also before a subscription, which the default of `RelayStage` doesn't do.
  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) { passEnd(completion) }
}
