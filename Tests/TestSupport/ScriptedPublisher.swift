import Streams

/// A publisher that the test controls by hand: it sends each signal, even one that breaks the
/// rules, and reads the requests and cancellations.
///
/// ```swift
/// let source = ScriptedPublisher<Int, TestError>()
/// let history = source.map { $0 * 10 }.history(demand: .max(2))
/// source.send(1)  // Returns the demand that the operator returns.
/// source.fail("no more")
/// #expect(source.calls == [.request(.max(2))])
/// #expect(history.events == [.subscription("Map"), .value(10), .failure("no more")])
/// ```
///
/// Signals go to the latest subscriber, or to the one at an index. Subscribers are kept until you
/// call ``releaseSubscribers()``. Any thread may subscribe and send.
package final class ScriptedPublisher<Output, Failure: Error>: Publisher, Fixture {
  private struct State {
    var attached: [any Subscriber<Output, Failure>] = []
    var subscriptions: [ScriptedSubscription] = []
    var onRequest: ((Subscribers.Demand) -> Void)?
    var onCancel: (() -> Void)?
    var onSubscribe: (() -> Void)?
  }

  private let sendsSubscription: Bool
  private let name: String
  private let log: CallLog?
  private let state = Locked(State())

  /// Makes a publisher that waits for the test.
  ///
  /// - Parameters:
  ///   - sendsSubscription: Whether a subscriber gets its subscription at once. If not, the test
  ///     calls ``sendSubscription(to:)``, or never sends one.
  ///   - name: The prefix of each line in the log, and the description of the subscriptions.
  ///   - log: A log for requests and cancellations, which others may share.
  package init(
    sendsSubscription: Bool = true, name: String = "upstream", log: CallLog? = nil
  ) {
    self.sendsSubscription = sendsSubscription
    self.name = name
    self.log = log
    register()
  }

  // MARK: Read by the test

  /// All requests and cancellations, subscription by subscription.
  ///
  /// To test the order between several subscriptions, give each publisher the same ``CallLog``.
  package var calls: [ScriptedSubscription.Call] { subscriptions.flatMap(\.calls) }

  /// All subscriptions, in order.
  package var subscriptions: [ScriptedSubscription] { state.withLock { $0.subscriptions } }

  /// How many subscribers have subscribed.
  package var subscriberCount: Int { state.withLock { $0.attached.count } }

  // MARK: Called by the test

  /// Delivers a value, with or without demand for it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - index: The index of the subscriber, counted from zero; `nil` for the latest.
  /// - Returns: The demand that the subscriber returned.
  @discardableResult
  package func send(_ value: Output, to index: Int? = nil) -> Subscribers.Demand {
    subscriber(at: index).receive(value)
  }

  /// Delivers a completion, even a second one.
  package func send(completion: Subscribers.Completion<Failure>, to index: Int? = nil) {
    subscriber(at: index).receive(completion: completion)
  }

  /// Delivers the completion without an error.
  package func finish(to index: Int? = nil) { send(completion: .finished, to: index) }

  /// Delivers the completion with an error.
  package func fail(_ error: Failure, to index: Int? = nil) {
    send(completion: .failure(error), to: index)
  }

  /// Delivers a new subscription: the first one if it was held back, or one too many.
  ///
  /// - Returns: The new subscription, which is also the last of ``subscriptions``.
  @discardableResult
  package func sendSubscription(to index: Int? = nil) -> ScriptedSubscription {
    let subscriber = subscriber(at: index)
    let subscription = ScriptedSubscription(
      description: name, log: log,
      onRequest: { [weak self] in self?.onRequest?($0) },
      onCancel: { [weak self] in self?.onCancel?() })
    state.withLock { $0.subscriptions.append(subscription) }
    subscriber.receive(subscription: subscription)
    return subscription
  }

  /// Releases the subscribers, so a test can see what else keeps them alive.
  package func releaseSubscribers() {
    // They are released outside the lock.
    _ = state.withLock { state in
      defer { state.attached = [] }
      return state.attached
    }
  }

  package func letGo() {
    // Everything is released outside the lock.
    _ = state.withLock { state in
      defer { state = State() }
      return state
    }
  }

  /// Runs inside each request.
  package var onRequest: ((Subscribers.Demand) -> Void)? {
    get { state.withLock { $0.onRequest } }
    set { state.withLock { $0.onRequest = newValue } }
  }

  /// Runs inside each cancellation.
  package var onCancel: (() -> Void)? {
    get { state.withLock { $0.onCancel } }
    set { state.withLock { $0.onCancel = newValue } }
  }

  /// Runs after a subscriber has subscribed and has its subscription.
  package var onSubscribe: (() -> Void)? {
    get { state.withLock { $0.onSubscribe } }
    set { state.withLock { $0.onSubscribe = newValue } }
  }

  // MARK: Publisher

  package func receive<S>(subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    let (index, hook) = state.withLock { state in
      state.attached.append(subscriber)
      return (state.attached.count - 1, state.onSubscribe)
    }
    log?.append("\(name): subscribe")
    if sendsSubscription { sendSubscription(to: index) }
    hook?()
  }

  private func subscriber(at index: Int?) -> any Subscriber<Output, Failure> {
    let subscriber = state.withLock { state in
      let index = index ?? state.attached.count - 1
      return state.attached.indices.contains(index) ? state.attached[index] : nil
    }
    guard let subscriber else {
      preconditionFailure("\(name) has no subscriber \(index.map { "\($0)" } ?? "yet")")
    }
    return subscriber
  }
}

// All state is behind the lock; the test is responsible for its hooks.
extension ScriptedPublisher: @unchecked Sendable {}
