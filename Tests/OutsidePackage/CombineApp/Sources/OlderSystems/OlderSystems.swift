import Combine

// What Combine got after its first version. Libraries that support systems before that declare it
// themselves, and mark it as obsolete for later ones. On Linux no such mark applies, so both exist.

extension Optional {
  @available(iOS, obsoleted: 14) @available(macOS, obsoleted: 11)
  public var publisher: AnyPublisher<Wrapped, Never> {
    map { Just($0).eraseToAnyPublisher() } ?? Empty().eraseToAnyPublisher()
  }
}

/// The calls of `assign(to:)` below.
nonisolated(unsafe) public var assigned: [String] = []

extension Publisher where Failure == Never {
  @available(iOS, obsoleted: 14) @available(macOS, obsoleted: 11)
  public func assign(to published: inout Published<Output>.Publisher) {
    // A library would store the values. This one only shows that it was called.
    assigned.append("assign(to:)")
  }

  @available(iOS, obsoleted: 14) @available(macOS, obsoleted: 11)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  @available(iOS, obsoleted: 14) @available(macOS, obsoleted: 11)
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    > where Output: Publisher
  {
    setFailureType(to: Output.Failure.self).switchToLatest()
  }

  @available(iOS, obsoleted: 14) @available(macOS, obsoleted: 11)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  @available(iOS, obsoleted: 14) @available(macOS, obsoleted: 11)
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self>
  where Output: Publisher, Output.Failure == Never {
    Publishers.SwitchToLatest(upstream: self)
  }

  public func setFailureType<E: Error>(
    to type: E.Type = E.self
  ) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Sendable {
  @available(iOS, obsoleted: 15) @available(macOS, obsoleted: 12)
  public var values: AsyncStream<Output> {
    AsyncStream { continuation in
      let cancellable = sink(
        receiveCompletion: { _ in continuation.finish() },
        receiveValue: { continuation.yield($0) })
      continuation.onTermination = { _ in cancellable.cancel() }
    }
  }
}

extension Publisher {
  @available(iOS, obsoleted: 14) @available(macOS, obsoleted: 11)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }

  @available(iOS, obsoleted: 14) @available(macOS, obsoleted: 11)
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    > where Output: Publisher, Output.Failure == Never
  {
    map { $0.setFailureType(to: Failure.self) }.switchToLatest()
  }
}

extension Publisher where Output: Sendable {
  @available(iOS, obsoleted: 15) @available(macOS, obsoleted: 12)
  public var values: AsyncThrowingStream<Output, any Error> {
    AsyncThrowingStream { continuation in
      let cancellable = sink(
        receiveCompletion: { completion in
          switch completion {
          case .finished: continuation.finish()
          case .failure(let error): continuation.finish(throwing: error)
          }
        }, receiveValue: { continuation.yield($0) })
      continuation.onTermination = { _ in cancellable.cancel() }
    }
  }
}

extension Future where Failure == Never, Output: Sendable {
  @available(iOS, obsoleted: 15) @available(macOS, obsoleted: 12)
  public var value: Output {
    get async {
      await withCheckedContinuation { continuation in
        let subscriber = Subscribers.Sink<Output, Never>(
          receiveCompletion: { _ in }, receiveValue: { continuation.resume(returning: $0) })
        subscribe(subscriber)
      }
    }
  }
}
