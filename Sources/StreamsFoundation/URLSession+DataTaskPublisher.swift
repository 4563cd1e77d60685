import Foundation
import Streams

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// Returns a publisher that loads a URL once for each subscriber.
  ///
  /// ```swift
  /// session.dataTaskPublisher(for: URL(string: "https://example.com/user")!)
  ///   .map { $0.data.count }
  ///   .sink { print($0) } receiveValue: { print($0) }
  /// ```
  ///
  /// - Parameter url: The URL to load, with a plain `URLRequest`.
  /// - Returns: A publisher of the body and the response.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// Returns a publisher that makes a request once for each subscriber.
  ///
  /// - Parameter request: The request to make.
  /// - Returns: A publisher of the body and the response.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// A publisher that makes a request for each subscriber and delivers the whole body and the
  /// response, or the error.
  ///
  /// A status such as 404 is a response, not a failure.
  ///
  /// - Demand: the task starts with the first demand; requesting `.none` traps.
  /// - Threads: values and completion arrive on the session's delegate queue. You can call
  ///   `request(_:)` and `cancel()` from any thread.
  /// - Cancellation: nothing is delivered afterwards, and the subscriber is released. The task is
  ///   cancelled at once if the session has no cache. On Linux, a session with a cache takes at
  ///   least 50 ms longer, because Foundation could end the program otherwise.
  ///
  /// Source of the rule: `URLSession.DataTaskPublisher` of Apple's Foundation.
  public struct DataTaskPublisher: Publisher, Sendable {
    /// The body and its response. The data is empty if the response has no body.
    public typealias Output = (data: Data, response: URLResponse)

    /// The session's error, or `URLError(.unknown)` if that error has another domain.
    public typealias Failure = URLError

    /// The request to make.
    public let request: URLRequest

    /// The session whose data tasks make the request.
    public let session: URLSession

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - request: The request to make.
    ///   - session: The session whose data tasks make the request.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    /// Attaches the subscriber. It gets its own task.
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Failure == Failure, S.Input == Output {
      let subscription = DataTaskSubscription(
        request: request, session: session, downstream: subscriber)
      subscriber.receive(subscription: subscription)
      subscription.endHandOver()
    }
  }
}

/// A session that wants to know which code cancels its tasks. A task itself doesn't tell.
package protocol CancellationObserving: URLSession {
  /// Called right before the task is cancelled, on the thread that does it.
  func willCancel(_ task: URLSessionTask)
}

/// The receiver of a task's result; its completion handler calls this.
private protocol TaskResultReceiver: AnyObject, Sendable {
  func receive(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?)
}

/// One subscriber's task.
///
/// If the subscriber requests values while it's still receiving its subscription, the task starts
/// right after that. So a result on the session's queue can't arrive too early.
///
/// `@unchecked`: the downstream is behind the lock. Only the thread that takes it out calls it,
/// because the task's handler runs once.
private final class DataTaskSubscription<Downstream: Subscriber>: Subscription,
  TaskResultReceiver, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
where Downstream.Input == URLSession.DataTaskPublisher.Output, Downstream.Failure == URLError {
  private let request: URLRequest
  private let session: URLSession
  private let state: Locked<DataTaskState<Downstream>>
  private let handOver = HandOver()

  init(request: URLRequest, session: URLSession, downstream: Downstream) {
    self.request = request
    self.session = session
    state = Locked(DataTaskState(downstream: downstream))
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "DataTaskPublisher: zero values were requested: request at least one")
    guard state.withLock({ $0.start() }) else { return }
    if !handOver.leaveWork() { startTask() }
  }

  /// Starts the task if the subscriber has requested a value by now. The attaching thread calls
  /// this once.
  func endHandOver() { handOver.end { startTask() } }

  private func startTask() {
    // The task keeps this subscription, and through it the subscriber, until its handler runs. The
    // type is erased, because a concurrent closure can't capture the subscriber's generic type.
    let receiver: any TaskResultReceiver = self
    let task = session.dataTask(with: request) { data, response, error in
      receiver.receive(data, response, error)
    }
    switch state.withLock({ $0.run(task) }) {
    case .resume: task.resume()
    case .cancel: session.cancel(task)
    }
  }

  func cancel() {
    // The held objects are released here, after unlocking.
    let held = state.withLock { $0.end() }
    guard case .running(let task, _) = held else { return }
    (session as? any CancellationObserving)?.willCancel(task)
    session.cancel(task)
  }

  func receive(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    guard let downstream = state.withLock({ $0.deliver() }) else { return }
    if let response, error == nil {
      _ = downstream.receive((data ?? Data(), response))
      guard case .delivering = state.withLock({ $0.end() }) else { return }
      downstream.receive(completion: .finished)
    } else {
      _ = state.withLock { $0.end() }
      downstream.receive(completion: .failure(URLError(reported: error)))
    }
  }

  var description: String { "DataTaskPublisher" }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  var playgroundDescription: Any { description }
}

/// The state of one subscriber's task.
///
/// It goes through its phases in order, and may skip to the end from each of them. The first demand
/// starts the task, once. A result is delivered once, unless a cancellation came first. More demand
/// has no effect, because there's only one value.
private enum DataTaskState<Downstream> {
  case waitingForDemand(Downstream)
  /// The task is being made, outside the lock.
  case starting(Downstream)
  case running(URLSessionDataTask, Downstream)
  /// The subscriber is receiving the value, and may still cancel.
  case delivering
  case ended

  enum TaskAction {
    case resume
    case cancel
  }

  init(downstream: Downstream) { self = .waitingForDemand(downstream) }

  /// - Returns: Whether the caller has to make the task.
  mutating func start() -> Bool {
    guard case .waitingForDemand(let downstream) = self else { return false }
    self = .starting(downstream)
    return true
  }

  mutating func run(_ task: URLSessionDataTask) -> TaskAction {
    guard case .starting(let downstream) = self else { return .cancel }
    self = .running(task, downstream)
    return .resume
  }

  /// - Returns: The subscriber that gets the result; `nil` after a cancellation.
  mutating func deliver() -> Downstream? {
    guard case .running(_, let downstream) = self else { return nil }
    self = .delivering
    return downstream
  }

  /// - Returns: The phase that ended, with what it held.
  mutating func end() -> DataTaskState {
    defer { self = .ended }
    return self
  }
}
