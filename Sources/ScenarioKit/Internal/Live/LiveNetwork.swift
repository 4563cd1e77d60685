import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StubNetwork
import VirtualWorld

/// Real HTTP with one server, for a scenario that runs with `--server`.
///
/// Its sessions send all data tasks to that server, no matter which host their URLs name. What
/// Foundation calls back waits here until the world's thread runs it, one callback at a time. Each
/// event is recorded before the scenario's own code receives it.
///
/// Upload and download tasks and the async functions are those of a plain session: their requests
/// go where their URLs lead, and the world doesn't wait for them.
final class LiveNetwork: Sendable {
  /// A task that hasn't ended.
  struct Exchange {
    let task: URLSessionTask
    /// The completion handler; `nil` if the scenario's delegate follows the task.
    let handler: LiveSession.Handler?
    /// The event that led to the task.
    let cause: Int?
    /// The event that led to its cancellation.
    var cancellationCause: Int?
    /// The number of its request; `nil` until the task is resumed.
    var number: Int?
    var response: URLResponse?
    /// The body so far, for the completion handler.
    var body = Data()
    var bytes = 0
  }

  private struct State {
    /// In the order their tasks were made.
    var exchanges: [Exchange] = []
    var requestCount = 0
    var sessions: [URLSession] = []
    var openSessions = 0
    var callbacks: [@Sendable () -> Void] = []

    /// Numbers the tasks that were resumed, and returns them.
    mutating func numberStarted() -> [Exchange] {
      var started: [Exchange] = []
      for index in exchanges.indices
      where exchanges[index].number == nil && exchanges[index].task.state != .suspended {
        requestCount += 1
        exchanges[index].number = requestCount
        started.append(exchanges[index])
      }
      return started
    }
  }

  /// The most bytes of a body. A longer one fails with `URLError.dataLengthExceedsMaximum`.
  private static let bodyLimit = 1 << 20

  let server: ServerURL
  /// A random name for this run of a part. A server whose responses depend on earlier requests
  /// starts again for each name.
  let run = String(UInt64.random(in: 0...UInt64.max), radix: 16)
  private let log: RequestLog
  private let state = Locked(State())
  private let callbackArrived = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - server: The server to send requests to.
  ///   - log: Records each event of a request, on the world's thread.
  init(server: ServerURL, log: RequestLog) {
    self.server = server
    self.log = log
  }

  func makeSession(delegate: (any URLSessionDelegate)?) -> URLSession {
    let session = LiveSession(delegate, network: self)
    state.withLock { state in
      state.sessions.append(session)
      state.openSessions += 1
    }
    return session
  }

  // MARK: Calls from the world

  /// The number of requests made so far.
  var requestCount: Int {
    recordStarts()
    return state.withLock { $0.requestCount }
  }

  /// The open requests, each such as `GET http://127.0.0.1:8080/page`.
  var openRequests: [String] {
    let tasks = state.withLock { $0.exchanges.filter { $0.task.state != .suspended }.map(\.task) }
    return tasks.map { task in
      let url = task.originalRequest?.url?.absoluteString ?? ""
      return "\(task.originalRequest?.httpMethod ?? "GET") \(url.shown)"
    }
  }

  /// Whether callbacks have arrived and haven't run yet.
  var hasCallbacks: Bool { state.withLock { !$0.callbacks.isEmpty } }

  /// Runs the first callback that has arrived.
  ///
  /// - Returns: Whether there was one.
  func runCallback() -> Bool {
    recordStarts()
    let callback = state.withLock { $0.callbacks.isEmpty ? nil : $0.callbacks.removeFirst() }
    callback?()
    recordStarts()
    return callback != nil
  }

  /// Waits until a callback arrives, but no longer than an interval.
  func wait(atMost interval: DispatchTimeInterval) {
    _ = callbackArrived.wait(timeout: .now() + interval)
  }

  /// Cancels all open requests, and runs the callbacks that follow, for a second at most.
  func invalidate() {
    let sessions = state.withLock { state in
      defer { state.sessions = [] }
      return state.sessions
    }
    // This waits until a session is done with the bytes that it has received, so not here.
    DispatchQueue.global().async { for session in sessions { session.invalidateAndCancel() } }
    let deadline = DispatchTime.now() + .seconds(1)
    while state.withLock({ $0.openSessions > 0 }), DispatchTime.now() < deadline {
      if !runCallback() { wait(atMost: .milliseconds(20)) }
    }
  }

  // MARK: Calls from sessions

  /// Keeps a callback until the world's thread runs it.
  func deliver(_ callback: @escaping @Sendable () -> Void) {
    state.withLock { $0.callbacks.append(callback) }
    callbackArrived.signal()
  }

  /// Follows a task from now on. Call it before the task is resumed.
  func open(_ task: URLSessionTask, _ handler: LiveSession.Handler?) {
    let cause = log.current
    state.withLock { $0.exchanges.append(Exchange(task: task, handler: handler, cause: cause)) }
  }

  /// Notes which event leads to the cancellation of a task.
  func noteCancellation(of task: URLSessionTask) {
    let cause = log.current
    update(task) { $0.cancellationCause = cause }
  }

  // MARK: Calls from sessions' delegates, on the world's thread

  /// - Returns: The number of the request, if the scenario's delegate gets the response.
  func receive(_ response: URLResponse, for task: URLSessionTask) -> Int? {
    // One that says that the response will follow.
    if let status = (response as? HTTPURLResponse)?.statusCode, status < 200 { return nil }
    let exchange = update(task) { $0.response = response }
    guard let exchange, exchange.handler == nil else { return nil }
    return record(exchange, response)
  }

  /// Notes a response that only comes with a request for credentials.
  func note(_ response: URLResponse, for task: URLSessionTask) {
    update(task) { $0.response = $0.response ?? response }
  }

  /// What to do with a part of a body.
  enum Reception {
    /// Nothing: it's kept for the completion handler, or the task has ended.
    case keep
    /// The scenario's delegate gets it, in a callback of the request with this number.
    case pass(Int)
    /// The body is too long, so the task has to end.
    case refuse
  }

  func receive(_ data: Data, for task: URLSessionTask) -> Reception {
    let exchange = update(task) { exchange in
      exchange.bytes += data.count
      if exchange.handler != nil { exchange.body.append(data) }
    }
    guard let exchange, let number = exchange.number else { return .keep }
    if exchange.bytes > Self.bodyLimit { return .refuse }
    if exchange.handler != nil { return .keep }
    log.record(number, .chunk(bytes: data.count))
    return .pass(number)
  }

  /// Ends a task, and records how.
  ///
  /// - Returns: Its exchange, and the error for the scenario; `nil` if it has ended before.
  func end(
    _ task: URLSessionTask, _ error: (any Error)?
  ) -> (exchange: Exchange, error: (any Error)?)? {
    let exchange = state.withLock { state in
      state.exchanges.firstIndex { $0.task === task }.map { state.exchanges.remove(at: $0) }
    }
    guard let exchange else { return nil }
    // A redirect without a usable `Location` leads to neither a response nor an error.
    let error = error ?? (exchange.response == nil ? URLError(.badServerResponse) : nil)
    guard let number = exchange.number else { return (exchange, error) }
    switch error.map({ ($0 as? URLError)?.code ?? .unknown }) {
    case nil:
      if exchange.handler != nil, let response = exchange.response { record(exchange, response) }
      if !exchange.body.isEmpty {
        log.record(number, .chunk(bytes: exchange.bytes))
      }
      log.record(number, .finished)
    case .cancelled?:
      log.record(number, .cancelled(bytes: exchange.bytes), cause: exchange.cancellationCause)
    case let code?: log.record(number, .failed(code.name))
    }
    return (exchange, error)
  }

  /// Runs a callback of a request, which follows from its latest event.
  func run(callbackOf request: Int?, _ callback: () -> Void) {
    guard let request else { return callback() }
    log.run(callbackOf: request, callback)
  }

  /// Notes that a session has ended: no more callbacks come from it.
  func endSession() { state.withLock { $0.openSessions -= 1 } }

  /// - Returns: The number of the request.
  @discardableResult
  private func record(_ exchange: Exchange, _ response: URLResponse) -> Int? {
    guard let number = exchange.number, let response = response as? HTTPURLResponse else {
      return exchange.number
    }
    log.record(number, .response(status: response.statusCode))
    return number
  }

  /// Records the requests of tasks that were resumed since the last call.
  private func recordStarts() {
    for exchange in state.withLock({ $0.numberStarted() }) {
      guard let number = exchange.number, let request = exchange.task.originalRequest else {
        continue
      }
      log.record(
        number,
        .started(method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? ""),
        cause: exchange.cause)
    }
  }

  /// - Returns: The changed exchange; `nil` if the task has ended.
  @discardableResult
  private func update(
    _ task: URLSessionTask, _ change: (inout Exchange) -> Void
  ) -> Exchange? {
    state.withLock { state in
      guard let index = state.exchanges.firstIndex(where: { $0.task === task }) else { return nil }
      change(&state.exchanges[index])
      return state.exchanges[index]
    }
  }
}
