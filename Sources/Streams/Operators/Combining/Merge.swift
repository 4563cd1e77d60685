// A `merge` is a `flatMap` without a limit whose publishers are known from the start. So it shares
// the junction of `flatMap`, and its list of publishers acts as the upstream.

extension Publisher {
  /// Publishes the values of this publisher and another, as they arrive.
  ///
  ///     taps.merge(with: keys)  // each tap and each key, as it happens
  ///
  /// Finishes when both publishers have finished, and fails as soon as one of them fails. Unless
  /// demand is unlimited, each publisher is asked for one value at a time; that value waits until
  /// it's requested. Waiting values are delivered in the order of arrival, and none is dropped,
  /// even if a publisher sends more than it was asked for. Apart from that order, it follows
  /// Combine's `merge(with:)`.
  ///
  /// - Parameter other: A publisher with the same output and failure types.
  /// - Returns: A publisher of the values of both, in order of arrival.
  @inlinable
  public func merge<P: Publisher<Output, Failure>>(with other: P) -> Publishers.Merge<Self, P> {
    Publishers.Merge(self, other)
  }

  /// Publishes the values of two publishers of the same type, as they arrive.
  ///
  /// Merging more publishers of that type with the result doesn't add a stage for each.
  @inlinable
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany(self, other)
  }

  /// Publishes the values of 3 publishers, as they arrive; see ``merge(with:)-(P)``.
  @inlinable
  public func merge<B: Publisher<Output, Failure>, C: Publisher<Output, Failure>>(
    with b: B, _ c: C
  ) -> Publishers.Merge3<Self, B, C> {
    Publishers.Merge3(self, b, c)
  }

  /// Publishes the values of 4 publishers, as they arrive; see ``merge(with:)-(P)``.
  @inlinable
  public func merge<
    B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>
  >(with b: B, _ c: C, _ d: D) -> Publishers.Merge4<Self, B, C, D> {
    Publishers.Merge4(self, b, c, d)
  }

  /// Publishes the values of 5 publishers, as they arrive; see ``merge(with:)-(P)``.
  @inlinable
  public func merge<
    B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>,
    E: Publisher<Output, Failure>
  >(with b: B, _ c: C, _ d: D, _ e: E) -> Publishers.Merge5<Self, B, C, D, E> {
    Publishers.Merge5(self, b, c, d, e)
  }

  /// Publishes the values of 6 publishers, as they arrive; see ``merge(with:)-(P)``.
  @inlinable
  public func merge<
    B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>,
    E: Publisher<Output, Failure>, F: Publisher<Output, Failure>
  >(with b: B, _ c: C, _ d: D, _ e: E, _ f: F) -> Publishers.Merge6<Self, B, C, D, E, F> {
    Publishers.Merge6(self, b, c, d, e, f)
  }

  /// Publishes the values of 7 publishers, as they arrive; see ``merge(with:)-(P)``.
  @inlinable
  public func merge<
    B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>,
    E: Publisher<Output, Failure>, F: Publisher<Output, Failure>, G: Publisher<Output, Failure>
  >(with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G)
    -> Publishers.Merge7<Self, B, C, D, E, F, G>
  {
    Publishers.Merge7(self, b, c, d, e, f, g)
  }

  /// Publishes the values of 8 publishers, as they arrive; see ``merge(with:)-(P)``.
  @inlinable
  public func merge<
    B: Publisher<Output, Failure>, C: Publisher<Output, Failure>, D: Publisher<Output, Failure>,
    E: Publisher<Output, Failure>, F: Publisher<Output, Failure>, G: Publisher<Output, Failure>,
    H: Publisher<Output, Failure>
  >(with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H)
    -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  {
    Publishers.Merge8(self, b, c, d, e, f, g, h)
  }
}

extension Publishers {
  /// A publisher that merges two publishers; see ``Publisher/merge(with:)-(P)``.
  public struct Merge<A: Publisher, B: Publisher<A.Output, A.Failure>>: Publisher {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A, b: B

    @inlinable
    public init(_ a: A, _ b: B) {
      (self.a, self.b) = (a, b)
    }

    @inlinable
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      MergingJunction.merge(self, into: subscriber) { $0.add(a).add(b) }
    }
  }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}

extension Publishers {
  /// A publisher that merges any number of publishers of the same type.
  ///
  /// Without publishers it finishes right away.
  public struct MergeMany<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let publishers: [Upstream]

    @inlinable public init(_ upstream: Upstream...) { publishers = upstream }

    /// Creates a publisher that merges these publishers.
    @inlinable
    public init<S>(_ upstream: S) where Upstream == S.Element, S: Swift.Sequence {
      publishers = Array(upstream)
    }

    @inlinable
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      MergingJunction.merge(self, into: subscriber) { junction in
        for publisher in publishers { junction.add(publisher) }
      }
    }

    /// Merges one more publisher, in the same stage.
    @inlinable
    public func merge(with other: Upstream) -> MergeMany<Upstream> {
      MergeMany(publishers + [other])
    }
  }
}

extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
extension Publishers.MergeMany: Sendable where Upstream: Sendable {}

extension MergingJunction {
  /// Subscribes to publishers that are known from the start.
  ///
  /// - Parameter add: Adds them. The list of publishers acts as the upstream, and finishes once the
  ///   last of them is added.
  @inlinable @inline(__always)
  static func merge<Operator: Publisher>(
    _ publisher: Operator, into downstream: Downstream, _ add: (MergingJunction) -> Void
  ) where Operator.Output == Downstream.Input, Operator.Failure == Downstream.Failure {
    start(.merge, of: publisher, maxPublishers: .unlimited, for: downstream) { junction in
      add(junction)
      junction.upstreamCompleted(.finished)
    }
  }

  /// Merges one more publisher, unless the stream has ended.
  @inlinable @inline(__always) @discardableResult
  func add<P: Publisher>(_ publisher: P) -> Self
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    if case .now = state.withLock({ $0?.admit() ?? .never }) { begin(publisher) }
    return self
  }
}
