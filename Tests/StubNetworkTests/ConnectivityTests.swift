import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct ConnectivityTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork

  init() { network = StubNetwork(clock: clock) }

  /// Responds to `GET /user`, `GET /a` and so on with the path, after 100 ms.
  private func stub(_ paths: String...) {
    for path in paths {
      network.stub(
        .get, "https://example.com/\(path)", responses: .text(path, after: .milliseconds(100)))
    }
  }

  private func subscribe(_ path: String = "user", on session: URLSession) -> Recorder {
    let recorder = Recorder(clock)
    session.dataTaskPublisher(for: .example(path)).subscribe(recorder)
    return recorder
  }

  /// Resumes a task of a session that waits for connectivity and streams to a delegate.
  private func load(
    _ path: String = "user", into delegate: StreamingDelegate
  ) -> URLSessionDataTask {
    let task = network.makeSession(delegate: delegate, waitsForConnectivity: true)
      .dataTask(with: .example(path))
    task.resume()
    return task
  }

  private func connect(_ isConnected: Bool, at time: VirtualTime) {
    clock.schedule(after: time) { [network] in network.isConnected = isConnected }
  }

  private var events: [String] { network.events.map(\.description) }

  // MARK: No connection

  @Test func aNetworkIsConnectedAtFirst() throws {
    stub("user")
    let recorder = subscribe(on: network.makeSession(waitsForConnectivity: true))
    #expect(network.isConnected)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["100ms value 200 user", "100ms finished"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user",
        "100ms request 1: response 200 text/plain",
        "100ms request 1: chunk of 4 bytes, 4 in all", "100ms request 1: finished",
      ])
    try network.verify()
  }

  @Test func withoutAConnectionAPlainSessionFailsAtOnceAndReachesNoStub() {
    network.stub(.get, "https://example.com/user", responses: .text(""), fileID: "here", line: 1)
    network.isConnected = false
    #expect(!network.isConnected)
    let recorder = subscribe(on: network.makeSession())
    clock.run()
    #expect(
      recorder.lines == [
        "0 subscription DataTaskPublisher", "0 failure notConnectedToInternet",
      ])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user",
        "0 request 1: failed notConnectedToInternet",
      ])
    #expect(
      network.problems == ["the stub of GET https://example.com/user (here:1) never got a request"])
  }

  @Test func aFailedRequestIsNotSentWhenTheConnectionComes() {
    network.isConnected = false
    let recorder = subscribe(on: network.makeSession())
    connect(true, at: .zero)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["0 failure notConnectedToInternet"])
  }

  @Test func aWaitingRequestIsSentOnConnectionAndItsLatencyCountsFromThen() throws {
    stub("user")
    network.isConnected = false
    let recorder = subscribe(on: network.makeSession(waitsForConnectivity: true))
    connect(true, at: .seconds(3))
    clock.run()
    #expect(
      recorder.lines == [
        "0 subscription DataTaskPublisher", "3100ms value 200 user", "3100ms finished",
      ])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "0 request 1: waits for connectivity",
        "3s request 1: sent", "3100ms request 1: response 200 text/plain",
        "3100ms request 1: chunk of 4 bytes, 4 in all", "3100ms request 1: finished",
      ])
    try network.verify()
  }

  @Test func aCompletionHandlerAndADelegateWaitToo() {
    stub("a", "b")
    network.isConnected = false
    let lines = Locked<[String]>([])
    network.makeSession(waitsForConnectivity: true)
      .dataTask(with: .example("a")) { [clock] data, _, error in
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        lines.withLock { $0.append("\(clock.now) \(text) \(error == nil)") }
      }.resume()
    let delegate = StreamingDelegate(clock)
    _ = load("b", into: delegate)
    connect(true, at: .seconds(1))
    clock.run()
    #expect(lines.withLock { $0 } == ["1100ms a true"])
    #expect(delegate.lines == ["1100ms response 200", "1100ms data b", "1100ms end"])
  }

  @Test func waitingRequestsAreSentInTheOrderTheyWereMade() {
    let paths = ["c", "a", "e", "b", "d"]
    let served = Locked<[String]>([])
    network.serve("https://example.com") { [clock] request in
      let path = request.url?.lastPathComponent ?? ""
      served.withLock { $0.append("\(clock.now) \(path)") }
      return .text(path, after: .milliseconds(10))
    }
    network.isConnected = false
    let delegate = StreamingDelegate(clock)
    for path in paths { _ = load(path, into: delegate) }
    connect(true, at: .seconds(2))
    clock.run()
    #expect(served.withLock { $0 } == paths.map { "2s \($0)" })
    #expect(delegate.lines.filter { $0.contains("data") } == paths.map { "2010ms data \($0)" })
    #expect(network.events.prefix(10).map(\.request) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    #expect(events.filter { $0.contains("sent") } == (1...5).map { "2s request \($0): sent" })
  }

  @Test func eachSessionWaitsOrFailsOnItsOwn() {
    stub("b")
    network.isConnected = false
    let failing = subscribe("a", on: network.makeSession())
    let waiting = subscribe("b", on: network.makeSession(waitsForConnectivity: true))
    let failingToo = subscribe("c", on: network.makeSession())
    connect(true, at: .seconds(1))
    clock.run()
    #expect(failing.lines.dropFirst() == ["0 failure notConnectedToInternet"])
    #expect(waiting.lines.dropFirst() == ["1100ms value 200 b", "1100ms finished"])
    #expect(failingToo.lines.dropFirst() == ["0 failure notConnectedToInternet"])
  }

  @Test func eachNetworkHasItsOwnConnection() {
    let other = StubNetwork(clock: clock)
    other.stub(.get, "https://example.com/user", responses: .text("other"))
    network.isConnected = false
    #expect(other.isConnected)
    let recorder = subscribe(on: other.makeSession(waitsForConnectivity: true))
    let waiting = subscribe(on: network.makeSession(waitsForConnectivity: true))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["0 value 200 other", "0 finished"])
    #expect(waiting.lines.count == 1)
  }

  // MARK: Connecting and disconnecting

  @Test func aRequestIsMadeWhenTheNetworkSettles() {
    stub("user")
    network.isConnected = false
    let recorder = subscribe(on: network.makeSession())
    // The network hasn't settled yet, so the request isn't made yet.
    network.isConnected = true
    clock.run()
    #expect(recorder.lines.dropFirst() == ["100ms value 200 user", "100ms finished"])
  }

  @Test func settingTheSameStateAgainChangesNothing() {
    stub("user")
    network.isConnected = true
    let recorder = subscribe(on: network.makeSession())
    connect(true, at: .milliseconds(50))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["100ms value 200 user", "100ms finished"])
    network.isConnected = false
    let waiting = subscribe(on: network.makeSession(waitsForConnectivity: true))
    connect(false, at: .milliseconds(150))
    clock.run()
    #expect(waiting.lines == ["100ms subscription DataTaskPublisher"])
    #expect(
      events.suffix(2) == [
        "100ms request 2: GET https://example.com/user", "100ms request 2: waits for connectivity",
      ])
  }

  @Test(arguments: [false, true])
  func aLostConnectionFailsSentRequestsOfEverySession(waits: Bool) throws {
    stub("user")
    let recorder = subscribe(on: network.makeSession(waitsForConnectivity: waits))
    connect(false, at: .milliseconds(99))
    connect(true, at: .milliseconds(200))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["99ms failure networkConnectionLost"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user",
        "99ms request 1: failed networkConnectionLost",
      ])
    #expect(clock.pendingWork == [])
    try network.verify()
  }

  @Test func chunksBeforeALostConnectionAreDelivered() {
    network.stub(
      .get, "https://example.com/user",
      responses: .chunked(
        chunks: [.init("half", after: .milliseconds(10)), .init("whole", after: .seconds(1))]))
    let delegate = StreamingDelegate(clock)
    let task = load(into: delegate)
    connect(false, at: .milliseconds(500))
    clock.run()
    #expect(
      delegate.lines == ["0 response 200", "10ms data half", "500ms error networkConnectionLost"])
    #expect(task.state == .completed)
  }

  @Test func aRequestThatWaitedCanLoseItsConnection() {
    stub("user")
    network.isConnected = false
    let recorder = subscribe(on: network.makeSession(waitsForConnectivity: true))
    connect(true, at: .seconds(1))
    connect(false, at: .milliseconds(1_050))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["1050ms failure networkConnectionLost"])
    #expect(
      events.dropFirst() == [
        "0 request 1: waits for connectivity", "1s request 1: sent",
        "1050ms request 1: failed networkConnectionLost",
      ])
  }

  @Test func aRetryAfterALostConnectionWaits() throws {
    stub("user", "user")
    network.stub(.get, "https://example.com/again", responses: .text("again"))
    let session = network.makeSession(waitsForConnectivity: true)
    let again = Recorder(clock)
    let recorder = Recorder(clock) { _, line in
      if line.contains("failure") {
        session.dataTaskPublisher(for: .example("again")).subscribe(again)
      }
    }
    session.dataTaskPublisher(for: .example("user")).subscribe(recorder)
    connect(false, at: .milliseconds(50))
    connect(true, at: .seconds(1))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["50ms failure networkConnectionLost"])
    #expect(
      again.lines == [
        "50ms subscription DataTaskPublisher", "1s value 200 again", "1s finished",
      ])
  }

  @Test func aCallbackMayDisconnectTheNetwork() {
    stub("a")
    network.stub(.get, "https://example.com/b", responses: .text("b", after: .seconds(1)))
    let session = network.makeSession(waitsForConnectivity: true)
    let first = Recorder(clock) { [network] _, line in
      if line.contains("value") { network.isConnected = false }
    }
    session.dataTaskPublisher(for: .example("a")).subscribe(first)
    let second = subscribe("b", on: session)
    clock.run()
    // Its last byte had arrived before the connection was lost.
    #expect(first.lines.dropFirst() == ["100ms value 200 a", "100ms finished"])
    #expect(second.lines.dropFirst() == ["100ms failure networkConnectionLost"])
  }

  @Test func aCallbackMayConnectTheNetwork() {
    stub("b")
    network.isConnected = false
    let waiting = subscribe("b", on: network.makeSession(waitsForConnectivity: true))
    let failing = Recorder(clock) { [network] _, line in
      if line.contains("failure") { network.isConnected = true }
    }
    network.makeSession().dataTaskPublisher(for: .example("a")).subscribe(failing)
    clock.run()
    #expect(failing.lines.dropFirst() == ["0 failure notConnectedToInternet"])
    #expect(waiting.lines.dropFirst() == ["100ms value 200 b", "100ms finished"])
  }

  @Test func aRequestIsSentBeforeItsStubIsLookedUp() {
    network.isConnected = false
    let recorder = subscribe(on: network.makeSession(waitsForConnectivity: true))
    connect(true, at: .seconds(1))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["1s failure resourceUnavailable"])
    #expect(
      events == [
        "0 request 1: GET https://example.com/user", "0 request 1: waits for connectivity",
        "1s request 1: sent",
        "1s request 1: unmatched: GET https://example.com/user matches no stub: "
          + "the network has none",
        "1s request 1: failed resourceUnavailable",
      ])
  }

  // MARK: Cancelling and suspending

  @Test func aWaitingRequestCanBeCancelled() throws {
    network.isConnected = false
    let recorder = subscribe(on: network.makeSession(waitsForConnectivity: true))
    clock.schedule(after: .seconds(1)) { recorder.cancel() }
    connect(true, at: .seconds(2))
    clock.run()
    #expect(recorder.lines == ["0 subscription DataTaskPublisher"])
    #expect(
      events.dropFirst() == [
        "0 request 1: waits for connectivity", "1s request 1: cancelled after 0 bytes",
      ])
    try network.verify()
  }

  @Test func cancellingAtTheInstantOfConnectionPreventsTheRequest() throws {
    network.isConnected = false
    let delegate = StreamingDelegate(clock)
    let task = load(into: delegate)
    clock.schedule(after: .seconds(1)) { [network] in
      task.cancel()
      network.isConnected = true
    }
    clock.run()
    #expect(delegate.lines == ["1s error cancelled"])
    #expect(events.last == "1s request 1: cancelled after 0 bytes")
    // The request isn't unmatched, because it reached no stub.
    try network.verify()
  }

  @Test func aSuspendedTaskIsSentWhenItIsResumed() throws {
    stub("user")
    network.isConnected = false
    let delegate = StreamingDelegate(clock)
    let task = load(into: delegate)
    clock.schedule(after: .seconds(1)) { task.suspend() }
    connect(true, at: .seconds(2))
    clock.schedule(after: .seconds(3)) { task.resume() }
    clock.run()
    #expect(delegate.lines == ["3100ms response 200", "3100ms data user", "3100ms end"])
    #expect(
      events.prefix(4) == [
        "0 request 1: GET https://example.com/user", "0 request 1: waits for connectivity",
        "3s request 1: sent", "3100ms request 1: response 200 text/plain",
      ])
    try network.verify()
  }

  @Test func aTaskResumedWithoutAConnectionWaitsOn() throws {
    stub("user")
    network.isConnected = false
    let delegate = StreamingDelegate(clock)
    let task = load(into: delegate)
    clock.schedule(after: .seconds(1)) { task.suspend() }
    clock.schedule(after: .seconds(2)) { task.resume() }
    connect(true, at: .seconds(3))
    clock.run()
    #expect(delegate.lines == ["3100ms response 200", "3100ms data user", "3100ms end"])
    #expect(events.filter { $0.contains("waits") } == ["0 request 1: waits for connectivity"])
    try network.verify()
  }

  @Test func aSuspendedTaskLosesItsConnectionWhenItIsResumed() {
    stub("user")
    let delegate = StreamingDelegate(clock)
    let task = load(into: delegate)
    clock.schedule(after: .milliseconds(50)) { task.suspend() }
    connect(false, at: .milliseconds(60))
    clock.schedule(after: .seconds(1)) { task.resume() }
    clock.run()
    #expect(delegate.lines == ["1s error networkConnectionLost"])
  }

  // MARK: Waiting until the end

  @Test func aRequestThatStillWaitsIsAProblem() {
    network.isConnected = false
    let recorder = subscribe(on: network.makeSession(waitsForConnectivity: true))
    clock.run()
    #expect(recorder.lines == ["0 subscription DataTaskPublisher"])
    #expect(clock.pendingWork == [])
    #expect(
      network.problems == [
        "request 1: GET https://example.com/user still waits for connectivity: "
          + "set isConnected to true, or cancel the request"
      ])
    recorder.cancel()
    clock.settle()
    #expect(network.problems == [])
  }

  @Test func aSuspendedTaskOnAConnectedNetworkDoesNotWait() {
    network.isConnected = false
    let delegate = StreamingDelegate(clock)
    let task = load(into: delegate)
    clock.settle()
    task.suspend()
    network.isConnected = true
    clock.run()
    #expect(network.problems == [])
    task.cancel()
    clock.settle()
  }

  @Test func invalidatingCancelsWaitingRequests() {
    network.isConnected = false
    let recorder = subscribe(on: network.makeSession(waitsForConnectivity: true))
    clock.settle()
    network.invalidate()
    #expect(recorder.lines.dropFirst() == ["0 failure cancelled"])
    #expect(events.last == "0 request 1: cancelled after 0 bytes")
    #expect(network.problems == [])
  }

  @Test func releasingTheNetworkReleasesItsWaitingSessions() {
    weak var session: URLSession?
    let recorder: Recorder
    do {
      let network = StubNetwork(clock: clock)
      network.isConnected = false
      let waiting = network.makeSession(waitsForConnectivity: true)
      session = waiting
      recorder = subscribe(on: waiting)
      clock.settle()
    }
    #expect(recorder.lines.dropFirst() == ["0 failure cancelled"])
    recorder.releaseSubscription()
    #expect(session == nil)
  }

  @Test func manyWaitingRequestsOfManySessionsAreTheSameEachTime() {
    func run() -> [String] {
      let clock = VirtualTimeScheduler()
      let network = StubNetwork(clock: clock)
      network.serve("https://example.com") { .text($0.url?.lastPathComponent ?? "") }
      network.isConnected = false
      let lines = Locked<[String]>([])
      let sessions = [false, true, true].map { network.makeSession(waitsForConnectivity: $0) }
      for index in 0..<50 {
        sessions[index % 3]
          .dataTaskPublisher(for: .example("\(index)"))
          .subscribe(
            Recorder(clock) { _, line in lines.withLock { $0.append("\(index) \(line)") } })
      }
      clock.schedule(after: .seconds(1)) { network.isConnected = true }
      clock.run()
      return lines.withLock { $0 } + network.events.map(\.description)
    }
    let first = run()
    // A subscription each; then a failure, or a value and an end; then the network's events.
    #expect(first.count == 50 + 17 + 2 * 33 + 17 * 2 + 33 * 6)
    for _ in 1...20 { #expect(run() == first) }
  }
}
