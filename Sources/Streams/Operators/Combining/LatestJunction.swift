/// The place where the publishers of a `combineLatest` meet: they send to it, possibly on several
/// threads, and downstream receives from it, one signal at a time.
///
/// - Inside the gate: deliveries. If another thread is delivering, a value waits for it. A value
///   that's sent from within a delivery only changes the state.
/// - Under the lock: the state. Downstream's requests and cancellations need nothing else, so they
///   never wait. Nothing is called or released under it, because that could run the user's code.
/// - Outside both: calls to the publishers. They may be waiting for a thread that waits for the
///   gate, so calling them from inside could block both threads forever.
@usableFromInline
final class LatestJunction<Values, Downstream: Subscriber>: Subscription, Named {
  @usableFromInline typealias State = LatestState<Values, Downstream>

  @usableFromInline let gate = Gate()
  @usableFromInline let state: Locked<State>

  @inlinable init(_ state: State) { self.state = Locked(state) }

  @inlinable
  func inside<Result>(_ body: () -> Result) -> Result {
    let wasOutside = gate.enter()
    defer { if wasOutside { gate.leave {} } }
    return body()
  }

  @usableFromInline var name: String { "CombineLatest" }

  // MARK: From downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "CombineLatest: zero values were requested: request at least one")
    // Stops if one of the requests ends the stream.
    for subscription in state.withLock({ $0.request(demand) }) where !state.withLock({ $0.isOver })
    {
      subscription.request(demand)
    }
  }

  @usableFromInline
  func cancel() {
    let remains = state.withLock { $0.cancel() }
    for subscription in remains.subscriptions { subscription.cancel() }
  }

  // MARK: From the publishers

  @inlinable
  func attach(_ subscription: any Subscription, to index: Int) {
    let object = subscription._object.value
    guard let demand = state.withLock({ $0.attach(object, to: index) }) else {
      return subscription.cancel()
    }
    if demand > 0 { subscription.request(demand) }
  }

  @inlinable
  func receive(from index: Int, keep: (inout Values) -> Void) -> Subscribers.Demand {
    // Kept until the gate is free, because that may be its last use.
    var used: State.Held?
    let demand = inside { () -> Subscribers.Demand in
      guard let (combination, downstream) = state.withLock({ $0.receive(from: index, keep: keep) })
      else { return .none }
      used = downstream
      let more = downstream.subscriber.receive(combination)
      return state.withLock { $0.delivered(to: downstream, returning: more) }
    }
    withExtendedLifetime(used) {}
    endIfDue()
    return demand
  }

  @inlinable
  func complete(_ index: Int, _ completion: Subscribers.Completion<Downstream.Failure>) {
    let ended = state.withLock { $0.sides[index].subscription }
    inside { state.withLock { $0.complete(index, completion) } }
    endIfDue()
    // Released here, outside the gate.
    withExtendedLifetime(ended) {}
  }

  // MARK: To downstream

  /// Hands downstream its subscription, before any publisher is subscribed to.
  @inlinable
  func begin(_ downstream: Downstream) {
    inside {
      let held = HeldDownstream(downstream)
      downstream.receive(subscription: self)
      _ = state.withLock { $0.delivered(to: held, returning: .none) }
    }
  }

  /// Cancels the publishers and delivers the completion, once it's due. During a delivery it isn't,
  /// so that's up to the thread that delivers.
  @inlinable
  func endIfDue() {
    guard let remains = state.withLock({ $0.beginEnd() }) else { return }
    for subscription in remains.subscriptions { subscription.cancel() }
    var last: (State.Held, State.Completion)?
    inside {
      // Asked inside the gate, because downstream may have cancelled meanwhile.
      last = state.withLock { $0.end() }
      if let (downstream, completion) = last {
        downstream.subscriber.receive(completion: completion)
      }
    }
    withExtendedLifetime(last) {}
  }
}

/// Receives the values of one publisher.
@usableFromInline
struct CombinedLatestSubscriber<Input, Values, Downstream: Subscriber>: Subscriber, Named {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let junction: LatestJunction<Values, Downstream>
  @usableFromInline let index: Int

  /// Exchanges this publisher's latest value for another.
  @usableFromInline let exchange: (inout Values, inout Input?) -> Void

  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(
    _ junction: LatestJunction<Values, Downstream>, _ index: Int,
    exchange: @escaping (inout Values, inout Input?) -> Void
  ) {
    (self.junction, self.index, self.exchange) = (junction, index, exchange)
  }

  @usableFromInline var name: String { junction.name }

  @inlinable
  func receive(subscription: any Subscription) { junction.attach(subscription, to: index) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    var value: Input? = input
    let demand = junction.receive(from: index) { exchange(&$0, &value) }
    // By now, this is the value that was replaced. It's released here, outside the gate.
    withExtendedLifetime(value) {}
    return demand
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    junction.complete(index, completion)
  }
}
