import Foundation
import Streams
import StreamsFoundation
import Timeline
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The machinery of a ``StubNetwork``: puts responses on the clock, one step at a time, and calls
/// the session's client.
///
/// A separate object, so that tasks and the clock can refer to it while the network is released.
final class NetworkDriver: Sendable {
  private struct State {
    var requests = 0
    /// The numbers of requests, by the number of their task.
    var numbers: [Int: Int] = [:]
    var isConnected = true
    /// The open requests, by the number of their task.
    var inFlight: [Int: InFlightRequest] = [:]
    /// The sessions that aren't released yet, by number.
    var sessions: [Int: WeakSession] = [:]
    var sessionCount = 0
  }

  private struct WeakSession {
    weak var session: StubSession?
  }

  let log: RequestLog
  let script = Locked(StubScript())
  let settler: Settler
  private let clock: VirtualTimeScheduler
  private let watch: (any RequestWatch)?
  private let onFailure: @Sendable (String) -> Void
  private let cookies = CookieJar()
  private let state = Locked(State())

  init(
    _ clock: VirtualTimeScheduler, _ timeline: Timeline, _ watch: (any RequestWatch)?,
    timeout: DispatchTimeInterval, onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.clock = clock
    self.watch = watch
    self.onFailure = onFailure
    log = RequestLog(timeline)
    settler = Settler(log, watch: watch, timeout: timeout)
  }

  /// Makes a session. If the network was invalidated, that's the end of the session too.
  func makeSession(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    waitsForConnectivity: Bool
  ) -> URLSession {
    if configuration.httpCookieStorage === HTTPCookieStorage.shared {
      configuration.httpCookieStorage = cookies.shared
    }
    let number = state.withLock { state in
      state.sessionCount += 1
      return state.sessionCount
    }
    let session = StubSession(
      configuration: configuration,
      settings: SessionSettings(
        configuration, waitsForConnectivity: waitsForConnectivity, jar: cookies),
      delegate: delegate, settler: settler
    ) { [weak self] in
      _ = self?.state.withLock { $0.sessions.removeValue(forKey: number) }
    }
    // Weak, because a session holds two open files. While a task is open, Foundation keeps its
    // session.
    state.withLock { $0.sessions[number] = WeakSession(session: session) }
    if settler.isInvalidated { session.end() }
    return session
  }

  // MARK: Running

  /// Does the work that is pending now. The clock calls this before it moves on.
  ///
  /// - Returns: Whether there was any.
  func settleOnce() -> Bool {
    let outcome = settler.settleOnce(read, running: run(callbackOf:_:))
    if case .blocked(let queue) = outcome {
      onFailure(
        "the queue \(queue) has been blocked for too long, so the clock no longer waits for it; "
          + waiting)
    }
    if outcome == .quiet { settler.isInvalidated ? close() : releaseDelegates() }
    return outcome == .foundWork
  }

  /// Releases the delegates of sessions that the user has invalidated.
  private func releaseDelegates() {
    guard settler.hasInvalidatedSession else { return }
    // First, because another thread may invalidate a session meanwhile.
    settler.hasInvalidatedSession = false
    let keepers = livingSessions.filter { $0.keepsDelegateAfterInvalidation() }
    if !keepers.isEmpty { settler.hasInvalidatedSession = true }
  }

  private var livingSessions: [StubSession] {
    state.withLock { $0.sessions }.sorted { $0.key < $1.key }.compactMap(\.value.session)
  }

  /// All open requests, including those that wait for connectivity, in the order they were made.
  private var openRequests: [InFlightRequest] {
    state.withLock { $0.inFlight.values.sorted { $0.number < $1.number } }
  }

  /// The requests that were sent, in the order they were made.
  var sentRequests: [(name: String, summary: String)] {
    openRequests.filter { !$0.isUnsent }.map { ("request \($0.number)", $0.request.summary) }
  }

  private var waiting: String {
    let inFlight = openRequests
    guard !inFlight.isEmpty else { return "no request is open" }
    return "open requests: "
      + inFlight.map { "\($0.number) (\($0.stub.request.summary))" }.joined(separator: ", ")
  }

  /// Cancels all tasks of all sessions, and delivers their completions.
  func invalidate() {
    settler.invalidate()
    for session in livingSessions { session.end() }
    // Inside a callback, the settling that runs the callback continues, and closes the mailbox.
    repeat {
      let outcome = settler.settleOnce(read, running: run(callbackOf:_:))
      if outcome == .isSettling { return }
      if outcome == .quiet { return close() }
    } while true
  }

  private func close() {
    for note in settler.close() where note.isStarted { endLate(note.stub) }
    // Those of the sessions that the user has invalidated are left, and were told by now.
    for session in livingSessions { session.releaseDelegate() }
  }

  /// Runs a callback of a task.
  private func run(callbackOf taskNumber: Int, _ callback: () -> Void) {
    let number = state.withLock { $0.numbers[taskNumber] }
    SessionCallback.$current.withValue(SessionCallback(request: number)) {
      guard let number else { return callback() }
      log.run(callbackOf: number, callback)
    }
  }

  // MARK: Starting and stopping requests

  private func read(_ notes: [Settler.Note]) {
    for note in inOrder(notes) {
      if note.isStarted { start(note) }
      if note.isStopped { stop(note.stub) }
    }
  }

  /// Puts the new tasks from outside the world last, in an order that doesn't depend on when their
  /// threads got to run.
  private func inOrder(_ notes: [Settler.Note]) -> [Settler.Note] {
    guard notes.contains(where: { $0.outsider != nil }) else { return notes }
    let outsiders = notes.filter { $0.outsider != nil }.enumerated()
      .map { (key: $0.element.sortKey, offset: $0.offset, note: $0.element) }
      .sorted {
        $0.key == $1.key
          ? $0.offset < $1.offset : $0.key.lexicographicallyPrecedes($1.key)
      }
    return notes.filter { $0.outsider == nil } + outsiders.map(\.note)
  }

  private func start(_ note: Settler.Note) {
    let taskNumber = note.stub.taskNumber
    guard !settler.isInvalidated else { return endLate(note.stub) }
    guard let request = state.withLock({ $0.inFlight[taskNumber] }) else { return open(note) }
    // Another `resume()`, perhaps after a suspension.
    if request.isUnsent, isConnected {
      sendAfterWaiting(request)
    } else {
      goOn(note.stub)
    }
  }

  /// Fails a task that was made after the network was invalidated.
  private func endLate(_ stub: StubURLProtocol) {
    settler.call(stub) { $0.urlProtocol(stub, didFailWithError: URLError(.cancelled)) }
    settler.end(stub.taskNumber)
  }

  private func open(_ note: Settler.Note) {
    let (plainRequest, unreadable) = note.requestWithBody()
    let urlRequest = plainRequest.sent(
      with: note.stub.settings, isUpload: note.announcement.uploadBody != nil)
    let number = state.withLock { state in
      state.requests += 1
      state.numbers[note.stub.taskNumber] = state.requests
      return state.requests
    }
    let url = urlRequest.url?.absoluteString ?? ""
    let start = log.record(
      number, .started(method: urlRequest.httpMethod ?? "GET", url: url),
      cause: note.announcement.cause, thread: note.outsider?.label)
    watch?.noteStart(start, of: number, by: note.outsider, madeAt: note.announcement.site)
    // It has failed already.
    if let refusal = note.stub.refusal {
      log.record(number, .noResponse(because: refusal))
      log.record(number, .failed(URLError.Code.resourceUnavailable.name))
      return settler.end(note.stub.taskNumber)
    }
    let request = InFlightRequest(
      number: number, stub: note.stub, request: urlRequest, announced: note.announcement)
    state.withLock { $0.inFlight[note.stub.taskNumber] = request }
    if let unreadable {
      begin(request, .failure(unreadable))
    } else if let refusal = plainRequest.refusalToSend {
      begin(request, refuse(number, refusal.reason, with: refusal.code))
    } else if isConnected {
      send(request)
    } else if note.stub.settings.waitsForConnectivity {
      log.record(number, .waiting)
      waitIfRunning(note.stub)
    } else {
      begin(request, .failure(.notConnectedToInternet))
    }
  }

  /// Sends a request that has waited for connectivity.
  private func sendAfterWaiting(_ request: InFlightRequest) {
    log.record(request.number, .sent)
    send(request)
  }

  /// Finds the stub for a request, and begins its response.
  private func send(_ request: InFlightRequest) {
    begin(request, response(to: request.request, request.number))
  }

  private func begin(_ request: InFlightRequest, _ response: StubResponse) {
    let now = clock.now
    let token = state.withLock {
      $0.inFlight[request.stub.taskNumber]?.begin(response, at: now) ?? nil
    }
    token?.cancel()
    waitIfRunning(request.stub)
  }

  private func waitIfRunning(_ stub: StubURLProtocol) {
    if settler.isRunning(stub) { goOn(stub) }
  }

  /// Tells how the body was sent, and waits for the next step.
  private func goOn(_ stub: StubURLProtocol) {
    let sent = state.withLock { $0.inFlight[stub.taskNumber]?.takeSent() ?? [] }
    if !sent.isEmpty {
      settler.call(stub) { _ in for report in sent { report.deliver(of: stub.task) } }
    }
    scheduleNextStep(of: stub.taskNumber)
  }

  private func response(to request: URLRequest, _ number: Int) -> StubResponse {
    var reply = script.withLock { $0.reply(to: request) }
    if case .service(let service) = reply { reply = service.reply(to: request) }
    switch reply {
    case .response(let response):
      let upload = request.httpBody?.isEmpty ?? true ? nil : response.upload
      let moved = response.received(by: request.httpMethod)
        .moved(
          by: clock.script,
          as: clock.script.address(
            request.address(withHost: script.withLock { $0.hasSeveralHosts })),
          from: clock.now.advanced(by: upload?.duration ?? .zero))
      return script.withLock { $0.sent(moved, to: request, number) }
    case .service:
      preconditionFailure("a service can't name another one")
    case .refusal where script.withLock({ $0.isLenient }):
      // A server that the script doesn't know.
      return .failure(.cannotConnectToHost)
    case .refusal(let reason, let topic):
      return refuse(number, reason, topic: topic, with: .resourceUnavailable)
    }
  }

  /// Notes why a request gets no response.
  private func refuse(
    _ number: Int, _ reason: String, topic: String? = nil, with code: URLError.Code
  ) -> StubResponse {
    let now = clock.now
    script.withLock { $0.noteRefusal(of: number, because: reason, topic: topic, at: now) }
    log.record(number, .noResponse(because: reason))
    return .failure(code)
  }

  private func stop(_ stub: StubURLProtocol) {
    switch stub.task?.state {
    case .running:
      break
    case .suspended:
      let now = clock.now
      let token = state.withLock { $0.inFlight[stub.taskNumber]?.pause(at: now) ?? nil }
      token?.cancel()
    default:
      settler.end(stub.taskNumber)
      let cause = settler.takeCancellationCause(of: stub)
      if let request = state.withLock({ $0.inFlight.removeValue(forKey: stub.taskNumber) }) {
        log.record(request.number, .cancelled(bytes: request.bytes), cause: cause)
      }
    }
  }

  // MARK: Connectivity

  var isConnected: Bool { state.withLock { $0.isConnected } }

  /// Sends the requests that wait, or fails those that were sent, in the order they were made.
  func setConnected(_ isConnected: Bool) {
    let isChange = state.withLock { state in
      defer { state.isConnected = isConnected }
      return state.isConnected != isConnected
    }
    guard isChange else { return }
    for request in openRequests where request.isUnsent == isConnected {
      if !isConnected {
        begin(request, .failure(.networkConnectionLost))
      } else if settler.isRunning(request.stub) {
        // A suspended task is sent when it is resumed; settling ends a cancelled one.
        sendAfterWaiting(request)
      }
    }
  }

  /// One sentence for each request that waits for connectivity.
  var waits: [String] {
    // On a connected network, an unsent request only waits for its task to be resumed.
    guard !isConnected else { return [] }
    return openRequests.filter(\.isUnsent).map {
      "request \($0.number): \($0.request.summary) still waits for connectivity: "
        + "set isConnected to true, or cancel the request"
    }
  }

  // MARK: Delivering responses

  private func scheduleNextStep(of taskNumber: Int) {
    guard let request = state.withLock({ $0.inFlight[taskNumber] }), let delay = request.remaining
    else { return }
    let now = clock.now
    // A repeating action that never repeats. Unlike a single one it can be cancelled, and then the
    // clock doesn't run on to its due time.
    let name = "request \(request.number)"
    var options = VirtualTimeScheduler.Options(label: name)
    options.orderSource = OrderSource(name, of: self)
    let token = clock.schedule(
      after: now.advanced(by: delay), interval: .max, tolerance: .zero, options: options
    ) { [weak self] in
      self?.step(taskNumber)
    }
    state.withLock { $0.inFlight[taskNumber]?.wait(since: now, token) }
  }

  private func step(_ taskNumber: Int) {
    // Settling handles a task that an action has cancelled or suspended at this same instant.
    let now = clock.now
    guard let stub = state.withLock({ $0.inFlight[taskNumber]?.stub }), settler.isRunning(stub),
      let result = state.withLock({ $0.inFlight[taskNumber]?.advance(at: now) }),
      let request = state.withLock({ $0.inFlight[taskNumber] })
    else { return }
    result.token?.cancel()
    if let event = result.event { log.record(request.number, event) }
    if request.isOver { end(taskNumber) }
    if let call = result.call {
      settler.call(request.stub) { call.perform(on: $0, for: request.stub) }
    }
    scheduleNextStep(of: taskNumber)
  }

  private func end(_ taskNumber: Int) {
    _ = state.withLock { $0.inFlight.removeValue(forKey: taskNumber) }
    settler.end(taskNumber)
  }
}

extension Timeline.Event.Network {
  fileprivate static func noResponse(because reason: String) -> Self {
    .failed("no response: \(reason)")
  }
}

extension Settler.Note {
  /// The method, the URL, the headers and the body.
  fileprivate var sortKey: [String] {
    let request = stub.request
    let headers = (request.allHTTPHeaderFields ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
    var body = request.httpBody
    if case .data(let data) = announcement.uploadBody { body = data }
    return [request.httpMethod ?? "GET", request.url?.absoluteString ?? ""] + headers
      + [body?.base64EncodedString() ?? ""]
  }

  /// Returns the request with its body in `httpBody`, and why the body can't be read.
  fileprivate func requestWithBody() -> (URLRequest, URLError.Code?) {
    var request = stub.request
    guard let body = announcement.uploadBody else {
      request.readBodyStream()
      return (request, nil)
    }
    do {
      request.httpBody = try body.read()
      return (request, nil)
    } catch {
      return (request, error.code)
    }
  }
}

extension URLRequest {
  /// The method, the path and the query: what a move calls it.
  fileprivate func address(withHost: Bool) -> String {
    let parts = url.flatMap { URLComponents(string: $0.canonicalString) }
    let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
    let host = withHost ? parts?.host ?? "" : ""
    return "\(httpMethod ?? "GET") \(host)\(parts?.percentEncodedPath ?? "/")\(query)"
  }

  /// Reads a body stream into `httpBody`, so that it can be compared.
  fileprivate mutating func readBodyStream() {
    guard httpBody == nil, let stream = httpBodyStream else { return }
    stream.open()
    defer { stream.close() }
    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      guard count > 0 else { break }
      body.append(contentsOf: buffer[..<count])
    }
    httpBody = body
  }
}
