/// A publisher of one result that is worked out once, for all subscribers.
///
/// The work begins when the future is made, even if nobody subscribes, and isn't done again: a
/// `retry` gets the same failure. The result is kept, and given to every subscriber. A value waits
/// until it's requested, a failure doesn't. Cancelling a subscription doesn't stop the work. Wrap it
/// in ``Deferred`` for work that waits, and begins anew for each subscriber.
///
/// Threads: subscribe, request, cancel and fulfill from any thread; nobody waits. Those who wait for
/// the result get it on the thread that calls the promise, in the order in which they subscribed.
///
/// Source of the rules: Combine's `Future`.
public final class Future<Output, Failure>: Publisher where Failure: Error {
  /// Takes the result; the first call counts. It keeps the future alive.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private let waiting = FutureQueue<Output, Failure>()

  /// Makes a future and begins its work.
  ///
  /// - Parameter attemptToFulfill: Called now, with the promise to call when the work is done. The
  ///   promise may be called from any thread.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { self.fulfill($0) }
  }

  // The promise is gone too. So no result will come, and nobody can ask for one that has come.
  deinit { for conduit in waiting.abandon() { conduit.cancel() } }

  public func receive<S>(subscriber: S)
  where S: Subscriber, Output == S.Input, Failure == S.Failure {
    let conduit = FutureConduit<Output, Failure>(AnySubscriber(subscriber), in: waiting)
    subscriber.receive(subscription: conduit)
    // Only now can the result reach it from another thread.
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

/// Those who wait for a future, or its result once there is one.
///
/// Waiting and leaving cost the same however many wait. Any thread may call this; subscriptions and
/// results are released outside the lock.
private final class FutureQueue<Output, Failure: Error>: Sendable {
  typealias Conduit = FutureConduit<Output, Failure>

  private final class Waiting {
    var list = SlotList<Conduit>()
  }

  private enum State {
    case pending(Waiting)
    case closed(Result<Output, Failure>?)
  }

  private let state = Locked(State.pending(Waiting()))

  /// Lets a subscription wait.
  ///
  /// - Returns: The result, if there is one already.
  func add(_ conduit: Conduit) -> Result<Output, Failure>? {
    state.withLock { state in
      switch state {
      case .pending(let waiting):
        waiting.list.append(conduit)
        return nil
      case .closed(let result): return result
      }
    }
  }

  /// Forgets a subscription that has ended.
  func remove(_ conduit: Conduit) {
    let removed = state.withLock { state -> Unmanaged<Conduit>? in
      guard case .pending(let waiting) = state else { return nil }
      defer { waiting.list.closeHoles() }
      return waiting.list.remove(conduit)
    }
    removed?.release()
  }

  /// Keeps the result, if it's the first.
  ///
  /// - Returns: Those who have waited for it, in order.
  func close(with result: Result<Output, Failure>) -> [Conduit] {
    let old = state.withLock { state in
      defer { if case .pending = state { state = .closed(result) } }
      return state
    }
    return conduits(of: old)
  }

  /// Forgets the result and those who wait for one.
  ///
  /// - Returns: Those who wait in vain.
  func abandon() -> [Conduit] {
    let old = state.withLock { state in
      defer { state = .closed(nil) }
      return state
    }
    return conduits(of: old)
  }

  private func conduits(of state: State) -> [Conduit] {
    guard case .pending(let waiting) = state else { return [] }
    return (0..<waiting.list.end).compactMap { waiting.list[$0]?.takeUnretainedValue() }
  }
}

/// One subscription to a future: it brings the result and the first request together.
///
/// The second of the two to arrive delivers the value, once. The completion follows it unless the
/// subscription is cancelled meanwhile. Nothing is called under the lock. At its end it lets go of
/// the subscriber and the result, and the queue lets go of it.
private final class FutureConduit<Output, Failure: Error>: Slotted, NamedSubscription {
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

  /// - Returns: Whether it had not ended before.
  private func end() -> Bool {
    // The subscriber, and a value that nobody has requested, are released here, outside the lock.
    let old = attachment.withLock { attachment in
      defer { attachment = Attachment(state: .ended) }
      return attachment
    }
    if case .ended = old.state { return false }
    return true
  }

  var name: String { "Future" }
}
