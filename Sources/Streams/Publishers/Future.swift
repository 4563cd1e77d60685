/// A publisher that runs its work once and delivers the result to every subscriber.
///
/// The work begins when you create the future, even if nothing subscribes. It never runs again: a
/// `retry` gets the same failure. The future keeps the result for later subscribers. A value waits
/// until it's requested; a failure doesn't. Cancelling a subscription doesn't stop the work. To
/// delay the work until you subscribe, and to run it again for each subscriber, wrap the future in
/// ``Deferred``.
///
/// You can subscribe, request, cancel and call the promise from any thread, and none of these calls
/// waits. Waiting subscribers get the result on the thread that calls the promise, in the order in
/// which they subscribed.
///
/// Follows Combine's `Future`.
public final class Future<Output, Failure>: Publisher where Failure: Error {
  /// A closure that takes the result. Only the first call counts. A promise keeps its future alive.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private let waiting = FutureQueue<Output, Failure>()

  /// Creates a future and begins its work.
  ///
  /// The promise is `@Sendable`, so a task or a queue can capture it. Combine's isn't.
  ///
  /// - Parameter attemptToFulfill: Starts the work. Called right away, with the promise to call
  ///   when the work is done. You can call the promise from any thread. If the result isn't
  ///   `Sendable`, don't use it elsewhere afterwards: the compiler doesn't check that.
  public init(
    _ attemptToFulfill: @escaping (@escaping @Sendable (Result<Output, Failure>) -> Void) -> Void
  ) {
    // Fulfilling is safe on any thread. It's the caller who hands the result over.
    nonisolated(unsafe) let future = self
    attemptToFulfill { future.fulfill($0) }
  }

  // The promise is gone too, so no result will arrive, and nothing can subscribe any more.
  deinit { for conduit in waiting.abandon() { conduit.cancel() } }

  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    let conduit = FutureConduit<Output, Failure>(AnySubscriber(subscriber), in: waiting)
    subscriber.receive(subscription: conduit)
    // From here on, another thread can deliver the result to the conduit.
    if let result = waiting.add(conduit) {
      conduit.fulfill(result)
    } else if conduit.hasEnded {
      waiting.remove(conduit)
    }
  }

  private func fulfill(_ result: Result<Output, Failure>) {
    for conduit in waiting.close(with: result) { conduit.fulfill(result) }
  }
}

extension Future: Sendable where Output: Sendable {}

/// The subscriptions that wait for a future, or its result once it's known.
///
/// Adding and removing a subscription cost the same however many wait. Any thread can call these
/// methods. Subscriptions and results are released outside the lock.
private final class FutureQueue<Output, Failure: Error>: Sendable {
  typealias Conduit = FutureConduit<Output, Failure>

  private struct State {
    var conduits = Arrivals<Conduit>()
    /// Whether the result is known, or will never come.
    var isClosed = false
    var result: Result<Output, Failure>?
  }

  private let state = Locked(State())

  /// Adds a subscription that waits for the result.
  ///
  /// - Returns: The result, if it's already known.
  func add(_ conduit: Conduit) -> Result<Output, Failure>? {
    state.withLock { state in
      if !state.isClosed { conduit.key = state.conduits.add(conduit) }
      return state.result
    }
  }

  /// Removes a subscription that has ended.
  func remove(_ conduit: Conduit) {
    _ = state.withLock { state in conduit.key.flatMap { state.conduits.remove($0) } }
  }

  /// Stores the result, unless there's one already.
  ///
  /// - Returns: The subscriptions that waited for it, in the order in which they subscribed.
  func close(with result: Result<Output, Failure>) -> [Conduit] {
    state.withLock { state in
      if !state.isClosed {
        state.isClosed = true
        state.result = result
      }
      return state.conduits.removeAll()
    }
  }

  /// Drops the result and the subscriptions that wait for one.
  ///
  /// - Returns: The subscriptions that will never get a result.
  func abandon() -> [Conduit] {
    let (conduits, result) = state.withLock { state in
      defer { state.result = nil }
      state.isClosed = true
      return (state.conduits.removeAll(), state.result)
    }
    // Released here, outside the lock.
    _ = result
    return conduits
  }
}

/// A subscription to a future, which delivers the value once both the result and a request have
/// arrived.
///
/// The second of the two to arrive delivers the value, once. The completion follows unless the
/// subscription has been cancelled in the meantime. Nothing is called under the lock. When the
/// subscription ends, it releases the subscriber and the result, and the queue releases the
/// subscription.
private final class FutureConduit<Output, Failure: Error>: Subscription, Named {
  enum State {
    case idle
    case requested
    case fulfilled(Output)
    case delivering
    case ended

    enum Action {
      case none
      case deliver(Output)
      case fail(Failure)
    }

    mutating func request() -> Action {
      switch self {
      case .idle:
        self = .requested
        return .none
      case .fulfilled(let output):
        self = .delivering
        return .deliver(output)
      case .requested, .delivering, .ended:
        return .none
      }
    }

    mutating func fulfill(_ result: Result<Output, Failure>) -> Action {
      switch (self, result) {
      case (.idle, .success(let output)):
        self = .fulfilled(output)
        return .none
      case (.requested, .success(let output)):
        self = .delivering
        return .deliver(output)
      case (.idle, .failure(let error)), (.requested, .failure(let error)):
        self = .ended
        return .fail(error)
      case (.fulfilled, _), (.delivering, _), (.ended, _):
        return .none
      }
    }
  }

  private struct Attachment {
    var state = State.idle
    var downstream: AnySubscriber<Output, Failure>?
  }

  private let attachment: Locked<Attachment>
  private let queue: FutureQueue<Output, Failure>

  /// Its key in the queue. Guarded by the queue's lock.
  var key: Int?

  init(_ downstream: AnySubscriber<Output, Failure>, in queue: FutureQueue<Output, Failure>) {
    attachment = Locked(Attachment(downstream: downstream))
    self.queue = queue
  }

  var hasEnded: Bool {
    attachment.withLock { attachment in
      if case .ended = attachment.state { true } else { false }
    }
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "Future: zero values were requested: request at least one")
    perform { $0.request() }
  }

  func fulfill(_ result: Result<Output, Failure>) { perform { $0.fulfill(result) } }

  func cancel() { if end() { queue.remove(self) } }

  private func perform(_ event: (inout State) -> State.Action) {
    let (action, downstream) = attachment.withLock { attachment in
      (event(&attachment.state), attachment.downstream)
    }
    switch action {
    case .none:
      break
    case .deliver(let output):
      _ = downstream?.receive(output)
      if end() { downstream?.receive(completion: .finished) }
    case .fail(let error):
      _ = end()
      downstream?.receive(completion: .failure(error))
    }
  }

  /// - Returns: Whether this call ended it.
  private func end() -> Bool {
    // The subscriber, and a value that was never requested, are released here, outside the lock.
    let old = attachment.withLock { attachment in
      defer { attachment = Attachment(state: .ended) }
      return attachment
    }
    if case .ended = old.state { return false }
    return true
  }

  var name: String { "Future" }
}
