import Streams

/// The connection between a task that iterates and one subscriber.
///
/// **Demand.** The task calls ``run(_:)``, which takes one request at a time, and suspends while
/// there is none. A request wakes it, and is subtracted by the thread that does so.
///
/// **Ends.** The feed ends once: by a completion, by a cancellation, or when the subscription is
/// released while nothing is requested, because then nothing can be requested any more. After that,
/// nothing keeps the subscriber.
///
/// **Threads.** All state is behind one lock. Only the task delivers. It's resumed, and the
/// subscriber is called and released, after unlocking.
final class ElementFeed<Element, Failure: Error>: Sendable {
  private struct State {
    /// `nil` after the end.
    var downstream: AnySubscriber<Element, Failure>?

    var demand = Subscribers.Demand.none
    var task: Task<Void, Never>?
    var isReleased = false

    /// The task, while it waits for a request.
    var waiting: UnsafeContinuation<Bool, Never>?

    /// - Returns: Whether to serve a request now, which subtracts it; `nil` if the task has to wait
    ///   for one.
    mutating func takeRequest() -> Bool? {
      if downstream == nil { return false }
      if demand > 0 {
        demand -= 1
        return true
      }
      return isReleased ? false : nil
    }

    /// - Returns: The waiting task, and its answer, if there is an answer now.
    mutating func answer() -> (UnsafeContinuation<Bool, Never>, Bool)? {
      guard let waiting, let answer = takeRequest() else { return nil }
      self.waiting = nil
      return (waiting, answer)
    }
  }

  private let state: Locked<State>

  init(_ downstream: AnySubscriber<Element, Failure>) {
    state = Locked(State(downstream: downstream))
  }

  // MARK: Called by the subscription

  func request(_ demand: Subscribers.Demand) {
    change { $0.demand += demand }
  }

  func cancel() {
    let old = end()
    old.task?.cancel()
    old.waiting?.resume(returning: false)
  }

  /// The subscription was released. Ends the feed, unless there is a request left to serve.
  func subscriptionWasReleased() {
    change { $0.isReleased = true }
  }

  /// Changes the state, and wakes the task if it has something to do after that.
  private func change(_ change: (inout State) -> Void) {
    let wakeUp = state.withLock { state in
      change(&state)
      return state.answer()
    }
    if let (task, answer) = wakeUp { task.resume(returning: answer) }
  }

  /// Whether the task waits for a request, for tests.
  var isWaiting: Bool { state.withLock { $0.waiting != nil } }

  // MARK: Called by the publisher and the task

  /// Keeps the task, to cancel it with the subscription. If that has happened already, the task
  /// ends by itself, because it begins by waiting for a request.
  func start(_ task: Task<Void, Never>) {
    state.withLock { state in
      if state.downstream != nil { state.task = task }
    }
  }

  /// Delivers the elements that are requested, until the end.
  func run<Elements>(_ iterator: inout Elements) async
  where
    Elements: AsyncIteratorProtocol, Elements.Element == Element, Elements.Failure == Failure
  {
    while await takeRequest() {
      do throws(Failure) {
        guard let element = try await iterator.next(isolation: nil) else {
          return end().downstream?.receive(completion: .finished) ?? ()
        }
        deliver(element)
      } catch {
        return end().downstream?.receive(completion: .failure(error)) ?? ()
      }
    }
  }

  /// Waits for a request.
  ///
  /// - Returns: `false` if none will come.
  private func takeRequest() async -> Bool {
    await withUnsafeContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        let answer = state.takeRequest()
        if answer == nil { state.waiting = continuation }
        return answer
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  private func deliver(_ element: Element) {
    guard let downstream = state.withLock({ $0.downstream }) else { return }
    let more = downstream.receive(element)
    if more > 0 { request(more) }
  }

  /// - Returns: The state before. The caller calls and releases its contents, outside the lock.
  private func end() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }
}

/// The subscription of one subscriber, which tells its feed when it's released.
final class ElementSubscription<Element, Failure: Error>: Subscription, CustomStringConvertible,
  CustomReflectable
{
  let feed: ElementFeed<Element, Failure>

  init(_ feed: ElementFeed<Element, Failure>) { self.feed = feed }

  deinit { feed.subscriptionWasReleased() }

  func request(_ demand: Subscribers.Demand) {
    precondition(
      demand > 0, "AsyncSequencePublisher: zero values were requested: request at least one")
    feed.request(demand)
  }

  func cancel() { feed.cancel() }

  /// `AsyncSequence`.
  var description: String { "AsyncSequence" }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
