import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StubNetwork
import VirtualTime
import VirtualWorld

/// Real HTTP with one server, for a scenario that runs with `--server`.
///
/// Nothing is stubbed: the sessions are `URLSession`s without a custom protocol. They differ from
/// plain sessions in three ways:
///
/// - Requests go to the named server, no matter which host their URLs name. A header names this
///   run, so a server whose responses depend on earlier requests starts again for each run.
/// - Callbacks wait in a mailbox until the world's thread runs them.
/// - Each event is reported before the scenario's own code receives it.
///
/// This follows data tasks, with a completion handler or with a delegate. Publishers use those.
/// Other tasks and the async functions work too, but the world doesn't wait for them.
final class LiveNetwork: Sendable {
  /// A task and its progress.
  private struct Exchange {
    let task: URLSessionTask
    /// The event that led to the task.
    let cause: Int?
    /// The event that led to its cancellation.
    var cancellationCause: Int?
    /// The number of its request; `nil` until the task is resumed.
    var number: Int?
    var bytes = 0
  }

  private struct State {
    /// The exchanges that haven't ended, in the order their tasks were made.
    var exchanges: [Exchange] = []
    var requestCount = 0
    var hasFailed = false
    var sessions: [URLSession] = []
    var endedSessions = 0
    /// Callbacks that have arrived and haven't run yet.
    var callbacks: [Mailbox.Callback] = []

    /// Numbers the tasks that were resumed, and returns them.
    mutating func numberStarted() -> [(number: Int, request: URLRequest?, cause: Int?)] {
      var started: [(number: Int, request: URLRequest?, cause: Int?)] = []
      for index in exchanges.indices
      where exchanges[index].number == nil && exchanges[index].task.state != .suspended {
        requestCount += 1
        exchanges[index].number = requestCount
        started.append(
          (requestCount, exchanges[index].task.originalRequest, exchanges[index].cause))
      }
      return started
    }

    /// Adds bytes to a task's exchange, and returns it.
    mutating func add(bytes: Int, to task: URLSessionTask) -> Exchange? {
      guard let index = exchanges.firstIndex(where: { $0.task === task }) else { return nil }
      exchanges[index].bytes += bytes
      return exchanges[index]
    }

    mutating func remove(_ task: URLSessionTask) -> Exchange? {
      guard let index = exchanges.firstIndex(where: { $0.task === task }) else { return nil }
      return exchanges.remove(at: index)
    }
  }

  let server: ServerURL
  /// A random name for this run of a part.
  let run = String(UInt64.random(in: 0...UInt64.max), radix: 16)
  private let mailbox: Mailbox
  private let callbackArrived: DispatchSemaphore
  private let log: RequestLog
  private let state = Locked(State())

  /// - Parameters:
  ///   - server: The server to send requests to.
  ///   - log: Records each event of a request, on the world's thread.
  init(server: ServerURL, log: RequestLog) {
    self.server = server
    self.log = log
    let callbackArrived = DispatchSemaphore(value: 0)
    self.callbackArrived = callbackArrived
    mailbox = Mailbox { callbackArrived.signal() }
  }

  func makeSession(delegate: (any URLSessionDelegate)?) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = 20
    let session = LiveSession(
      configuration: configuration, delegate: LiveDelegate(delegate, network: self),
      network: self, callbackQueue: mailbox)
    state.withLock { $0.sessions.append(session) }
    return session
  }

  // MARK: Calls from the world

  /// The number of requests made so far.
  var requestCount: Int {
    noteStarts()
    return state.withLock { $0.requestCount }
  }

  /// Whether a request got no response, or an incomplete one.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// The open requests, each such as `GET http://127.0.0.1:8080/page`.
  var openRequests: [String] {
    let tasks = state.withLock { $0.exchanges.filter { $0.task.state != .suspended }.map(\.task) }
    return tasks.map { task in
      "\(task.originalRequest?.httpMethod ?? "GET") \(task.originalRequest?.url?.absoluteString ?? "")"
    }
  }

  /// Runs the first callback that has arrived.
  ///
  /// - Returns: Whether there was one.
  func runCallback() -> Bool {
    noteStarts()
    let arrived = mailbox.takeAll()
    let callback = state.withLock { state -> Mailbox.Callback? in
      state.callbacks.append(contentsOf: arrived)
      return state.callbacks.isEmpty ? nil : state.callbacks.removeFirst()
    }
    callback?.block()
    noteStarts()
    return callback != nil
  }

  /// Waits until a callback arrives, but no longer than an interval.
  func wait(atMost interval: DispatchTimeInterval) {
    _ = callbackArrived.wait(timeout: .now() + interval)
  }

  /// Cancels all open requests, and runs the callbacks that follow.
  ///
  /// It gives up after a second if a task ignores the cancellation. Later callbacks of such a task
  /// stay in the mailbox.
  func invalidate() {
    let sessions = state.withLock { state in
      defer { state.sessions = [] }
      return state.sessions
    }
    for session in sessions { session.invalidateAndCancel() }
    let deadline = DispatchTime.now() + .seconds(1)
    while state.withLock({ $0.endedSessions < sessions.count }), DispatchTime.now() < deadline {
      if !runCallback() { wait(atMost: .milliseconds(20)) }
    }
  }

  // MARK: Calls from sessions

  /// Notes that a task was made.
  func open(_ task: URLSessionTask) {
    let cause = log.current
    state.withLock { $0.exchanges.append(Exchange(task: task, cause: cause)) }
  }

  /// Notes which event leads to the cancellation of a task.
  func noteCancellation(of task: URLSessionTask) {
    let cause = log.current
    state.withLock { state in
      guard let index = state.exchanges.firstIndex(where: { $0.task === task }) else { return }
      state.exchanges[index].cancellationCause = cause
    }
  }

  /// Runs a callback of a request, which follows from its latest event.
  func run(callbackOf request: Int?, _ callback: () -> Void) {
    guard let request else { return callback() }
    log.run(callbackOf: request, callback)
  }

  /// The number of a task's request; `nil` if it has ended.
  func number(of task: URLSessionTask) -> Int? {
    state.withLock { state in state.exchanges.first { $0.task === task }?.number }
  }

  func receive(_ response: URLResponse, for task: URLSessionTask) {
    noteStarts()
    guard let response = response as? HTTPURLResponse,
      let number = state.withLock({ $0.add(bytes: 0, to: task) })?.number
    else { return }
    log.record(
      number, .response(status: response.statusCode, mimeType: response.mimeType), cause: nil)
  }

  func receive(_ data: Data, for task: URLSessionTask) {
    guard let exchange = state.withLock({ $0.add(bytes: data.count, to: task) }),
      let number = exchange.number
    else { return }
    log.record(number, .chunk(bytes: data.count, total: exchange.bytes), cause: nil)
  }

  /// - Returns: The number of the task's request.
  @discardableResult
  func end(_ task: URLSessionTask, _ error: (any Error)?) -> Int? {
    noteStarts()
    guard let exchange = state.withLock({ $0.remove(task) }), let number = exchange.number else {
      return nil
    }
    switch error.map({ ($0 as? URLError)?.code ?? .unknown }) {
    case nil: log.record(number, .finished, cause: nil)
    case .cancelled?:
      log.record(
        number, .cancelled(bytes: exchange.bytes), cause: exchange.cancellationCause)
    case let code?:
      state.withLock { $0.hasFailed = true }
      log.record(number, .failed(code), cause: nil)
    }
    return number
  }

  /// Notes that a session has ended: no more callbacks come from it.
  func endSession() { state.withLock { $0.endedSessions += 1 } }

  /// Numbers the tasks that were resumed since the last call, and reports their starts.
  private func noteStarts() {
    let started = state.withLock { $0.numberStarted() }
    for (number, request, cause) in started {
      let method = HTTPMethod(rawValue: request?.httpMethod ?? "GET")
      log.record(
        number, .started(method, url: request?.url?.absoluteString ?? ""), cause: cause)
    }
  }
}
