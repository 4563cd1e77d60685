import Streams

/// The connection between a task that iterates and one subscriber.
///
/// **Demand.** The task calls ``run(_:)``, which takes one request at a time, and suspends while
/// there is none. A request wakes it.
///
/// **Ends.** The feed ends once: by a completion, by a cancellation, or when the subscription is
/// released while nothing is requested, because then nothing can be requested any more. It then
/// releases the subscriber.
///
/// **Threads.** All state is behind one lock. Only the task delivers. It's resumed, and the
/// subscriber is called and released, after unlocking.
final class ElementFeed<Element, Failure: Error>: Sendable {
  private struct State {
    var downstream: AnySubscriber<Element, Failure>?
    var demand = Subscribers.Demand.none
    var task: Task<Void, Never>?
    var isReleased = false

    /// The task, while it waits for a request.
    var waiting: UnsafeContinuation<Void, Never>?
  }

  private enum Step {
    case deliver
    case wait
    case end
  }

  private let state: Locked<State>

  init(_ downstream: AnySubscriber<Element, Failure>) {
    state = Locked(State(downstream: downstream))
  }

  // MARK: Called by the subscription

  func request(_ demand: Subscribers.Demand) {
    let waiting = state.withLock { state in
      state.demand += demand
      return state.waiting.take()
    }
    waiting?.resume()
  }

  func cancel() {
    let old = end()
    old.task?.cancel()
    old.waiting?.resume()
  }

  /// The subscription was released. Ends the feed, unless there is a request left to serve.
  func subscriptionWasReleased() {
    let waiting = state.withLock { state in
      state.isReleased = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  // MARK: Called by the publisher and the task

  /// Keeps the task, to cancel it with the subscription.
  func start(_ task: Task<Void, Never>) {
    let hasEnded = state.withLock { state in
      if state.downstream != nil { state.task = task }
      return state.downstream == nil
    }
    if hasEnded { task.cancel() }
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
    // Nothing can be requested any more, or the subscription was cancelled.
    _ = end()
  }

  /// Waits for a request.
  ///
  /// - Returns: `false` if none will come.
  private func takeRequest() async -> Bool {
    while true {
      switch step(waiting: nil) {
      case .deliver: return true
      case .end: return false
      case .wait:
        await withUnsafeContinuation { continuation in
          if step(waiting: continuation) != .wait { continuation.resume() }
        }
      }
    }
  }

  /// Decides what the task does next. If a continuation is passed, this only looks.
  private func step(waiting continuation: UnsafeContinuation<Void, Never>?) -> Step {
    state.withLock { state in
      if state.downstream == nil { return .end }
      if state.demand > 0 {
        if continuation == nil { state.demand -= 1 }
        return .deliver
      }
      if state.isReleased { return .end }
      state.waiting = continuation
      return .wait
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
  private let feed: ElementFeed<Element, Failure>

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
