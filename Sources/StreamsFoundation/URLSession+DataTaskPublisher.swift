import Foundation
import Streams

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// A publisher that loads a URL once for each subscriber.
  ///
  /// ```swift
  /// session.dataTaskPublisher(for: URL(string: "https://example.com/user")!)
  ///   .map { $0.data.count }
  ///   .sink { print($0) } receiveValue: { print($0) }
  /// ```
  ///
  /// - Parameter url: What to load, with a request of the session's defaults.
  /// - Returns: A publisher of the body and the response.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// A publisher that makes a request once for each subscriber.
  ///
  /// - Parameter request: What to request.
  /// - Returns: A publisher of the body and the response.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// Makes a request for each subscriber and delivers what came back: the whole body and the
  /// response, or the error.
  ///
  /// A status such as 404 is a response, not a failure.
  ///
  /// - Demand: there is no task before the first request of demand; requesting `.none` traps.
  /// - Threads: values and completion arrive on the session's delegate queue. `request(_:)` and
  ///   `cancel()` may be called from any thread.
  /// - Cancellation: cancels the task; nothing is delivered from then on.
  ///
  /// Source of the rule: `URLSession.DataTaskPublisher` of Apple's Foundation.
  public struct DataTaskPublisher: Publisher, Sendable {
    /// The body, empty if there was none, and the response it came with.
    public typealias Output = (data: Data, response: URLResponse)

    /// Why there is no response; `URLError(.unknown)` if the session's error is of another type.
    public typealias Failure = URLError

    /// The request to load.
    public let request: URLRequest

    /// The session whose data tasks make the request.
    public let session: URLSession

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - request: What to request.
    ///   - session: The session whose data tasks make the request.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    /// Attaches the subscriber, with a task of its own.
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Failure == Failure, S.Input == Output {
      let subscription = DataTaskSubscription(
        request: request, session: session, downstream: subscriber)
      subscriber.receive(subscription: subscription)
      subscription.endHandOver()
    }
  }
}

/// What a task's completion handler calls.
private protocol TaskResultReceiver: AnyObject, Sendable {
  func receive(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?)
}

/// One subscriber's task.
///
/// A task that is requested while the subscriber is still receiving its subscription starts right
/// after that, so that its result can't come too early on the session's queue.
///
/// `@unchecked`: the downstream is in the lock; the one thread that takes it out calls it, because
/// the task's handler runs once.
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
    precondition(demand > 0, "DataTaskPublisher: a request for no value breaks the contract")
    guard state.withLock({ $0.start() }) else { return }
    if !handOver.leaveToAttacher() { startTask() }
  }

  /// Starts the task if it was requested meanwhile. The attaching thread calls this once.
  func endHandOver() { handOver.end { startTask() } }

  private func startTask() {
    // The task keeps this subscription, and through it the subscriber, until it calls back. The
    // type is erased, since a concurrent closure may not know the subscriber's.
    let receiver: any TaskResultReceiver = self
    let task = session.dataTask(with: request) { data, response, error in
      receiver.receive(data, response, error)
    }
    switch state.withLock({ $0.run(task) }) {
    case .resume: task.resume()
    case .cancel: task.cancel()
    }
  }

  func cancel() {
    // What was held is released here, after unlocking.
    let held = state.withLock { $0.end() }
    if case .running(let task, _) = held { task.cancel() }
  }

  func receive(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    guard let downstream = state.withLock({ $0.deliver() }) else { return }
    if let response, error == nil {
      _ = downstream.receive((data ?? Data(), response))
      guard case .delivering = state.withLock({ $0.end() }) else { return }
      downstream.receive(completion: .finished)
    } else {
      _ = state.withLock { $0.end() }
      downstream.receive(completion: .failure(error as? URLError ?? URLError(.unknown)))
    }
  }

  var description: String { "DataTaskPublisher" }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  var playgroundDescription: Any { description }
}

/// What has become of one subscriber's task.
///
/// It goes through its phases in order and may skip to the end from each: the first demand starts
/// the task, once; a result is delivered once; a cancellation that comes first wins. More demand
/// changes nothing, for there is one value, and demand for it is what started the task.
private enum DataTaskState<Downstream> {
  case waitingForDemand(Downstream)
  /// The task is being made, outside the lock.
  case starting(Downstream)
  case running(URLSessionDataTask, Downstream)
  /// The value is with the subscriber, who may cancel still.
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

  /// - Returns: Who gets the result, if anybody still does.
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
