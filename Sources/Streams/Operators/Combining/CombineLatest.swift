extension Publisher {
  /// Publishes the latest values of this publisher and another as a pair, whenever either publishes
  /// and both have published at least once.
  ///
  ///     name.combineLatest(password)  // the form's contents, after each change
  ///
  /// Finishes when both publishers have finished, and fails as soon as one of them fails. Follows
  /// Combine's `combineLatest(_:)`.
  ///
  /// - Demand: each request goes to both publishers. If no pair is requested, a new value replaces
  ///   the previous one from the same publisher, and is published with the next pair. The same goes
  ///   for a value that's sent from within a delivery. A request for zero values traps.
  /// - Threads: the publishers can send on different threads. Pairs are published one at a time.
  ///
  /// - Parameter other: A publisher with the same failure type.
  /// - Returns: A publisher of pairs.
  @inlinable
  public func combineLatest<P>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where P: Publisher, Failure == P.Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Combines the latest values of two publishers with a closure; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
  where P: Publisher, Failure == P.Failure {
    Publishers.Map(upstream: Publishers.CombineLatest(self, other)) { transform($0.0, $0.1) }
  }

  /// Publishes the latest values of three publishers as a tuple; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P, Q>(_ publisher1: P, _ publisher2: Q)
    -> Publishers.CombineLatest3<Self, P, Q>
  where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Combines the latest values of three publishers with a closure; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P, Q, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
  where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.Map(upstream: Publishers.CombineLatest3(self, publisher1, publisher2)) {
      transform($0.0, $0.1, $0.2)
    }
  }

  /// Publishes the latest values of four publishers as a tuple; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P, Q, R>(_ publisher1: P, _ publisher2: Q, _ publisher3: R)
    -> Publishers.CombineLatest4<Self, P, Q, R>
  where
    P: Publisher, Q: Publisher, R: Publisher, Failure == P.Failure, P.Failure == Q.Failure,
    Q.Failure == R.Failure
  {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// Combines the latest values of four publishers with a closure; see ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P, Q, R, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where
    P: Publisher, Q: Publisher, R: Publisher, Failure == P.Failure, P.Failure == Q.Failure,
    Q.Failure == R.Failure
  {
    Publishers.Map(upstream: Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)) {
      transform($0.0, $0.1, $0.2, $0.3)
    }
  }
}

extension Publishers {
  /// A publisher of the latest values of two publishers as pairs; see
  /// ``Publisher/combineLatest(_:)``.
  public struct CombineLatest<A, B>: Publisher
  where A: Publisher, B: Publisher, A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    public let a: A, b: B

    @inlinable
    public init(_ a: A, _ b: B) {
      (self.a, self.b) = (a, b)
    }

    @inlinable
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let values = (A.Output?.none, B.Output?.none)
      let state = LatestState<_, S>(count: 2, values: values) {
        guard let a = $0.0, let b = $0.1 else { return nil }
        return (a, b)
      }
      let junction = LatestJunction(state)
      junction.begin(subscriber)
      a.attach(CombinedLatestSubscriber(junction, 0) { swap(&$0.0, &$1) })
      b.attach(CombinedLatestSubscriber(junction, 1) { swap(&$0.1, &$1) })
    }
  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}

extension Publishers {
  /// A publisher of the latest values of three publishers as tuples; see
  /// ``Publisher/combineLatest(_:_:)->Publishers.CombineLatest3<Self,P,Q>``.
  public struct CombineLatest3<A, B, C>: Publisher
  where A: Publisher, B: Publisher, C: Publisher, A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure

    public let a: A, b: B, c: C

    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      (self.a, self.b, self.c) = (a, b, c)
    }

    @inlinable
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let values = (A.Output?.none, B.Output?.none, C.Output?.none)
      let state = LatestState<_, S>(count: 3, values: values) {
        guard let a = $0.0, let b = $0.1, let c = $0.2 else { return nil }
        return (a, b, c)
      }
      let junction = LatestJunction(state)
      junction.begin(subscriber)
      a.attach(CombinedLatestSubscriber(junction, 0) { swap(&$0.0, &$1) })
      b.attach(CombinedLatestSubscriber(junction, 1) { swap(&$0.1, &$1) })
      c.attach(CombinedLatestSubscriber(junction, 2) { swap(&$0.2, &$1) })
    }
  }
}

extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.CombineLatest3: Sendable where A: Sendable, B: Sendable, C: Sendable {}

extension Publishers {
  /// A publisher of the latest values of four publishers as tuples; see
  /// ``Publisher/combineLatest(_:_:_:)->Publishers.CombineLatest4<Self,P,Q,R>``.
  public struct CombineLatest4<A, B, C, D>: Publisher
  where
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, A.Failure == B.Failure,
    B.Failure == C.Failure, C.Failure == D.Failure
  {
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    public typealias Failure = A.Failure

    public let a: A, b: B, c: C, d: D

    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      (self.a, self.b, self.c, self.d) = (a, b, c, d)
    }

    @inlinable
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let values = (A.Output?.none, B.Output?.none, C.Output?.none, D.Output?.none)
      let state = LatestState<_, S>(count: 4, values: values) {
        guard let a = $0.0, let b = $0.1, let c = $0.2, let d = $0.3 else { return nil }
        return (a, b, c, d)
      }
      let junction = LatestJunction(state)
      junction.begin(subscriber)
      a.attach(CombinedLatestSubscriber(junction, 0) { swap(&$0.0, &$1) })
      b.attach(CombinedLatestSubscriber(junction, 1) { swap(&$0.1, &$1) })
      c.attach(CombinedLatestSubscriber(junction, 2) { swap(&$0.2, &$1) })
      d.attach(CombinedLatestSubscriber(junction, 3) { swap(&$0.3, &$1) })
    }
  }
}

extension Publishers.CombineLatest4: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.CombineLatest4: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
