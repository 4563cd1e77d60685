import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StubNetwork
import VirtualTime

/// Real HTTP with one server, under sessions whose callbacks run when the world says so.
///
/// Nothing is stubbed: the sessions are URLSessions without a protocol of ours. They differ from
/// plain ones in a few things. Their requests go to the server that was named, whatever host they
/// were made for, and name this run, so that a server that answers in turn begins anew; their
/// callbacks wait in a mailbox until the world's thread runs them; and what happens to each request
/// is told before it is handed on.
///
/// Data tasks are followed, with a completion handler or with a delegate; that is what publishers
/// use. Other tasks, and the async functions, work, but nobody waits for them.
final class LiveNetwork: Sendable {
  /// One task and what has become of it.
  private struct Exchange {
    let task: URLSessionTask
    /// Its place among the tasks that were resumed, once it is one of them.
    var number: Int?
    var bytes = 0
  }

  private struct State {
    /// What has not ended, in the order in which the tasks were made.
    var exchanges: [Exchange] = []
    var requestCount = 0
    var hasFailed = false
    var sessions: [URLSession] = []
    var endedSessions = 0
    /// What has come from the network and has not run yet.
    var letters: [Mailbox.Letter] = []

    mutating func numberStarted() -> [(Int, URLRequest?)] {
      var started: [(Int, URLRequest?)] = []
      for index in exchanges.indices
      where exchanges[index].number == nil && exchanges[index].task.state != .suspended {
        requestCount += 1
        exchanges[index].number = requestCount
        started.append((requestCount, exchanges[index].task.originalRequest))
      }
      return started
    }

    /// - Returns: The exchange with these bytes added.
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

  let server: ServerAddress
  /// Tells this run of a part from all others.
  let run = String(UInt64.random(in: 0...UInt64.max), radix: 16)
  private let mailbox: Mailbox
  private let bell: DispatchSemaphore
  private let onEvent: @Sendable (_ request: Int, NetworkEvent.Kind) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - server: Where requests go.
  ///   - onEvent: Is told what happens to a request, on the world's thread.
  init(
    server: ServerAddress, onEvent: @escaping @Sendable (_ request: Int, NetworkEvent.Kind) -> Void
  ) {
    self.server = server
    self.onEvent = onEvent
    let bell = DispatchSemaphore(value: 0)
    self.bell = bell
    mailbox = Mailbox { bell.signal() }
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

  // MARK: What the world asks and does

  /// How many requests were made.
  var requestCount: Int {
    noteStarts()
    return state.withLock { $0.requestCount }
  }

  /// Whether a request got no answer, or not all of one.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// The requests that are on their way, such as `GET http://127.0.0.1:8080/page`.
  var openRequests: [String] {
    let tasks = state.withLock { $0.exchanges.filter { $0.task.state != .suspended }.map(\.task) }
    return tasks.map { task in
      "\(task.originalRequest?.httpMethod ?? "GET") \(task.originalRequest?.url?.absoluteString ?? "")"
    }
  }

  /// Runs the first of what has come from the network.
  ///
  /// - Returns: Whether there was anything.
  func runLetter() -> Bool {
    noteStarts()
    let arrived = mailbox.takeAll()
    let letter = state.withLock { state -> Mailbox.Letter? in
      state.letters.append(contentsOf: arrived)
      return state.letters.isEmpty ? nil : state.letters.removeFirst()
    }
    letter?.block()
    noteStarts()
    return letter != nil
  }

  /// Waits until something comes from the network, but not longer than this.
  func wait(atMost interval: DispatchTimeInterval) { _ = bell.wait(timeout: .now() + interval) }

  /// Cancels all that is open and runs what follows from that.
  ///
  /// A task that pays no heed to it is left alone after a second. What it still sends stays in the
  /// mailbox.
  func invalidate() {
    let sessions = state.withLock { state in
      defer { state.sessions = [] }
      return state.sessions
    }
    for session in sessions { session.invalidateAndCancel() }
    let deadline = DispatchTime.now() + .seconds(1)
    while state.withLock({ $0.endedSessions < sessions.count }), DispatchTime.now() < deadline {
      if !runLetter() { wait(atMost: .milliseconds(20)) }
    }
  }

  // MARK: What sessions tell

  /// Takes down a task that was made.
  func open(_ task: URLSessionTask) {
    state.withLock { $0.exchanges.append(Exchange(task: task)) }
  }

  func receive(_ response: URLResponse, for task: URLSessionTask) {
    noteStarts()
    guard let response = response as? HTTPURLResponse,
      let number = state.withLock({ $0.add(bytes: 0, to: task) })?.number
    else { return }
    onEvent(number, .response(status: response.statusCode, mimeType: response.mimeType))
  }

  func receive(_ data: Data, for task: URLSessionTask) {
    guard let exchange = state.withLock({ $0.add(bytes: data.count, to: task) }),
      let number = exchange.number
    else { return }
    onEvent(number, .chunk(bytes: data.count, total: exchange.bytes))
  }

  func end(_ task: URLSessionTask, _ error: (any Error)?) {
    noteStarts()
    guard let exchange = state.withLock({ $0.remove(task) }), let number = exchange.number else {
      return
    }
    switch error.map({ ($0 as? URLError)?.code ?? .unknown }) {
    case nil: onEvent(number, .finished)
    case .cancelled?: onEvent(number, .cancelled(bytes: exchange.bytes))
    case let code?:
      state.withLock { $0.hasFailed = true }
      onEvent(number, .failed(code))
    }
  }

  /// Notes that a session has ended: it sends nothing more.
  func endSession() { state.withLock { $0.endedSessions += 1 } }

  /// Numbers the tasks that were resumed since the last look.
  private func noteStarts() {
    let started = state.withLock { $0.numberStarted() }
    for (number, request) in started {
      let method = HTTPMethod(rawValue: request?.httpMethod ?? "GET")
      onEvent(number, .started(method, url: request?.url?.absoluteString ?? ""))
    }
  }
}
