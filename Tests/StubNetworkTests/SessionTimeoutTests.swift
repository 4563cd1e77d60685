import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

/// The timeouts of a session's configuration on virtual time.
@Suite struct SessionTimeoutTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork

  init() { network = StubNetwork(clock: clock) }

  private func stub(_ responses: StubResponse...) {
    network.stub(RequestPattern(.get, .example("user")), responses: responses)
  }

  private func session(
    request: TimeInterval? = nil, resource: TimeInterval? = nil,
    delegate: (any URLSessionDelegate)? = nil, waitsForConnectivity: Bool = false
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    if let request { configuration.timeoutIntervalForRequest = request }
    if let resource { configuration.timeoutIntervalForResource = resource }
    return network.makeSession(
      configuration: configuration, delegate: delegate,
      waitsForConnectivity: waitsForConnectivity)
  }

  /// Subscribes to the user.
  ///
  /// - Parameter timeout: The request's own timeout in seconds; `nil` for the default.
  private func subscribe(_ session: URLSession, timeout: TimeInterval? = nil) -> Recorder {
    var request = URLRequest(url: .example("user"))
    if let timeout { request.timeoutInterval = timeout }
    let recorder = Recorder(clock)
    session.dataTaskPublisher(for: request).subscribe(recorder)
    return recorder
  }

  private var events: [String] { network.events.map(\.description) }

  // MARK: timeoutIntervalForRequest

  @Test func aLateResponseFailsAtTheSessionsLimit() throws {
    stub(.text("late", after: .seconds(5)))
    let recorder = subscribe(session(request: 2))
    clock.run()
    #expect(recorder.lines == ["0 subscription DataTaskPublisher", "2s failure timedOut"])
    #expect(
      events == ["0 request 1: GET https://example.com/user", "2s request 1: failed timedOut"])
    #expect(clock.now == .seconds(2))
    try network.verify()
  }

  @Test(arguments: [
    (3, 10, ["3s failure timedOut"]), (9, 2, ["5s value 200 late", "5s finished"]),
    (59.5, 2, ["5s value 200 late", "5s finished"]),
  ])
  func theRequestsOwnLimitWins(own: TimeInterval, sessions: TimeInterval, lines: [String]) {
    stub(.text("late", after: .seconds(5)))
    let recorder = subscribe(session(request: sessions), timeout: own)
    clock.run()
    #expect(recorder.lines.dropFirst() == lines[...])
  }

  /// Foundation doesn't say whether a request's timeout was set.
  @Test func aRequestsLimitOfSixtySecondsCountsAsUnset() {
    stub(.text("late", after: .seconds(5)))
    let recorder = subscribe(session(request: 2), timeout: 60)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["2s failure timedOut"])
  }

  @Test(arguments: [(120.0, "120s"), (1.5, "1500ms"), (0, "0"), (-1, "0")])
  func theSessionsLimitMayBeAnyNumberOfSeconds(limit: TimeInterval, end: String) {
    stub(.text("late", after: .seconds(1_000)))
    let recorder = subscribe(session(request: limit))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["\(end) failure timedOut"])
  }

  @Test(arguments: [TimeInterval.infinity, .nan, 1e18])
  func theSessionMayHaveNoLimit(limit: TimeInterval) {
    stub(.text("late", after: .seconds(1_000_000)))
    let recorder = subscribe(session(request: limit, resource: limit))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["1000000s value 200 late", "1000000s finished"])
  }

  @Test func theSessionsLimitCountsFromEachChunk() {
    stub(
      .chunked(
        chunks: [
          .init("a", after: .seconds(2)), .init("b", after: .seconds(2)),
          .init("c", after: .seconds(3)),
        ], latency: .seconds(2)))
    let delegate = StreamingDelegate(clock)
    session(request: 2, delegate: delegate).dataTask(with: .example("user")).resume()
    clock.run()
    #expect(delegate.lines == ["2s response 200", "4s data a", "6s data b", "8s error timedOut"])
  }

  @Test func eachSessionHasItsOwnLimit() {
    stub(
      .text("late", after: .seconds(5)), .text("late", after: .seconds(5)),
      .text("late", after: .seconds(5)), .text("late", after: .seconds(5)))
    let sessions = [
      session(request: 2), session(), session(request: 3, waitsForConnectivity: true),
      session(request: 2),
    ]
    let recorders = sessions.map { subscribe($0) }
    clock.run()
    #expect(
      recorders.map { $0.lines.dropFirst().joined(separator: ", ") } == [
        "2s failure timedOut", "5s value 200 late, 5s finished", "3s failure timedOut",
        "2s failure timedOut",
      ])
  }

  @Test func allWaysToMakeATaskFollowTheSessionsLimit() async {
    network.stub(.get, .example("user"), responses: .text("", after: .seconds(5)).repeating)
    network.stub(.post, .example("user"), responses: .text("", after: .seconds(5)).repeating)
    let session = session(request: 2)
    let ends = Locked<[String]>([])
    let note = { @Sendable [clock] (name: String, error: (any Error)?) in
      let code = (error as? URLError).map { "\($0.code)" } ?? "none"
      ends.withLock { $0.append("\(clock.now) \(name) \(code)") }
    }
    let url = URL.example("user")
    var post = URLRequest(url: url)
    post.httpMethod = "POST"
    session.dataTask(with: url) { note("url", $2) }.resume()
    session.dataTask(with: URLRequest(url: url)) { note("request", $2) }.resume()
    session.uploadTask(with: post, from: Data()) { note("upload", $2) }.resume()
    let async = Task {
      do { _ = try await session.data(from: url) } catch { note("async", error) }
    }
    await requests(4)
    clock.run()
    await async.value
    #expect(
      ends.withLock { $0 }.sorted() == [
        "2s async timedOut", "2s request timedOut", "2s upload timedOut", "2s url timedOut",
      ])
  }

  /// Returns when so many requests have started.
  private func requests(_ count: Int) async {
    while network.events.count < count {
      clock.settle()
      await Task.yield()
    }
  }

  @Test func changingAConfigurationLaterChangesNothing() {
    stub(.text("late", after: .seconds(5)))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 2
    let session = network.makeSession(configuration: configuration)
    configuration.timeoutIntervalForRequest = 10
    session.configuration.timeoutIntervalForRequest = 10
    let recorder = subscribe(session)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["2s failure timedOut"])
  }

  // MARK: timeoutIntervalForResource

  @Test func aResponseThatTakesTooLongInAllFails() throws {
    stub(
      .chunked(
        chunks: (1...9).map { .init("\($0)", after: .seconds(1)) }, latency: .seconds(1)))
    let delegate = StreamingDelegate(clock)
    session(request: 2, resource: 3.5, delegate: delegate).dataTask(with: .example("user"))
      .resume()
    clock.run()
    #expect(
      delegate.lines == ["1s response 200", "2s data 1", "3s data 2", "3500ms error timedOut"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "1s request 1: response 200",
        "2s request 1: chunk of 1 bytes, 1 in all", "3s request 1: chunk of 1 bytes, 2 in all",
        "3500ms request 1: failed timedOut",
      ])
    #expect(clock.now == .milliseconds(3_500))
    #expect(clock.pendingWork == [])
    try network.verify()
  }

  @Test func aResponseThatEndsAtTheLimitArrives() {
    stub(.text("just in time", after: .seconds(2)))
    let recorder = subscribe(session(resource: 2))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["2s value 200 just in time", "2s finished"])
  }

  @Test func theWaitForConnectivityEndsAtTheResourceLimit() throws {
    network.isConnected = false
    let recorder = subscribe(session(request: 1, resource: 7, waitsForConnectivity: true))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["7s failure timedOut"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "0 request 1: waits for connectivity",
        "7s request 1: failed timedOut",
      ])
    try network.verify()
  }

  @Test func theWaitForConnectivityCounts() {
    stub(.text("in time", after: .seconds(1)), .text("late", after: .seconds(3)))
    network.isConnected = false
    let session = session(resource: 7, waitsForConnectivity: true)
    let recorders = [subscribe(session), subscribe(session)]
    clock.schedule(after: .seconds(5)) { [network] in network.isConnected = true }
    clock.run()
    #expect(recorders[0].lines.dropFirst() == ["6s value 200 in time", "6s finished"])
    #expect(recorders[1].lines.dropFirst() == ["7s failure timedOut"])
  }

  /// The clock stops when nothing but the default of a week is left.
  @Test func theDefaultOfAWeekIsNoLimit() {
    network.isConnected = false
    let recorder = subscribe(session(waitsForConnectivity: true))
    clock.run()
    #expect(clock.now == .zero)
    #expect(recorder.lines.count == 1)
    #expect(
      network.problems == [
        """
        request 1: GET https://example.com/user still waits for connectivity: set isConnected to \
        true, or cancel the request
        """
      ])
    recorder.cancel()
    clock.settle()
  }

  @Test func timeInSuspensionDoesNotCountAsTimeForTheResource() {
    stub(.text("late", after: .seconds(5)))
    let delegate = StreamingDelegate(clock)
    let task = session(resource: 3, delegate: delegate).dataTask(with: .example("user"))
    task.resume()
    clock.schedule(after: .seconds(1)) { task.suspend() }
    clock.schedule(after: .seconds(11)) { task.resume() }
    clock.run()
    #expect(delegate.lines == ["13s error timedOut"])
  }

  @Test func aWaitingTaskCanBeSuspendedAndCancelled() {
    network.isConnected = false
    let delegate = StreamingDelegate(clock)
    let session = session(resource: 3, delegate: delegate, waitsForConnectivity: true)
    let tasks = (1...2).map { _ in session.dataTask(with: .example("user")) }
    for task in tasks { task.resume() }
    clock.schedule(after: .seconds(1)) { tasks[0].suspend() }
    clock.schedule(after: .seconds(2)) { tasks[1].cancel() }
    clock.schedule(after: .seconds(11)) { tasks[0].resume() }
    clock.run()
    #expect(delegate.lines == ["2s error cancelled", "13s error timedOut"])
    #expect(clock.pendingWork == [])
  }

  @Test func aLostConnectionEndsTheWaitForTheLimit() {
    stub(.text("late", after: .seconds(5)))
    let recorder = subscribe(session(resource: 3))
    clock.schedule(after: .seconds(1)) { [network] in network.isConnected = false }
    clock.run()
    #expect(recorder.lines.dropFirst() == ["1s failure networkConnectionLost"])
    #expect(clock.now == .seconds(1))
  }
}
