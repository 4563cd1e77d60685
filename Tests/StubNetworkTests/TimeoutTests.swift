import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

/// The timeouts of requests and of sessions, on virtual time.
@Suite struct TimeoutTests {
  private let run = NetworkRun()

  private func session(
    request: TimeInterval? = nil, resource: TimeInterval? = nil,
    delegate: StreamingDelegate? = nil, waits: Bool = false
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    if let request { configuration.timeoutIntervalForRequest = request }
    if let resource { configuration.timeoutIntervalForResource = resource }
    return run.network.makeSession(
      configuration: configuration, delegate: delegate, waitsForConnectivity: waits)
  }

  // MARK: The limits

  /// The limits in seconds, when the response comes, and how the request ends.
  struct Limits: Sendable {
    var own: TimeInterval?
    var session: TimeInterval?
    var resource: TimeInterval?
    var latency: Double
    let end: String

    init(
      own: TimeInterval? = nil, session: TimeInterval? = nil, resource: TimeInterval? = nil,
      _ latency: Double, _ end: String
    ) {
      (self.own, self.session, self.resource) = (own, session, resource)
      (self.latency, self.end) = (latency, end)
    }
  }

  static let limits: [Limits] = [
    // A request's own limit. It counts as none if it's longer than virtual time.
    Limits(own: 2, 3, "2s timedOut"), Limits(own: 2, 2, "2s Ada"),
    Limits(own: 0.25, 3, "250ms timedOut"), Limits(own: 1.5, 3, "1500ms timedOut"),
    Limits(own: 0.000_001, 3, "1us timedOut"), Limits(own: .infinity, 86_400, "86400s Ada"),
    Limits(own: .nan, 86_400, "86400s Ada"), Limits(own: 1e12, 86_400, "86400s Ada"),
    // As in a real session on Linux.
    Limits(own: 0, 0, "0 timedOut"), Limits(own: -1, 0, "0 timedOut"),
    // The default.
    Limits(60, "60s Ada"), Limits(60.001, "60s timedOut"),
    // The session's limit.
    Limits(session: 2, 5, "2s timedOut"), Limits(session: 120, 1_000, "120s timedOut"),
    Limits(session: 1.5, 5, "1500ms timedOut"), Limits(session: 0, 5, "0 timedOut"),
    Limits(session: -1, 5, "0 timedOut"),
    // The request's own limit wins. One of 60 seconds counts as unset.
    Limits(own: 3, session: 10, 5, "3s timedOut"), Limits(own: 9, session: 2, 5, "5s Ada"),
    Limits(own: 59.5, session: 2, 5, "5s Ada"), Limits(own: 60, session: 2, 5, "2s timedOut"),
    // The limit of the whole response.
    Limits(resource: 2, 2, "2s Ada"), Limits(resource: 2, 3, "2s timedOut"),
    Limits(session: .infinity, resource: .infinity, 1_000_000, "1000000s Ada"),
    Limits(session: .nan, resource: .nan, 1_000_000, "1000000s Ada"),
    Limits(session: 1e18, resource: 1e18, 1_000_000, "1000000s Ada"),
  ]

  @Test(arguments: limits)
  func theShortestLimitCounts(limits: Limits) throws {
    run.stub(.text("Ada", after: .seconds(limits.latency)))
    run.subscribe(
      timeout: limits.own, on: session(request: limits.session, resource: limits.resource))
    let words = limits.end.split(separator: " ")
    let end =
      words[1] == "Ada"
      ? ["200 OK", "3 bytes", "finished"].map { "\(words[0]) request 1: \($0)" }
        + ["\(words[0]) user: value 200 Ada", "\(words[0]) user: finished"]
      : ["\(words[0]) request 1: failed: timedOut", "\(words[0]) user: failure timedOut"]
    #expect(run.finish() == ["0 request 1: GET /user"] + end)
    #expect("\(run.clock.now)" == words[0], "the clock doesn't run on to a late response")
    #expect(run.clock.pendingWork == [])
    try run.network.verify()
  }

  @Test func failuresServicesAndRequestsWithAnInitialLimitTimeOutToo() {
    run.stub(.failure(.cannotConnectToHost, after: .seconds(3)))
    run.network.serve("https://example.com") { _ in .text("late", after: .seconds(3)) }
    run.subscribe(timeout: 2)
    run.subscribe("service", timeout: 2)
    // A real session on Linux ignores this limit.
    let request = URLRequest(
      url: .example("initial"), cachePolicy: .useProtocolCachePolicy, timeoutInterval: 2)
    let recorder = Recorder(run.clock)
    run.session().dataTaskPublisher(for: request).subscribe(recorder)
    #expect(
      run.finish().dropFirst(3) == [
        "2s request 1: failed: timedOut", "2s user: failure timedOut",
        "2s request 2: failed: timedOut", "2s service: failure timedOut",
        "2s request 3: failed: timedOut",
      ])
    #expect(recorder.lines.last == "2s failure timedOut")
  }

  @Test func allWaysToMakeATaskFollowTheSessionsLimit() async {
    for method in [HTTPMethod.get, .post] {
      run.network.stub(
        method, .example("user"), responses: .text("", after: .seconds(5)).repeating)
    }
    let session = session(request: 2)
    let note = { @Sendable [run] (name: String, error: (any Error)?) in
      run.write("\(name) \((error as? URLError)?.code.name ?? "none")")
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
    while run.network.events.count < 4 {
      run.clock.settle()
      await Task.yield()
    }
    _ = run.history
    run.clock.run()
    await async.value
    #expect(
      run.history.filter { !$0.contains(":") }.sorted() == [
        "2s async timedOut", "2s request timedOut", "2s upload timedOut", "2s url timedOut",
      ])
  }

  @Test func aConfigurationIsCopied() {
    run.stub(.text("late", after: .seconds(5)))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 2
    let session = run.network.makeSession(configuration: configuration)
    configuration.timeoutIntervalForRequest = 10
    session.configuration.timeoutIntervalForRequest = 10
    run.subscribe(on: session)
    #expect(run.finish().last == "2s user: failure timedOut")
  }

  // MARK: Bodies

  private static let slow = StubResponse.chunked(
    chunks: [.init("a", after: .seconds(1)), .init("b", after: .seconds(2))], latency: .seconds(1),
    end: .finish(after: .seconds(3)))

  @Test func eachChunkStartsTheWaitAgain() {
    run.stub(Self.slow.repeating)
    run.load(timeout: 3)
    #expect(
      run.finish() == [
        "0 request 1: GET /user", "1s request 1: 200 OK", "1s user: response 200",
        "2s request 1: 1 byte", "2s user: data a", "4s request 1: 1 byte", "4s user: data b",
        "7s request 1: finished", "7s user: end",
      ])
    for (timeout, ends) in [
      (2.0, ["11s user: data b", "13s user: error timedOut"]),
      (1, ["15s user: data a", "16s user: error timedOut"]),
    ] {
      run.load(timeout: timeout)
      #expect(run.finish().filter { $0.contains("user:") }.suffix(2) == ends[...])
    }
  }

  @Test func theWholeResponseHasALimit() throws {
    run.stub(Self.slow)
    session(request: 3, resource: 3.5, delegate: run.delegate("user"))
      .dataTask(with: .example("user")).resume()
    #expect(
      run.finish() == [
        "0 request 1: GET /user", "1s request 1: 200 OK", "1s user: response 200",
        "2s request 1: 1 byte", "2s user: data a", "3500ms request 1: failed: timedOut",
        "3500ms user: error timedOut",
      ])
    #expect(run.clock.now == .milliseconds(3_500))
    #expect(run.clock.pendingWork == [])
    try run.network.verify()
  }

  // MARK: Several requests

  @Test func eachRequestHasTheWholeLimit() throws {
    run.stub(.text("late", after: .seconds(3)).repeating)
    for timeout: TimeInterval? in [2, nil, 1] {
      run.subscribe(timeout: timeout)
      run.clock.run()
    }
    #expect(
      run.history.filter { $0.contains("user: ") } == [
        "2s user: failure timedOut", "5s user: value 200 late", "5s user: finished",
        "6s user: failure timedOut",
      ])
    run.subscribe(timeout: 2) { [run] in if $0.contains("failure") { run.subscribe() } }
    #expect(
      run.finish().filter { $0.contains("user: ") } == [
        "8s user: failure timedOut", "11s user: value 200 late", "11s user: finished",
      ])
    #expect(
      StubResponse.text("late", after: .seconds(3)).repeating.timingOut(after: 2)
        == .failure(.timedOut, after: .seconds(2)).repeating)
    try run.network.verify()
  }

  // MARK: Suspension and connectivity

  static let suspended: [(timeout: TimeInterval, resource: TimeInterval?, lines: [String])] = [
    (2.0, nil, ["11500ms user: response 200", "11500ms user: data Ada", "11500ms user: end"]),
    (1.2, nil, ["11200ms user: error timedOut"]), (9, 1.3, ["11300ms user: error timedOut"]),
  ]

  @Test(arguments: suspended)
  func timeInSuspensionDoesNotCount(
    timeout: TimeInterval, resource: TimeInterval?, lines: [String]
  ) {
    run.stub(.text("Ada", after: .milliseconds(1_500)))
    let task = session(request: timeout, resource: resource, delegate: run.delegate("user"))
      .dataTask(with: .example("user"))
    task.resume()
    run.at(1_000) { task.suspend() }
    run.at(11_000) { task.resume() }
    #expect(run.finish().filter { $0.contains("user: ") } == lines)
  }

  @Test func theWaitForConnectivityCountsForTheWholeResponseOnly() throws {
    run.stub(.text("Ada", after: .seconds(1)), .text("late", after: .seconds(3)))
    run.network.isConnected = false
    let waiting = session(request: 2, waits: true)
    for _ in 1...2 { run.subscribe(on: waiting) }
    run.subscribe(on: session(request: 1, resource: 7, waits: true))
    run.setConnected(true, at: 100_000)
    #expect(
      run.finish() == [
        "0 request 1: GET /user", "0 request 1: waits for connectivity",
        "0 request 2: GET /user", "0 request 2: waits for connectivity",
        "0 request 3: GET /user", "0 request 3: waits for connectivity",
        "7s request 3: failed: timedOut", "7s user: failure timedOut",
        "100s request 1: sent", "100s request 2: sent", "101s request 1: 200 OK",
        "101s request 1: 3 bytes", "101s request 1: finished", "101s user: value 200 Ada",
        "101s user: finished", "102s request 2: failed: timedOut", "102s user: failure timedOut",
      ])
    try run.network.verify()
  }

  @Test func theWaitForConnectivityIsPartOfTheWholeResponse() {
    run.stub(.text("Ada", after: .seconds(1)), .text("late", after: .seconds(3)))
    run.network.isConnected = false
    let session = session(resource: 7, waits: true)
    for _ in 1...2 { run.subscribe(on: session) }
    run.setConnected(true, at: 5_000)
    #expect(
      run.finish().filter { $0.contains("user: ") } == [
        "6s user: value 200 Ada", "6s user: finished", "7s user: failure timedOut",
      ])
  }

  /// The clock stops when nothing but the default of a week is left.
  @Test func theDefaultOfAWeekIsNoLimit() {
    run.network.isConnected = false
    let recorder = run.subscribe(on: session(waits: true))
    #expect(
      run.finish() == ["0 request 1: GET /user", "0 request 1: waits for connectivity"])
    recorder.cancel()
    run.clock.settle()
  }

  @Test func aWaitingTaskCanBeSuspendedAndCancelled() {
    run.network.isConnected = false
    let session = session(resource: 3, delegate: run.delegate("user"), waits: true)
    let tasks = (1...2).map { _ in session.dataTask(with: .example("user")) }
    for task in tasks { task.resume() }
    run.at(1_000) { tasks[0].suspend() }
    run.at(2_000) { tasks[1].cancel() }
    run.at(11_000) { tasks[0].resume() }
    #expect(
      run.finish().filter { $0.contains("user: ") } == [
        "2s user: error cancelled", "13s user: error timedOut",
      ])
    #expect(run.clock.pendingWork == [])
  }
}
