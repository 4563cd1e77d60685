/// The place where the publishers of a `zip` meet: they send to it, possibly on several threads,
/// and downstream receives from it, one signal at a time.
///
/// 1. A publisher sends a signal. The thread enters the gate, or waits until another one has left.
/// 2. Under the lock, the state takes note of the signal, and says what to deliver.
/// 3. The thread delivers that, and asks the state again. If a publisher sends on this thread
///    meanwhile, steps 1 and 2 only take note.
/// 4. The thread leaves the gate, and then requests from the publishers, or cancels them. They may
///    be waiting for a thread that waits for the gate, so calling them from inside could block both
///    threads forever.
///
/// Downstream's requests and cancellations only need the lock, so they never wait for a delivery. A
/// cancellation from within a delivery reaches the publishers at once, also from inside the gate.
/// Nothing is called or released under the lock, because that could run the user's code.
@usableFromInline
final class ZippingJunction<Queues, Downstream: Subscriber>: Subscription, Named {
  @usableFromInline typealias State = ZippingState<Queues, Downstream>

  @usableFromInline let gate = Gate()
  @usableFromInline let state: Locked<State>

  @inlinable init(_ state: State) { self.state = Locked(state) }

  @usableFromInline var name: String { "Zip" }

  // MARK: From downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "Zip: zero values were requested: request at least one")
    let isInside = gate.isMine
    request(demand, from: state.withLock { $0.request(demand, isWithinDelivery: isInside) })
  }

  /// Stops if one of the requests ends the stream.
  @inlinable
  func request(_ demand: Subscribers.Demand, from subscriptions: [SubscriptionObject]) {
    for subscription in subscriptions where !state.withLock({ $0.isOver }) {
      subscription.request(demand)
    }
  }

  @usableFromInline
  func cancel() {
    let remains = state.withLock { $0.cancel() }
    for subscription in remains.subscriptions { subscription.cancel() }
  }

  // MARK: From the publishers

  /// Tells the state about a signal, and does what it says until there's nothing left to do.
  ///
  /// - Parameter index: The publisher that has sent the signal, if it's a value.
  /// - Returns: The demand for that publisher.
  @inlinable @discardableResult
  func act(for index: Int? = nil, on signal: (inout State) -> State.Action) -> Subscribers.Demand {
    var total = Subscribers.Demand.none
    var errand = deliver(for: index, after: signal)
    while true {
      switch errand {
      case .nothing: return total
      case .request(let demand, let subscriptions):
        total += demand
        request(demand, from: subscriptions)
      case .cancel(let remains):
        for subscription in remains.subscriptions { subscription.cancel() }
      }
      // The next combination or the end may be due, unless another thread has delivered it by now.
      errand = deliver(for: index) { $0.next() }
    }
  }

  /// Delivers what's due after a signal, inside the gate.
  ///
  /// - Returns: What to do outside the gate.
  @inlinable
  func deliver(for index: Int?, after signal: (inout State) -> State.Action) -> State.Errand {
    let wasOutside = gate.enter()
    // There are never notes to act on.
    defer { if wasOutside { gate.leave {} } }
    var action = state.withLock(signal)
    while true {
      switch action {
      case .announce(let downstream):
        downstream.subscriber.receive(subscription: self)
        action = state.withLock { $0.announced(to: downstream) }
      case .deliver(let combination, let downstream):
        let demand = downstream.subscriber.receive(combination)
        action = state.withLock { $0.delivered(to: downstream, returning: demand, for: index) }
      case .complete(let completion, let downstream, let remains):
        downstream.subscriber.receive(completion: completion)
        return .cancel(remains)
      case .leave(let errand): return errand
      }
    }
  }
}

/// Receives the values of one publisher.
@usableFromInline
struct ZippedSubscriber<Input, Queues, Downstream: Subscriber>: Subscriber, Named {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let junction: ZippingJunction<Queues, Downstream>
  @usableFromInline let index: Int

  /// Appends a value to the queue of this publisher.
  @usableFromInline let append: (inout Queues, Input) -> Void

  @usableFromInline let combineIdentifier = CombineIdentifier()

  @inlinable
  init(
    _ junction: ZippingJunction<Queues, Downstream>, _ index: Int,
    append: @escaping (inout Queues, Input) -> Void
  ) {
    (self.junction, self.index, self.append) = (junction, index, append)
  }

  @usableFromInline var name: String { junction.name }

  @inlinable
  func receive(subscription: any Subscription) {
    let object = subscription._object.value
    junction.act { $0.attach(object, to: index) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    junction.act(for: index) { $0.receive(from: index) { append(&$0, input) } }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    let ended = junction.state.withLock { $0.sides[index].subscription }
    junction.act { $0.complete(index, completion) }
    // Released here. `complete` would release it under the lock.
    withExtendedLifetime(ended) {}
  }
}
