extension Publisher where Failure == Output.Failure, Output: Publisher {
  /// Publishes the values of the newest of the publishers that this one publishes.
  ///
  /// ```swift
  /// questions
  ///   .map { search(for: $0) }
  ///   .switchToLatest()  // the answers to the newest question
  /// ```
  ///
  /// A new publisher cancels the one before it, and takes over the demand that is not met yet.
  /// Finishes when both this publisher and the newest one have, and fails with the first of them
  /// that fails. A value that was not requested traps. Source of the rules: Combine's
  /// `switchToLatest()`.
  ///
  /// - Demand: all publishers are requested of this one; values are requested of the newest only.
  /// - Threads: a publisher may come on one thread while the one before it delivers on another. What
  ///   that sends afterwards is dropped.
  ///
  /// - Returns: A publisher of those values.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Publishes the values of the newest of the publishers that this one publishes, which cannot
  /// fail.
  // Disfavoured, as the next one, like the `flatMap`s: the first covers publishers that fail alike.
  @_disfavoredOverload
  @inlinable
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
  /// Publishes the values of the newest of the publishers that this one publishes; it cannot fail
  /// itself.
  @_disfavoredOverload
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    >
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publishers {
  /// A publisher of the values of the newest publisher; see ``Publisher/switchToLatest()-(_)``.
  public struct SwitchToLatest<P, Upstream>: Publisher
  where P: Publisher, P == Upstream.Output, Upstream: Publisher, P.Failure == Upstream.Failure {
    public typealias Output = P.Output
    public typealias Failure = P.Failure

    /// Where the publishers come from.
    public let upstream: Upstream

    /// Makes the publisher that ``Publisher/switchToLatest()-(_)`` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable
    public func receive<S>(subscriber: S)
    where S: Subscriber, P.Output == S.Input, Upstream.Failure == S.Failure {
      let junction = SwitchingJunction<S>(
        downstream: subscriber,
        onRequest: { junction, demand in
          precondition(
            demand > 0, "SwitchToLatest: zero values were requested: request at least one")
          unsafeDowncast(junction, to: SwitchingJunction<S>.self).add(demand)
        },
        onCancel: { junction in unsafeDowncast(junction, to: SwitchingJunction<S>.self).end() })
      junction.announce()
      upstream.attach(SwitchStage<P, S>(junction: junction))
    }
  }
}

/// Receives the publishers.
@usableFromInline
struct SwitchStage<Input: Publisher, Downstream: Subscriber>: Subscriber
where Input.Output == Downstream.Input, Input.Failure == Downstream.Failure {
  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let junction: SwitchingJunction<Downstream>

  @inlinable
  init(junction: SwitchingJunction<Downstream>) { self.junction = junction }

  @inlinable
  var combineIdentifier: CombineIdentifier { CombineIdentifier(junction) }

  @inlinable
  func receive(subscription: any Subscription) { junction.attachUpstream(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if let latest = junction.replaceLatest() {
      input.attach(LatestStage(junction: junction, latest: latest))
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    junction.upstreamCompleted(completion)
  }
}

/// Receives the values of one of the publishers, as long as it is the newest.
@usableFromInline
struct LatestStage<Downstream: Subscriber>: Subscriber {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let junction: SwitchingJunction<Downstream>

  @usableFromInline
  let latest: LatestPublisher

  @inlinable
  init(junction: SwitchingJunction<Downstream>, latest: LatestPublisher) {
    self.junction = junction
    self.latest = latest
  }

  @inlinable
  var combineIdentifier: CombineIdentifier { CombineIdentifier(latest) }

  @inlinable
  func receive(subscription: any Subscription) { junction.attach(subscription, to: latest) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { junction.receive(input, from: latest) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    junction.completed(latest, completion)
  }
}
