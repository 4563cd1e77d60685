import StreamsFoundation
import StubNetwork
import VirtualTime

/// A clock, a network, and one history of all that happens: the network's events, and what
/// subscribers, handlers and delegates receive.
final class NetworkRun: Sendable {
  let clock = VirtualTimeScheduler()
  let network: StubNetwork
  private let lines = Locked<[String]>([])

  init() {
    network = StubNetwork(clock: clock)
    network.onEvent { [lines] event in
      // Short, because all requests go to one server.
      let line = "\(event)".replacing("https://example.com/", with: "/")
      lines.withLock { $0.append(line) }
    }
  }

  /// What has happened since this was called for the last time.
  var history: [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  /// Moves time on until nothing is left to do, and returns the ``history``.
  func finish() -> [String] {
    clock.run()
    return history
  }

  func write(_ text: String) {
    let line = "\(clock.now) \(text)"
    lines.withLock { $0.append(line) }
  }

  /// Responds to `GET /user`.
  func stub(_ responses: StubResponse...) {
    network.stub(RequestPattern(.get, .example("user")), responses: responses)
  }

  func at(_ milliseconds: Int, _ action: @escaping () -> Void) {
    clock.schedule(after: .milliseconds(milliseconds), action)
  }

  func setConnected(_ isConnected: Bool, at milliseconds: Int) {
    at(milliseconds) { [network] in network.isConnected = isConnected }
  }

  func session(waits: Bool = false, delegate: StreamingDelegate? = nil) -> URLSession {
    network.makeSession(delegate: delegate, waitsForConnectivity: waits)
  }

  /// Subscribes to a URL, and writes what comes.
  @discardableResult
  func subscribe(
    _ path: String = "user", timeout: TimeInterval? = nil, on session: URLSession? = nil,
    then action: @escaping @Sendable (String) -> Void = { _ in }
  ) -> Recorder {
    var request = URLRequest(url: .example(path))
    if let timeout { request.timeoutInterval = timeout }
    let recorder = Recorder(clock) { [weak self] _, line in
      if !line.contains("subscription") {
        let named = line.replacing(" ", with: " \(path): ", maxReplacements: 1)
        self?.lines.withLock { $0.append(named) }
        action(line)
      }
    }
    (session ?? self.session()).dataTaskPublisher(for: request).subscribe(recorder)
    return recorder
  }

  /// Resumes a task of a session that waits for connectivity, and writes what its delegate gets.
  @discardableResult
  func load(_ path: String = "user", timeout: TimeInterval? = nil) -> URLSessionDataTask {
    var request = URLRequest(url: .example(path))
    if let timeout { request.timeoutInterval = timeout }
    let task = session(waits: true, delegate: delegate(path)).dataTask(with: request)
    task.resume()
    return task
  }

  func delegate(_ name: String) -> StreamingDelegate {
    StreamingDelegate(clock) { [weak self] in self?.write("\(name): \($0)") }
  }
}
