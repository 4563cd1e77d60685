import Streams

// The results of these have no value in them, but say something about values.

extension Publishers.Count: KeepsValues {
  var carrier: Answering<Publishers.Count<Noting<Upstream>>> {
    Answering { Publishers.Count(upstream: Noting(upstream, in: $0)) }
  }
}

extension Publishers.Contains: KeepsValues {
  var carrier: Answering<Publishers.Contains<Noting<Upstream>>> {
    Answering { Publishers.Contains(upstream: Noting(upstream, in: $0), output: output) }
  }
}

extension Publishers.ContainsWhere: KeepsValues {
  var carrier: Answering<Publishers.ContainsWhere<Noting<Upstream>>> {
    Answering { Publishers.ContainsWhere(upstream: Noting(upstream, in: $0), predicate: predicate) }
  }
}

extension Publishers.TryContainsWhere: KeepsValues {
  var carrier: Answering<Publishers.TryContainsWhere<Noting<Upstream>>> {
    Answering {
      Publishers.TryContainsWhere(upstream: Noting(upstream, in: $0), predicate: predicate)
    }
  }
}

extension Publishers.AllSatisfy: KeepsValues {
  var carrier: Answering<Publishers.AllSatisfy<Noting<Upstream>>> {
    Answering { Publishers.AllSatisfy(upstream: Noting(upstream, in: $0), predicate: predicate) }
  }
}

extension Publishers.TryAllSatisfy: KeepsValues {
  var carrier: Answering<Publishers.TryAllSatisfy<Noting<Upstream>>> {
    Answering { Publishers.TryAllSatisfy(upstream: Noting(upstream, in: $0), predicate: predicate) }
  }
}

/// An operator whose results are answers about the values that have passed to it.
///
/// An answer that one value gives, as when it's the one that `contains` looks for, is made of that
/// value. Any other is made of all.
struct Answering<Operator: Publisher>: Publisher {
  typealias Output = Traced<Operator.Output>
  typealias Failure = Operator.Failure
  private let apply: (NotedOrigins) -> Operator

  init(_ apply: @escaping (NotedOrigins) -> Operator) { self.apply = apply }

  func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    let noted = NotedOrigins()
    apply(noted).receive(
      subscriber: PassingSubscriber(subscriber) { (answer: Operator.Output) in
        subscriber.receive(Traced(answer, noted.origins))
      })
  }
}

/// A publisher whose values are noted while they pass.
struct Noting<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  private let upstream: Upstream
  private let noted: NotedOrigins

  init(_ upstream: Upstream, in noted: NotedOrigins) {
    (self.upstream, self.noted) = (upstream, noted)
  }

  func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    upstream.subscribe(
      PassingSubscriber(subscriber) { (input: Output) in
        noted.note(Timeline.origins) { subscriber.receive(input) }
      })
  }
}

/// The origins of the values that have passed to an operator.
final class NotedOrigins: Sendable {
  private let state = Locked((all: Origins(), passing: Origins?.none))

  /// Those of the value that's passing, or else those of all.
  var origins: Origins { state.withLock { $0.passing ?? $0.all } }

  fileprivate func note<Result>(_ origins: Origins, during body: () -> Result) -> Result {
    let origins = origins.latest
    state.withLock { $0 = (($0.all + origins).latest, origins) }
    defer { state.withLock { $0.passing = nil } }
    return body()
  }
}
