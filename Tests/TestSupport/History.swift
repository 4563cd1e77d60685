import Streams

extension Publisher {
  /// Subscribes a new ``History`` and returns it.
  ///
  /// ```swift
  /// let history = [1, 2].publisher.map { $0 * 10 }.history()
  /// #expect(history.events == [.subscription("Map"), .value(10), .value(20), .finished])
  /// ```
  package func history(
    demand: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none
  ) -> History<Output, Failure> {
    let history = History<Output, Failure>(demand: demand, perValue: perValue)
    subscribe(history)
    return history
  }
}

/// A subscriber that records everything it receives, so a test can compare the whole history.
///
/// It requests a fixed demand when it's attached, or nothing for `.none`. It returns a fixed demand
/// for each value. Other calls of ``request(_:)`` and ``cancel()`` are up to the test. The hooks
/// run inside a delivery, for tests of re-entrancy. Any thread may deliver, and any thread may
/// read.
package final class History<Input, Failure: Error>: Subscriber, Cancellable, Fixture {
  /// A signal that was received.
  package enum Event {
    /// A subscription, by its description.
    case subscription(String)
    /// A value.
    case value(Input)
    /// The completion.
    case completion(Subscribers.Completion<Failure>)

    /// The completion without an error.
    package static var finished: Event { .completion(.finished) }

    /// The completion with an error.
    package static func failure(_ error: Failure) -> Event { .completion(.failure(error)) }
  }

  /// Runs when a subscription has been received, instead of requesting the demand.
  package typealias SubscriptionHook = (any Subscription) -> Void
  /// Runs when a value has been received. The demand it returns is added to the demand per value.
  package typealias ValueHook = (Input) -> Subscribers.Demand
  /// Runs when the completion has been received.
  package typealias CompletionHook = (Subscribers.Completion<Failure>) -> Void

  private struct State {
    var events: [Event] = []
    var subscription: (any Subscription)?
    var onSubscription: SubscriptionHook?
    var onValue: ValueHook?
    var onCompletion: CompletionHook?
  }

  private let demand: Subscribers.Demand
  private let perValue: Subscribers.Demand
  private let name: String
  private let log: CallLog?
  private let state = Locked(State())

  /// Makes a subscriber with an empty history.
  ///
  /// - Parameters:
  ///   - demand: The demand to request when attached; for `.none` nothing is requested.
  ///   - perValue: The demand to return for each value.
  ///   - name: The prefix of each line in the log.
  ///   - log: A log for the same events, which others may share.
  package init(
    demand: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none,
    name: String = "downstream", log: CallLog? = nil
  ) {
    self.demand = demand
    self.perValue = perValue
    self.name = name
    self.log = log
    register()
  }

  // MARK: Read by the test

  /// All received events, in order.
  package var events: [Event] { state.withLock { $0.events } }

  /// All received events as text, such as `value (1, "a")`, for values that aren't `Equatable`.
  package var lines: [String] { events.map(\.description) }

  /// The received values, in order.
  package var values: [Input] {
    events.compactMap {
      guard case .value(let value) = $0 else { return nil }
      return value
    }
  }

  /// The first completion, or `nil` before it.
  package var completion: Subscribers.Completion<Failure>? {
    for case .completion(let completion) in events { return completion }
    return nil
  }

  /// Removes all events, so a test can look at later ones only.
  package func removeAll() {
    // The objects in the events are released outside the lock.
    _ = state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  // MARK: Called by the test

  /// Requests more values of the latest subscription.
  package func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.subscription }?.request(demand)
  }

  /// Requests more values of the latest subscription.
  package func request(_ count: Int) { request(.max(count)) }

  /// Cancels the latest subscription and keeps it, so a second call cancels it a second time.
  package func cancel() {
    state.withLock { $0.subscription }?.cancel()
  }

  /// Releases the subscription, so a test can see what else keeps it alive.
  package func releaseSubscription() {
    _ = state.withLock { $0.subscription.take() }
  }

  package func letGo() {
    // The subscription is cancelled, and everything is released, outside the lock.
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    // A subject and a subscriber that never cancels keep each other alive, as in Combine.
    old.subscription?.cancel()
  }

  /// Runs when a subscription has been received, instead of requesting the demand.
  package var onSubscription: SubscriptionHook? {
    get { state.withLock { $0.onSubscription } }
    set { state.withLock { $0.onSubscription = newValue } }
  }

  /// Runs when a value has been received.
  package var onValue: ValueHook? {
    get { state.withLock { $0.onValue } }
    set { state.withLock { $0.onValue = newValue } }
  }

  /// Runs when the completion has been received.
  package var onCompletion: CompletionHook? {
    get { state.withLock { $0.onCompletion } }
    set { state.withLock { $0.onCompletion = newValue } }
  }

  // MARK: Subscriber

  package func receive(subscription: any Subscription) {
    let hook = append(.subscription("\(subscription)")) { state in
      state.subscription = subscription
      return state.onSubscription
    }
    if let hook {
      hook(subscription)
    } else if demand > .none {
      subscription.request(demand)
    }
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    let hook = append(.value(input)) { $0.onValue }
    return perValue + (hook?(input) ?? .none)
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    let hook = append(.completion(completion)) { $0.onCompletion }
    hook?(completion)
  }

  private func append<Hook>(_ event: Event, _ update: (inout State) -> Hook) -> Hook {
    log?.append("\(name): \(event)")
    return state.withLock { state in
      state.events.append(event)
      return update(&state)
    }
  }
}

// All state is behind the lock; the test is responsible for its values and hooks.
extension History: @unchecked Sendable {}

extension History.Event: Equatable where Input: Equatable {
  package static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.subscription(let first), .subscription(let second)): first == second
    case (.value(let first), .value(let second)): first == second
    case (.completion(.finished), .completion(.finished)): true
    case (.completion(.failure(let first)), .completion(.failure(let second))):
      areEqual(first, second)
    default: false
    }
  }
}

extension History.Event: CustomStringConvertible {
  /// Such as `subscription Map`, `value 1`, `finished` or `failure no more`.
  package var description: String {
    switch self {
    case .subscription(let description): "subscription \(description)"
    case .value(let value): "value \(value)"
    case .completion(.finished): "finished"
    case .completion(.failure(let error)): "failure \(error)"
    }
  }
}
