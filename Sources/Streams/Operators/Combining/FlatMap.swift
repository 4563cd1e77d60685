// A `flatMap` hands a junction downstream, and then subscribes to upstream, from which it requests
// as many values as publishers may be active. It turns each value into a publisher. A sequence or a
// `Just` delivers everything at once, if everything has been requested. Any other publisher is
// subscribed to: all of its values are requested, or one at a time. A value is delivered inside the
// junction's gate if there's demand for it, or else it waits. When a publisher finishes, the next
// value is requested from upstream. When all have finished, the stream does.

extension Publisher {
  /// Turns each value into a publisher, and publishes the values of all these publishers.
  ///
  ///     logins.flatMap { token in loadTodos(token) }
  ///
  /// With a limit, the next value is requested when one of the publishers finishes. Values that
  /// arrive without demand wait in a queue, and the stream finishes once they've been delivered. If
  /// upstream or one of the publishers fails, the others are cancelled and the stream fails at
  /// once. Follows Combine's `flatMap(maxPublishers:_:)`.
  ///
  /// The limit also holds if upstream sends more values than were requested, as `collect(.byTime)`
  /// does at its end. Such a value waits until one of the publishers finishes, and a failure or a
  /// cancellation drops it.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers can be active at a time.
  ///   - transform: Returns a publisher for a value. Called once for each value, on the thread that
  ///     delivers the value or, if the value has to wait for a place, the finish before it.
  /// - Returns: A publisher of the values of all the publishers, in order of arrival.
  @inlinable
  public func flatMap<T, P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, P: Publisher, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Turns each value into a publisher that can't fail, and publishes the values of all these
  /// publishers.
  // Disfavoured, like the next one: the type checker stops at the first `flatMap` if both
  // publishers have the same failure type, which also covers publishers that can't fail. Otherwise
  // each call would try all overloads.
  @_disfavoredOverload @inlinable
  public func flatMap<P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self>
  where P: Publisher, P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
      Publishers.SetFailureType<P, Failure>(upstream: transform($0))
    }
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that can fail, and publishes the values of all these
  /// publishers.
  @_disfavoredOverload @inlinable
  public func flatMap<P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where P: Publisher {
    Publishers.FlatMap(
      upstream: Publishers.SetFailureType(upstream: self), maxPublishers: maxPublishers,
      transform: transform)
  }
}

extension Publishers {
  /// A publisher that turns values into publishers and merges them; see
  /// ``Publisher/flatMap(maxPublishers:_:)->Publishers.FlatMap<P,Self>``.
  public struct FlatMap<NewPublisher, Upstream>: Publisher
  where NewPublisher: Publisher, Upstream: Publisher, NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let maxPublishers: Subscribers.Demand
    public let transform: (Upstream.Output) -> NewPublisher

    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      (self.upstream, self.maxPublishers, self.transform) = (upstream, maxPublishers, transform)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      MergingJunction.start(.flatMap, of: self, maxPublishers: maxPublishers, for: subscriber) {
        upstream.attach(
          FlatMapSubscriber<Upstream.Output, NewPublisher, S>(junction: $0, transform: transform))
      }
    }
  }
}

/// The subscriber that turns each value from upstream into a publisher.
@usableFromInline
struct FlatMapSubscriber<Input, NewPublisher: Publisher, Downstream: Subscriber>: Subscriber, Named
where NewPublisher.Output == Downstream.Input, NewPublisher.Failure == Downstream.Failure {
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let junction: MergingJunction<Downstream>
  @usableFromInline let transform: (Input) -> NewPublisher

  @inlinable
  init(junction: MergingJunction<Downstream>, transform: @escaping (Input) -> NewPublisher) {
    (self.junction, self.transform) = (junction, transform)
  }

  @inlinable var _depth: _Hint<Int> { _Hint(junction.depth) }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(junction) }
  @usableFromInline var name: String { junction.name }

  @inlinable
  func receive(subscription: any Subscription) {
    junction.upstreamAttached(subscription, requesting: junction.maxPublishers)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    // Counted before it's made, because making it may finish upstream.
    switch junction.state.withLock({ $0?.admit() ?? .never }) {
    case .now: junction.begin(transform(input))
    case .later: putOff(input)
    case .never: break
    }
    return .none
  }

  @inlinable @inline(never)
  func putOff(_ input: Input) {
    junction.putOff { [junction, transform] in junction.begin(transform(input)) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    junction.upstreamCompleted(completion)
  }
}
