import Streams

/// A publisher without a will of its own: the test sends each signal by hand, also ones that break
/// the rules, and reads what was requested and cancelled.
///
/// ```swift
/// let source = ScriptedPublisher<Int, TestError>()
/// let history = source.map { $0 * 10 }.history(demand: .max(2))
/// source.send(1)  // Returns the demand that the operator answers with.
/// source.fail("no more")
/// #expect(source.calls == [.request(.max(2))])
/// #expect(history.events == [.subscription("Map"), .value(10), .failure("no more")])
/// ```
///
/// Signals go to the latest subscriber unless an index says otherwise. Subscribers are kept until
/// ``releaseSubscribers()``. Any thread may subscribe and send.
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
  ///   - sendsSubscription: Whether a subscriber is handed its subscription at once; if not, the
  ///     test calls ``sendSubscription(to:)``, or leaves it out.
  ///   - name: Stands before each line in the log, and is the description of the subscriptions.
  ///   - log: Where to write requests and cancellations too, beside what others write there.
  package init(
    sendsSubscription: Bool = true, name: String = "upstream", log: CallLog? = nil
  ) {
    self.sendsSubscription = sendsSubscription
    self.name = name
    self.log = log
    register()
  }

  // MARK: What the test looks at

  /// What was asked for, subscription by subscription.
  ///
  /// For the order between several subscriptions, give each publisher a ``CallLog``.
  package var calls: [ScriptedSubscription.Call] { subscriptions.flatMap(\.calls) }

  /// Every subscription that was made, in order.
  package var subscriptions: [ScriptedSubscription] { state.withLock { $0.subscriptions } }

  /// How many times somebody subscribed.
  package var subscriberCount: Int { state.withLock { $0.attached.count } }

  // MARK: What the test does

  /// Delivers a value, whether there is demand for it or not.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - index: Which subscriber, counted from zero; `nil` for the latest.
  /// - Returns: The demand that the subscriber answered with.
  @discardableResult
  package func send(_ value: Output, to index: Int? = nil) -> Subscribers.Demand {
    subscriber(at: index).receive(value)
  }

  /// Delivers the end, also for a second time.
  package func send(completion: Subscribers.Completion<Failure>, to index: Int? = nil) {
    subscriber(at: index).receive(completion: completion)
  }

  /// Delivers the end of all values.
  package func finish(to index: Int? = nil) { send(completion: .finished, to: index) }

  /// Delivers an error.
  package func fail(_ error: Failure, to index: Int? = nil) {
    send(completion: .failure(error), to: index)
  }

  /// Delivers a new subscription: the first, where it was held back, or one too many.
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

  /// Lets go of the subscribers, to see what else keeps them alive.
  package func releaseSubscribers() {
    // They are released outside the lock.
    _ = state.withLock { state in
      defer { state.attached = [] }
      return state.attached
    }
  }

  package func letGo() {
    // What is let go of is released outside the lock.
    _ = state.withLock { state in
      defer { state = State() }
      return state
    }
  }

  /// What to do when somebody requests, in the middle of that call.
  package var onRequest: ((Subscribers.Demand) -> Void)? {
    get { state.withLock { $0.onRequest } }
    set { state.withLock { $0.onRequest = newValue } }
  }

  /// What to do when somebody cancels, in the middle of that call.
  package var onCancel: (() -> Void)? {
    get { state.withLock { $0.onCancel } }
    set { state.withLock { $0.onCancel = newValue } }
  }

  /// What to do when somebody has subscribed, after the subscription has been handed over.
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

// All state is behind the lock; the test answers for its hooks.
extension ScriptedPublisher: @unchecked Sendable {}
