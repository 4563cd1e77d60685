import Streams

// These go on when upstream has ended. What comes then isn't made of the value that may have led to
// the end, as in `prefix(1).append(9)`.

extension Publishers.Concatenate: KeepsValues {
  var carrier: Publishers.Concatenate<Ending<Prefix>, Suffix> {
    Publishers.Concatenate(prefix: Ending(prefix), suffix: suffix)
  }
}

extension Publishers.ReplaceEmpty: KeepsValues {
  var carrier: Publishers.ReplaceEmpty<Ending<Upstream>> {
    Publishers.ReplaceEmpty(upstream: Ending(upstream), output: output)
  }
}

extension Publishers.ReplaceError: KeepsValues {
  var carrier: Publishers.ReplaceError<Ending<Upstream>> {
    Publishers.ReplaceError(upstream: Ending(upstream), output: output)
  }
}

extension Publishers.Catch: KeepsValues {
  var carrier: Publishers.Catch<Ending<Upstream>, NewPublisher> {
    Publishers.Catch(upstream: Ending(upstream), handler: handler)
  }
}

extension Publishers.TryCatch: KeepsValues {
  var carrier: Publishers.TryCatch<Ending<Upstream>, NewPublisher> {
    Publishers.TryCatch(upstream: Ending(upstream), handler: handler)
  }
}

extension Publishers.Retry: KeepsValues {
  var carrier: Publishers.Retry<Ending<Upstream>> {
    Publishers.Retry(upstream: Ending(upstream), retries: retries)
  }
}

/// A publisher whose end isn't made of its own values: only of those that were being delivered when
/// it began, such as the one that `flatMap` made it for.
struct Ending<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  private let upstream: Upstream

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    let outer = Timeline.origins
    var passing = PassingSubscriber<Output, Failure>(subscriber) { subscriber.receive($0) }
    passing.complete = { completion in
      Timeline.delivering(Timeline.origins.intersection(outer)) {
        subscriber.receive(completion: completion)
      }
    }
    upstream.subscribe(passing)
  }
}
