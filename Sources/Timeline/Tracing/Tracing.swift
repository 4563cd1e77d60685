import Streams

/// A publisher whose values know their origins: what's being delivered when they arrive.
struct Tracing<Upstream: Publisher>: Publisher {
  typealias Output = Traced<Upstream.Output>
  typealias Failure = Upstream.Failure
  let upstream: Upstream

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    upstream.subscribe(TracingSubscriber(downstream: subscriber))
  }
}

/// Adds the origins to each value, and lists it as kept until its operator lets go of it.
private struct TracingSubscriber<Value, Downstream: Subscriber<Traced<Value>, Failure>, Failure>:
  Subscriber, CustomStringConvertible
where Failure: Error {
  let downstream: Downstream
  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  var description: String { String(describing: downstream) }
  var _depth: _Hint<Int> { downstream._depth }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ input: Value) -> Subscribers.Demand {
    var origins = Timeline.origins
    let hold = Timeline.hold(by: downstream)
    defer { hold?.arrive() }
    origins.holds = hold.map { [$0] } ?? []
    return downstream.receive(Traced(input, origins))
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion)
  }
}

/// Passes each value on in a way of its own, and everything else as it is.
struct PassingSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  let downstream: any Subscriber
  let deliver: (Input) -> Subscribers.Demand
  var complete: (Subscribers.Completion<Failure>) -> Void

  init<Value>(
    _ downstream: some Subscriber<Value, Failure>,
    delivering deliver: @escaping (Input) -> Subscribers.Demand
  ) {
    (self.downstream, self.deliver) = (downstream, deliver)
    complete = { downstream.receive(completion: $0) }
  }

  /// Removes the origins from each value, and lets its delivery follow from them.
  init<Value>(
    _ downstream: some Subscriber<Value, Failure>, opening open: @escaping (Input) -> Traced<Value>
  ) {
    self.init(downstream) { input in
      let traced = open(input)
      return traced.origins.holds.delivering {
        Timeline.delivering(traced.origins) { downstream.receive(traced.value) }
      }
    }
  }

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  var description: String { String(describing: downstream) }
  var _depth: _Hint<Int> { downstream._depth }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  func receive(_ input: Input) -> Subscribers.Demand { deliver(input) }
  func receive(completion: Subscribers.Completion<Failure>) { complete(completion) }
}
