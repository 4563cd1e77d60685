import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

/// `URLRequest.timeoutInterval` on virtual time: how long a request waits for the next byte.
@Suite struct RequestTimeoutTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork

  init() { network = StubNetwork(clock: clock) }

  private func stub(_ responses: StubResponse...) {
    network.stub(RequestPattern(.get, .example("user")), responses: responses)
  }

  /// A request for the user.
  ///
  /// - Parameter timeout: In seconds; `nil` for the default.
  private func request(timeout: TimeInterval?) -> URLRequest {
    var request = URLRequest(url: .example("user"))
    if let timeout { request.timeoutInterval = timeout }
    return request
  }

  private func subscribe(timeout: TimeInterval?) -> Recorder {
    let recorder = Recorder(clock)
    network.makeSession().dataTaskPublisher(for: request(timeout: timeout)).subscribe(recorder)
    return recorder
  }

  /// Resumes a task of a session that streams to a delegate.
  private func load(timeout: TimeInterval, into delegate: StreamingDelegate) -> URLSessionDataTask {
    let task = network.makeSession(delegate: delegate, waitsForConnectivity: true)
      .dataTask(with: request(timeout: timeout))
    task.resume()
    return task
  }

  private var events: [String] { network.events.map(\.description) }

  // MARK: The limit

  @Test func aLateResponseFailsAtExactlyTheLimit() throws {
    stub(.text("late", after: .seconds(3)))
    let recorder = subscribe(timeout: 2)
    clock.run()
    #expect(recorder.lines == ["0 subscription DataTaskPublisher", "2s failure timedOut"])
    #expect(
      events == ["0 request 1: GET https://example.com/user", "2s request 1: failed timedOut"])
    #expect(clock.now == .seconds(2), "the clock doesn't run on to the late response")
    #expect(clock.pendingWork == [])
    try network.verify()
  }

  @Test func aResponseAtTheLimitArrives() throws {
    stub(.text("just in time", after: .seconds(2)))
    let recorder = subscribe(timeout: 2)
    clock.run()
    #expect(
      recorder.lines == [
        "0 subscription DataTaskPublisher", "2s value 200 just in time", "2s finished",
      ])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "2s request 1: response 200 text/plain",
        "2s request 1: chunk of 12 bytes, 12 in all", "2s request 1: finished",
      ])
    try network.verify()
  }

  @Test(arguments: [(0.25, "250ms"), (1.5, "1500ms"), (0.000_001, "1us")])
  func theLimitMayBeAFractionOfASecond(timeout: TimeInterval, end: String) {
    stub(.text("late", after: .seconds(3)))
    let recorder = subscribe(timeout: timeout)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["\(end) failure timedOut"])
    #expect(events.dropFirst() == ["\(end) request 1: failed timedOut"])
  }

  @Test func aLateFailureIsATimeoutToo() {
    stub(.failure(.cannotConnectToHost, after: .seconds(3)))
    let recorder = subscribe(timeout: 2)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["2s failure timedOut"])
    #expect(events.dropFirst() == ["2s request 1: failed timedOut"])
  }

  @Test func aServiceIsHeldToTheLimitToo() {
    network.serve("https://example.com") { _ in .text("late", after: .seconds(3)) }
    let recorder = subscribe(timeout: 2)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["2s failure timedOut"])
    #expect(events.dropFirst() == ["2s request 1: failed timedOut"])
  }

  /// A real session on Linux ignores this limit.
  @Test func theLimitMayBePassedToTheInitializer() {
    stub(.text("late", after: .seconds(3)))
    let recorder = Recorder(clock)
    let request = URLRequest(
      url: .example("user"), cachePolicy: .useProtocolCachePolicy, timeoutInterval: 2)
    network.makeSession().dataTaskPublisher(for: request).subscribe(recorder)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["2s failure timedOut"])
    #expect(events.dropFirst() == ["2s request 1: failed timedOut"])
  }

  @Test func theDefaultLimitIsSixtySeconds() {
    stub(.text("in time", after: .seconds(60)), .text("late", after: .milliseconds(60_001)))
    let inTime = subscribe(timeout: nil)
    let late = subscribe(timeout: nil)
    clock.run()
    #expect(inTime.lines.dropFirst() == ["60s value 200 in time", "60s finished"])
    #expect(late.lines.dropFirst() == ["60s failure timedOut"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "0 request 2: GET https://example.com/user",
        "60s request 1: response 200 text/plain", "60s request 2: failed timedOut",
        "60s request 1: chunk of 7 bytes, 7 in all", "60s request 1: finished",
      ])
  }

  /// As in a real session on Linux.
  @Test(arguments: [0, -1])
  func withALimitOfZeroOrLessTheRequestFailsAtOnce(timeout: TimeInterval) {
    stub(.text("at once"))
    let recorder = subscribe(timeout: timeout)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["0 failure timedOut"])
    #expect(
      events == ["0 request 1: GET https://example.com/user", "0 request 1: failed timedOut"])
  }

  @Test(arguments: [.infinity, .nan, 1e12])
  func withoutALimitTheRequestWaitsAsLongAsItTakes(timeout: TimeInterval) {
    stub(.text("after a day", after: .seconds(86_400)))
    let recorder = subscribe(timeout: timeout)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["86400s value 200 after a day", "86400s finished"])
    #expect(
      events.dropFirst() == [
        "86400s request 1: response 200 text/plain",
        "86400s request 1: chunk of 11 bytes, 11 in all", "86400s request 1: finished",
      ])
  }

  // MARK: Bodies

  @Test func eachChunkStartsTheWaitAgain() throws {
    stub(
      .chunked(
        chunks: [.init("one", after: .milliseconds(1_500)), .init("two", after: .seconds(2))],
        latency: .milliseconds(1_900), end: .finish(after: .seconds(2))))
    let recorder = subscribe(timeout: 2)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["7400ms value 200 onetwo", "7400ms finished"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "1900ms request 1: response 200",
        "3400ms request 1: chunk of 3 bytes, 3 in all",
        "5400ms request 1: chunk of 3 bytes, 6 in all", "7400ms request 1: finished",
      ])
    try network.verify()
  }

  @Test func aGapInTheBodyTimesOut() {
    stub(
      .chunked(
        chunks: [.init("half", after: .seconds(1)), .init("whole", after: .seconds(3))],
        latency: .seconds(1)))
    let delegate = StreamingDelegate(clock)
    let task = load(timeout: 2, into: delegate)
    clock.run()
    #expect(delegate.lines == ["1s response 200", "2s data half", "4s error timedOut"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "1s request 1: response 200",
        "2s request 1: chunk of 4 bytes, 4 in all", "4s request 1: failed timedOut",
      ])
    #expect(task.state == .completed)
  }

  @Test func aLateEndTimesOut() {
    stub(.chunked(chunks: [.init("all of it")], end: .finish(after: .seconds(3))))
    let recorder = subscribe(timeout: 2)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["2s failure timedOut"])
    #expect(
      events.dropFirst() == [
        "0 request 1: response 200", "0 request 1: chunk of 9 bytes, 9 in all",
        "2s request 1: failed timedOut",
      ])
  }

  // MARK: Several requests

  @Test func aRepeatingResponseStaysRepeating() throws {
    stub(.text("late", after: .seconds(3)).repeating)
    let lines = [2, nil, 1].map { timeout in
      let recorder = subscribe(timeout: timeout)
      clock.run()
      return Array(recorder.lines.dropFirst())
    }
    #expect(
      lines == [
        ["2s failure timedOut"], ["5s value 200 late", "5s finished"], ["6s failure timedOut"],
      ])
    #expect(network.problems == [])
    #expect(
      StubResponse.text("late", after: .seconds(3)).repeating.timingOut(after: 2)
        == .failure(.timedOut, after: .seconds(2)).repeating)
  }

  @Test func aRetryHasTheWholeLimitAgain() throws {
    stub(.text("late", after: .seconds(3)), .text("Ada", after: .seconds(1)))
    let recorder = Recorder(clock)
    network.makeSession().dataTaskPublisher(for: request(timeout: 2)).retry(1)
      .subscribe(recorder)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["3s value 200 Ada", "3s finished"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "2s request 1: failed timedOut",
        "2s request 2: GET https://example.com/user", "3s request 2: response 200 text/plain",
        "3s request 2: chunk of 3 bytes, 3 in all", "3s request 2: finished",
      ])
    try network.verify()
  }

  // MARK: Suspension and connectivity

  @Test(arguments: [
    (1_500, ["11500ms response 200", "11500ms data Ada", "11500ms end"]),
    (3_000, ["12s error timedOut"]),
  ])
  func timeInSuspensionDoesNotCount(latency: Int, lines: [String]) {
    stub(.text("Ada", after: .milliseconds(latency)))
    let delegate = StreamingDelegate(clock)
    let task = load(timeout: 2, into: delegate)
    clock.schedule(after: .seconds(1)) { task.suspend() }
    clock.schedule(after: .seconds(11)) { task.resume() }
    clock.run()
    #expect(delegate.lines == lines)
    #expect(events.first == "0 request 1: GET https://example.com/user")
    #expect(
      events.dropFirst()
        == (latency == 1_500
          ? [
            "11500ms request 1: response 200 text/plain",
            "11500ms request 1: chunk of 3 bytes, 3 in all", "11500ms request 1: finished",
          ] : ["12s request 1: failed timedOut"]))
  }

  @Test func theWaitForConnectivityDoesNotCount() throws {
    stub(.text("Ada", after: .seconds(1)), .text("late", after: .seconds(3)))
    network.isConnected = false
    let session = network.makeSession(waitsForConnectivity: true)
    let recorders = [Recorder(clock), Recorder(clock)]
    for recorder in recorders {
      session.dataTaskPublisher(for: request(timeout: 2)).subscribe(recorder)
    }
    clock.schedule(after: .seconds(100)) { [network] in network.isConnected = true }
    clock.run()
    #expect(recorders[0].lines.dropFirst() == ["101s value 200 Ada", "101s finished"])
    #expect(recorders[1].lines.dropFirst() == ["102s failure timedOut"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "0 request 1: waits for connectivity",
        "0 request 2: GET https://example.com/user", "0 request 2: waits for connectivity",
        "100s request 1: sent", "100s request 2: sent",
        "101s request 1: response 200 text/plain", "101s request 1: chunk of 3 bytes, 3 in all",
        "101s request 1: finished", "102s request 2: failed timedOut",
      ])
    try network.verify()
  }
}
