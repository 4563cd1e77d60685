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
/// plain sessions in these ways:
///
/// - Requests go to the named server, no matter which host their URLs name. A header names this
///   run, so a server whose responses depend on earlier requests starts again for each run.
///   Redirects to other servers aren't followed.
/// - Callbacks wait until the world's thread runs them. ``ResponseLimits`` bound the bytes that
///   they hold.
/// - Each event is reported before the scenario's own code receives it.
///
/// All this holds for data tasks, with a completion handler or with a delegate. Publishers use
/// those. Upload and download tasks and the async functions are those of a plain session: their
/// requests go where their URLs lead, without limits, and the world doesn't wait for them.
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
    var sessions: [(session: URLSession, arrivals: LiveDelegate)] = []
    var endedSessions = 0
    /// Whether the transfers of all these sessions are stopped.
    var isStopped = false
    /// Callbacks that have arrived and haven't run yet.
    var callbacks: [@Sendable () -> Void] = []
    /// The bytes that those callbacks hold.
    var waitingBytes = 0

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
  private let callbackArrived = DispatchSemaphore(value: 0)
  private let log: RequestLog
  private let state = Locked(State())

  /// - Parameters:
  ///   - server: The server to send requests to.
  ///   - log: Records each event of a request, on the world's thread.
  init(server: ServerURL, log: RequestLog) {
    self.server = server
    self.log = log
  }

  func makeSession(delegate: (any URLSessionDelegate)?) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = 20
    let arrivals = LiveDelegate(delegate, network: self)
    let session = LiveSession(configuration: configuration, delegate: arrivals, network: self)
    state.withLock { state in
      if state.isStopped { arrivals.stopTransfers() }
      state.sessions.append((session, arrivals))
    }
    return session
  }

  // MARK: Calls from the world

  /// The number of requests made so far.
  var requestCount: Int {
    noteStarts()
    return state.withLock { $0.requestCount }
  }

  /// Says why further parts would fail too: the server was lost. `nil` if it wasn't.
  func loss(until limit: TimeLimit) -> String? {
    state.withLock { $0.hasFailed } ? server.problem(until: limit) : nil
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
    noteStarts()
    let callback = state.withLock { $0.callbacks.isEmpty ? nil : $0.callbacks.removeFirst() }
    callback?()
    noteStarts()
    return callback != nil
  }

  /// Waits until a callback arrives, but no longer than an interval.
  func wait(atMost interval: DispatchTimeInterval) {
    let end = DispatchTime.now() + interval
    // Most responses arrive at once, and shouldn't wait for the brake.
    if callbackArrived.wait(timeout: min(end, .now() + .milliseconds(10))) == .success { return }
    SessionBrake.shared.hold { _ = callbackArrived.wait(timeout: end) }
  }

  /// Makes all sessions stop to exchange bytes, also those made later. Cancellations work, and
  /// nothing else. It holds until ``invalidate()``.
  func stopTransfers() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      for (_, arrivals) in state.sessions { arrivals.stopTransfers() }
    }
  }

  /// Cancels all open requests, and runs the callbacks that follow.
  ///
  /// It gives up after a second if a task ignores the cancellation. Later callbacks of such a task
  /// never run.
  func invalidate() {
    let (sessions, areStopped) = state.withLock { state in
      defer { (state.sessions, state.isStopped) = ([], false) }
      return (state.sessions, state.isStopped)
    }
    for (session, arrivals) in sessions {
      arrivals.noteCancellation(of: nil)
      session.invalidateAndCancel()
    }
    defer {
      // A queue that isn't suspended can't be resumed.
      if areStopped {
        for (_, arrivals) in sessions { arrivals.continueTransfers() }
      }
    }
    let deadline = DispatchTime.now() + .seconds(1)
    while state.withLock({ $0.endedSessions < sessions.count }), DispatchTime.now() < deadline {
      if !runCallback() { wait(atMost: .milliseconds(20)) }
    }
  }

  // MARK: Calls from sessions, at each arrival

  /// Keeps a callback until the world's thread runs it.
  func deliver(_ callback: @escaping @Sendable () -> Void) {
    state.withLock { $0.callbacks.append(callback) }
    callbackArrived.signal()
  }

  /// Counts bytes that a callback will hold.
  ///
  /// - Returns: Whether they're within the limit. If not, they aren't counted.
  func reserve(_ bytes: Int) -> Bool {
    state.withLock { state in
      guard state.waitingBytes + bytes <= ResponseLimits.waitingBytes else { return false }
      state.waitingBytes += bytes
      return true
    }
  }

  /// Stops counting the bytes of a callback that runs now.
  func release(_ bytes: Int) { state.withLock { $0.waitingBytes -= bytes } }

  // MARK: Calls from sessions and their callbacks, on the world's thread

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
