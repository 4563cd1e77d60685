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
  deinit { for (conduit, _) in waiting.abandon() { conduit.cancel() } }

  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    let downstream = AnySubscriber(subscriber)
    let conduit = FutureConduit(in: waiting)
    downstream.receive(subscription: conduit)
    // From here on, another thread can deliver the result.
    if let result = waiting.add(conduit, for: downstream) {
      conduit.fulfill(result, for: downstream)
    } else if conduit.isOver {
      waiting.remove(conduit)
    }
  }

  private func fulfill(_ result: Result<Output, Failure>) {
    for (conduit, downstream) in waiting.close(with: result) {
      conduit.fulfill(result, for: downstream)
    }
  }
}

extension Future: Sendable where Output: Sendable {}

/// The subscriptions that wait for a future, with their subscribers, or its result once it's known.
///
/// Adding and removing a subscription cost the same however many wait. Any thread can call these
/// methods. Subscriptions, subscribers and results are released outside the lock.
private final class FutureQueue<Output, Failure: Error>: Sendable {
  typealias Waiting = (
    conduit: FutureConduit<Output, Failure>, downstream: AnySubscriber<Output, Failure>
  )

  private struct State {
    var waiting = Arrivals<Waiting>()
    /// Whether the result is known, or will never come.
    var isClosed = false
    var result: Result<Output, Failure>?
  }

  private let state = Locked(State())

  /// Adds a subscription that waits for the result.
  ///
  /// - Returns: The result, if it's already known.
  func add(
    _ conduit: FutureConduit<Output, Failure>, for downstream: AnySubscriber<Output, Failure>
  ) -> Result<Output, Failure>? {
    state.withLock { state in
      if !state.isClosed { conduit.key = state.waiting.add((conduit, downstream)) }
      return state.result
    }
  }

  /// Removes a subscription that has ended.
  func remove(_ conduit: FutureConduit<Output, Failure>) {
    _ = state.withLock { state in conduit.key.flatMap { state.waiting.remove($0) } }
  }

  /// Stores the result, unless there's one already.
  ///
  /// - Returns: The subscriptions that waited for it, in the order in which they subscribed.
  func close(with result: Result<Output, Failure>) -> [Waiting] {
    state.withLock { state in
      if !state.isClosed { (state.isClosed, state.result) = (true, result) }
      return state.waiting.removeAll()
    }
  }

  /// Drops the result and the subscriptions that wait for one.
  ///
  /// - Returns: The subscriptions that will never get a result.
  func abandon() -> [Waiting] {
    let (waiting, result) = state.withLock { state in
      state.isClosed = true
      return (state.waiting.removeAll(), state.result.take())
    }
    // Released here, outside the lock.
    _ = result
    return waiting
  }
}

/// A subscription to a future. The value is delivered once both the result and a request have
/// arrived, which is what a ``ResultRelay`` does. It has no upstream. The queue keeps it and its
/// subscriber until its end.
private final class FutureConduit<Output, Failure: Error>:
  ResultRelay<AnySubscriber<Output, Failure>>
{
  private let queue: FutureQueue<Output, Failure>

  /// Its key in the queue. Guarded by the queue's lock.
  var key: Int?

  init(in queue: FutureQueue<Output, Failure>) {
    self.queue = queue
    super.init("Future")
  }

  func fulfill(_ result: Result<Output, Failure>, for downstream: AnySubscriber<Output, Failure>) {
    switch result {
    case .success(let output): if detach().isFirst { keep(output, for: downstream) }
    case .failure(let error):
      if end().isFirst { downstream.receive(completion: .failure(error)) }
    }
  }

  override func cancel() {
    super.cancel()
    queue.remove(self)
  }
}
