extension Publisher {
  /// Makes a publisher of each value, and publishes the values of all of them.
  ///
  ///     logins.flatMap { token in loadTodos(token) }
  ///
  /// With a limit, the next value is asked for when one of the publishers has finished. Values that
  /// arrive without demand wait; the stream finishes when they are through. A failure, of this
  /// publisher or of one that was made, ends everything at once. Source of the rules: Combine's
  /// `flatMap(maxPublishers:_:)`.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers at a time.
  ///   - transform: Makes a publisher of a value, where the value is delivered.
  /// - Returns: A publisher of all the values, in order of arrival.
  @inlinable
  public func flatMap<T, P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, P: Publisher, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Makes a publisher that cannot fail of each value, and publishes the values of all of them.
  // Disfavoured, as the next one: the type checker stops at the first `flatMap` if both publishers
  // fail alike, which also covers those that can't fail. Otherwise each would try all.
  @_disfavoredOverload
  @inlinable
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
  /// Makes a publisher that can fail of each value, and publishes the values of all of them.
  @_disfavoredOverload
  @inlinable
  public func flatMap<P>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> where P: Publisher {
    Publishers.FlatMap(
      upstream: Publishers.SetFailureType(upstream: self), maxPublishers: maxPublishers,
      transform: transform)
  }
}

extension Publishers {
  /// A publisher of the values of many publishers; see ``Publisher/flatMap(maxPublishers:_:)``.
  public struct FlatMap<NewPublisher, Upstream>: Publisher
  where NewPublisher: Publisher, Upstream: Publisher, NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from of which publishers are made.
    public let upstream: Upstream

    /// How many publishers at a time.
    public let maxPublishers: Subscribers.Demand

    /// Makes a publisher of a value.
    public let transform: (Upstream.Output) -> NewPublisher

    /// Makes the publisher that ``Publisher/flatMap(maxPublishers:_:)`` returns.
    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, NewPublisher.Output == S.Input, Upstream.Failure == S.Failure {
      let junction = MergingJunction<S>(
        "FlatMap", maxPublishers: maxPublishers, downstream: subscriber,
        onRequest: { junction, demand in
          precondition(demand > 0, "FlatMap: zero values were requested: request at least one")
          unsafeDowncast(junction, to: MergingJunction<S>.self).take(demand)
        },
        onCancel: { junction in unsafeDowncast(junction, to: MergingJunction<S>.self).end() })
      junction.announce()
      upstream.attach(
        FlatMapStage<Upstream.Output, NewPublisher, S>(
          junction: junction, transform: transform))
    }
  }
}

/// Receives the values of which publishers are made.
@usableFromInline
struct FlatMapStage<Input, NewPublisher: Publisher, Downstream: Subscriber>: Subscriber
where NewPublisher.Output == Downstream.Input, NewPublisher.Failure == Downstream.Failure {
  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let junction: MergingJunction<Downstream>

  @usableFromInline
  let transform: (Input) -> NewPublisher

  @inlinable
  init(
    junction: MergingJunction<Downstream>, transform: @escaping (Input) -> NewPublisher
  ) {
    self.junction = junction
    self.transform = transform
  }

  @inlinable
  var _depth: _Hint<Int> { _Hint(junction.depth) }

  @inlinable
  var combineIdentifier: CombineIdentifier { CombineIdentifier(junction) }

  @inlinable
  func receive(subscription: any Subscription) { junction.attachUpstream(subscription) }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    junction.merge { transform(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    junction.upstreamCompleted(completion)
  }
}
