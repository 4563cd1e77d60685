// A `switchToLatest` hands a junction downstream, and then requests all publishers from upstream.
// When one arrives, the one before is cancelled, and the new one gets the demand that's left.
// Values pass the junction's gate, and only those of the newest publisher count. The stream
// finishes when upstream and the newest publisher have finished, and fails with either.

extension Publisher where Failure == Output.Failure, Output: Publisher {
  /// Publishes the values of the newest publisher that this publisher has published.
  ///
  /// ```swift
  /// queries
  ///   .map { search(for: $0) }
  ///   .switchToLatest()  // the results of the newest query
  /// ```
  ///
  /// When a new publisher arrives, the previous one is cancelled, and the demand that's still
  /// outstanding moves to the new one. The stream finishes when both this publisher and the newest
  /// one have finished, and fails as soon as one of them fails. Values that weren't requested pass
  /// as well, and don't count against later requests; in Combine they stop the program. Otherwise,
  /// it follows Combine's `switchToLatest()`.
  ///
  /// - Demand: requests an unlimited number of publishers from this one. Requests for values go to
  ///   the newest publisher only.
  /// - Threads: a new publisher can arrive on one thread while the previous one delivers on
  ///   another. Values that the previous one sends after that are dropped.
  ///
  /// - Returns: A publisher of the newest publisher's values.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Publishes the values of the newest publisher that this publisher has published, if the
  /// published publishers can't fail.
  // Disfavoured, like the next one and for the same reason as with `flatMap`: the first overload
  // covers publishers with the same failure type.
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(
      upstream: Publishers.Map(upstream: self) { $0.setFailureType(to: Failure.self) })
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Publishes the values of the newest publisher that this publisher has published, if this
  /// publisher itself can't fail.
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    >
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publishers {
  /// A publisher of the newest publisher's values; see
  /// ``Publisher/switchToLatest()->Publishers.SwitchToLatest<Self.Output,Self>``.
  public struct SwitchToLatest<P, Upstream>: Publisher
  where P: Publisher, P == Upstream.Output, Upstream: Publisher, P.Failure == Upstream.Failure {
    public typealias Output = P.Output
    public typealias Failure = P.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let junction = SwitchingJunction<S>(downstream: subscriber)
      subscriber.receive(subscription: junction)
      upstream.attach(SwitchSubscriber<P, S>(junction: junction))
    }
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}

/// The subscriber that receives the publishers from upstream.
@usableFromInline
struct SwitchSubscriber<Input: Publisher, Downstream: Subscriber>: Subscriber, Named
where Input.Output == Downstream.Input, Input.Failure == Downstream.Failure {
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let junction: SwitchingJunction<Downstream>

  @inlinable init(junction: SwitchingJunction<Downstream>) { self.junction = junction }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(junction) }
  @usableFromInline var name: String { junction.name }

  @inlinable
  func receive(subscription: any Subscription) {
    junction.upstreamAttached(subscription, requesting: .unlimited)
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if let latest = junction.replaceLatest() {
      input.attach(LatestSubscriber(junction: junction, latest: latest))
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    junction.upstreamCompleted(completion)
  }
}

/// The subscriber that receives the values of one publisher, as long as it's the newest.
@usableFromInline struct LatestSubscriber<Downstream: Subscriber>: Subscriber, Named {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let junction: SwitchingJunction<Downstream>
  @usableFromInline let latest: LatestPublisher

  @inlinable
  init(junction: SwitchingJunction<Downstream>, latest: LatestPublisher) {
    (self.junction, self.latest) = (junction, latest)
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(latest) }
  @usableFromInline var name: String { junction.name }

  @inlinable func receive(subscription: any Subscription) {
    junction.latestAttached(latest, subscription)
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    junction.latestSent(input, from: latest)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    junction.latestCompleted(latest, completion)
  }
}
