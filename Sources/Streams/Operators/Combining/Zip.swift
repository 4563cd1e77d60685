extension Publisher {
  /// Pairs up the values of this publisher and another: the first of each, then the second of each,
  /// and so on.
  ///
  ///     names.zip(images)  // each name with its image, however late that is
  ///
  /// Finishes when one publisher has finished and none of its values wait for a partner, and
  /// cancels the other publisher. Fails as soon as one of them fails. Values that wait for the
  /// other publisher are kept without limit.
  ///
  /// If a publisher ends before the subscriber can request anything, that end waits until both
  /// publishers have been subscribed to. Then both ends are handled together: a failure wins over a
  /// finish, and later requests are dropped. Follows Combine's `zip(_:)`.
  ///
  /// - Demand: each request goes to both publishers. A pair is published as soon as it's complete,
  ///   even if no demand is left. A request from within a delivery is passed on after that
  ///   delivery. A request for zero values traps.
  /// - Threads: the publishers can send on different threads. Pairs are published one at a time.
  ///
  /// - Parameter other: A publisher with the same failure type.
  /// - Returns: A publisher of pairs.
  @inlinable
  public func zip<P>(_ other: P) -> Publishers.Zip<Self, P>
  where P: Publisher, Failure == P.Failure {
    Publishers.Zip(self, other)
  }

  /// Combines the next values of two publishers with a closure; see ``zip(_:)``.
  @inlinable
  public func zip<P, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
  where P: Publisher, Failure == P.Failure {
    Publishers.Map(upstream: Publishers.Zip(self, other)) { transform($0.0, $0.1) }
  }

  /// Publishes the next values of three publishers as a tuple; see ``zip(_:)``.
  @inlinable
  public func zip<P, Q>(_ publisher1: P, _ publisher2: Q) -> Publishers.Zip3<Self, P, Q>
  where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Combines the next values of three publishers with a closure; see ``zip(_:)``.
  @inlinable
  public func zip<P, Q, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
  where P: Publisher, Q: Publisher, Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.Map(upstream: Publishers.Zip3(self, publisher1, publisher2)) {
      transform($0.0, $0.1, $0.2)
    }
  }

  /// Publishes the next values of four publishers as a tuple; see ``zip(_:)``.
  @inlinable
  public func zip<P, Q, R>(_ publisher1: P, _ publisher2: Q, _ publisher3: R)
    -> Publishers.Zip4<Self, P, Q, R>
  where
    P: Publisher, Q: Publisher, R: Publisher, Failure == P.Failure, P.Failure == Q.Failure,
    Q.Failure == R.Failure
  {
    Publishers.Zip4(self, publisher1, publisher2, publisher3)
  }

  /// Combines the next values of four publishers with a closure; see ``zip(_:)``.
  @inlinable
  public func zip<P, Q, R, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where
    P: Publisher, Q: Publisher, R: Publisher, Failure == P.Failure, P.Failure == Q.Failure,
    Q.Failure == R.Failure
  {
    Publishers.Map(upstream: Publishers.Zip4(self, publisher1, publisher2, publisher3)) {
      transform($0.0, $0.1, $0.2, $0.3)
    }
  }
}

extension Publishers {
  /// A publisher of the next values of two publishers as pairs; see ``Publisher/zip(_:)``.
  public struct Zip<A, B>: Publisher
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
      let queues = (FIFO<A.Output>(), FIFO<B.Output>())
      let state = ZippingState(count: 2, queues: queues, downstream: subscriber) {
        ($0.0.removeFirst(), $0.1.removeFirst())
      }
      let junction = ZippingJunction(state)
      a.attach(ZippedSubscriber(junction, 0) { $0.0.append($1) })
      b.attach(ZippedSubscriber(junction, 1) { $0.1.append($1) })
      junction.act { $0.countDown() }
    }
  }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}

extension Publishers {
  /// A publisher of the next values of three publishers as tuples; see
  /// ``Publisher/zip(_:_:)->Publishers.Zip3<Self,P,Q>``.
  public struct Zip3<A, B, C>: Publisher
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
      let queues = (FIFO<A.Output>(), FIFO<B.Output>(), FIFO<C.Output>())
      let state = ZippingState(count: 3, queues: queues, downstream: subscriber) {
        ($0.0.removeFirst(), $0.1.removeFirst(), $0.2.removeFirst())
      }
      let junction = ZippingJunction(state)
      a.attach(ZippedSubscriber(junction, 0) { $0.0.append($1) })
      b.attach(ZippedSubscriber(junction, 1) { $0.1.append($1) })
      c.attach(ZippedSubscriber(junction, 2) { $0.2.append($1) })
      junction.act { $0.countDown() }
    }
  }
}

extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Zip3: Sendable where A: Sendable, B: Sendable, C: Sendable {}

extension Publishers {
  /// A publisher of the next values of four publishers as tuples; see
  /// ``Publisher/zip(_:_:_:)->Publishers.Zip4<Self,P,Q,R>``.
  public struct Zip4<A, B, C, D>: Publisher
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
      let queues = (FIFO<A.Output>(), FIFO<B.Output>(), FIFO<C.Output>(), FIFO<D.Output>())
      let state = ZippingState(count: 4, queues: queues, downstream: subscriber) {
        ($0.0.removeFirst(), $0.1.removeFirst(), $0.2.removeFirst(), $0.3.removeFirst())
      }
      let junction = ZippingJunction(state)
      a.attach(ZippedSubscriber(junction, 0) { $0.0.append($1) })
      b.attach(ZippedSubscriber(junction, 1) { $0.1.append($1) })
      c.attach(ZippedSubscriber(junction, 2) { $0.2.append($1) })
      d.attach(ZippedSubscriber(junction, 3) { $0.3.append($1) })
      junction.act { $0.countDown() }
    }
  }
}

extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.Zip4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}
