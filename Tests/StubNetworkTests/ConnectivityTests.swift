import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct ConnectivityTests {
  private let run = NetworkRun()

  /// Responds to `GET /user` after 100 ms.
  private func stub() { run.stub(.text("Ada", after: .milliseconds(100))) }

  /// What happens when a response has arrived, or a body that's streamed to a delegate.
  private func arrival(_ time: String, _ number: Int = 1, streams: Bool = false) -> [String] {
    streams
      ? [
        "\(time) request \(number): 200 OK", "\(time) user: response 200",
        "\(time) request \(number): 3 bytes", "\(time) user: data Ada",
        "\(time) request \(number): finished", "\(time) user: end",
      ]
      : ["200 OK", "3 bytes", "finished"].map { "\(time) request \(number): \($0)" }
        + ["\(time) user: value 200 Ada", "\(time) user: finished"]
  }

  private let made = ["0 request 1: GET /user"]
  private let waiting = ["0 request 1: GET /user", "0 request 1: waits for connectivity"]

  // MARK: No connection

  @Test func aNetworkIsConnectedAtFirst() throws {
    stub()
    run.subscribe(on: run.session(waits: true))
    #expect(run.network.isConnected)
    #expect(run.finish() == made + arrival("100ms"))
    try run.network.verify()
  }

  @Test func withoutAConnectionAPlainSessionFailsAtOnceAndReachesNoStub() {
    run.network.stub(.get, .example("user"), responses: .text(""), fileID: "here", line: 1)
    run.network.isConnected = false
    #expect(!run.network.isConnected)
    run.subscribe()
    // It isn't sent later either.
    run.setConnected(true, at: 0)
    #expect(
      run.finish() == made + [
        "0 request 1: failed: notConnectedToInternet", "0 user: failure notConnectedToInternet",
      ])
    #expect(
      run.network.problems == [
        "the stub of GET https://example.com/user (here:1) never got a request"
      ])
  }

  @Test func aWaitingRequestIsSentOnConnectionAndItsLatencyCountsFromThen() throws {
    stub()
    run.network.isConnected = false
    run.subscribe(on: run.session(waits: true))
    run.setConnected(true, at: 3_000)
    #expect(run.finish() == waiting + ["3s request 1: sent"] + arrival("3100ms"))
    try run.network.verify()
  }

  @Test func aCompletionHandlerAndADelegateWaitToo() {
    run.stub(.text("Ada", after: .milliseconds(100)), .text("Ada", after: .milliseconds(200)))
    run.network.isConnected = false
    run.session(waits: true).dataTask(with: .example("user")) { [run] data, _, _ in
      run.write("handler \(String(decoding: data ?? Data(), as: UTF8.self))")
    }.resume()
    run.load()
    run.setConnected(true, at: 1_000)
    #expect(
      Array(run.finish().suffix(10)) == [
        "1100ms request 1: 200 OK", "1100ms request 1: 3 bytes", "1100ms request 1: finished",
        "1100ms handler Ada",
      ] + arrival("1200ms", 2, streams: true))
  }

  @Test func waitingRequestsAreSentInTheOrderTheyWereMade() {
    let paths = ["c", "a", "e", "b", "d"]
    run.network.serve("https://example.com") { [run] request in
      run.write("served \(request.url?.lastPathComponent ?? "")")
      return .status(204, after: .milliseconds(10))
    }
    run.network.isConnected = false
    for path in paths { run.load(path) }
    run.setConnected(true, at: 2_000)
    let all = run.finish()
    let numbers = 1...5
    #expect(
      all.prefix(10)
        == numbers.flatMap { number in
          [
            "0 request \(number): GET /\(paths[number - 1])",
            "0 request \(number): waits for connectivity",
          ]
        }[...])
    #expect(
      all.filter { $0.hasPrefix("2s ") }
        == numbers.flatMap { ["2s request \($0): sent", "2s served \(paths[$0 - 1])"] })
    #expect(all.filter { $0.contains(": end") } == paths.map { "2010ms \($0): end" })
  }

  @Test func eachSessionAndEachNetworkIsOnItsOwn() {
    stub()
    run.network.isConnected = false
    run.subscribe("a")
    run.subscribe(on: run.session(waits: true))
    let other = StubNetwork(clock: run.clock)
    other.stub(.get, .example("other"), responses: .text("other"))
    #expect(other.isConnected)
    run.subscribe("other", on: other.makeSession(waitsForConnectivity: true))
    run.setConnected(true, at: 1_000)
    let all = run.finish()
    #expect(all.filter { $0.contains(" a: ") } == ["0 a: failure notConnectedToInternet"])
    #expect(
      all.filter { $0.contains("other: ") } == ["0 other: value 200 other", "0 other: finished"])
    #expect(all.suffix(5) == arrival("1100ms", 2)[...])
  }

  // MARK: Connecting and disconnecting

  @Test func aRequestIsMadeWhenTheNetworkSettles() {
    stub()
    run.network.isConnected = false
    run.subscribe()
    // The network hasn't settled yet, so the request isn't made yet.
    run.network.isConnected = true
    #expect(run.finish() == made + arrival("100ms"))
  }

  @Test func settingTheSameStateAgainChangesNothing() {
    stub()
    run.network.isConnected = true
    run.subscribe()
    run.setConnected(true, at: 50)
    #expect(run.finish() == made + arrival("100ms"))
    run.network.isConnected = false
    run.subscribe(on: run.session(waits: true))
    run.setConnected(false, at: 150)
    #expect(
      run.finish() == [
        "100ms request 2: GET /user", "100ms request 2: waits for connectivity",
      ])
  }

  @Test(arguments: [false, true])
  func aLostConnectionFailsSentRequestsOfEverySession(waits: Bool) throws {
    stub()
    run.subscribe(on: run.session(waits: waits))
    run.setConnected(false, at: 99)
    run.setConnected(true, at: 200)
    #expect(
      run.finish() == made + [
        "99ms request 1: failed: networkConnectionLost", "99ms user: failure networkConnectionLost",
      ])
    #expect(run.clock.pendingWork == [])
    try run.network.verify()
  }

  @Test func chunksBeforeALostConnectionAreDelivered() {
    run.stub(
      .chunked(
        chunks: [.init("half", after: .milliseconds(10)), .init("whole", after: .seconds(1))]))
    let task = run.load()
    run.setConnected(false, at: 500)
    #expect(
      run.finish() == made + [
        "0 request 1: 200 OK", "0 user: response 200", "10ms request 1: 4 bytes",
        "10ms user: data half", "500ms request 1: failed: networkConnectionLost",
        "500ms user: error networkConnectionLost",
      ])
    #expect(task.state == .completed)
  }

  @Test func aRequestThatWaitedCanLoseItsConnectionAndARetryWaitsAgain() throws {
    run.stub(.text("Ada", after: .milliseconds(100)), .text("Ada", after: .milliseconds(100)))
    run.network.isConnected = false
    let session = run.session(waits: true)
    run.subscribe(on: session) { [run] in
      if $0.contains("failure") { run.subscribe(on: session) }
    }
    run.setConnected(true, at: 1_000)
    run.setConnected(false, at: 1_050)
    run.setConnected(true, at: 2_000)
    #expect(
      run.finish() == waiting + [
        "1s request 1: sent", "1050ms request 1: failed: networkConnectionLost",
        "1050ms user: failure networkConnectionLost", "1050ms request 2: GET /user",
        "1050ms request 2: waits for connectivity", "2s request 2: sent",
      ] + arrival("2100ms", 2))
    try run.network.verify()
  }

  @Test func aCallbackMayConnectAndDisconnectTheNetwork() {
    stub()
    run.network.isConnected = false
    run.subscribe(on: run.session(waits: true)) { [run] in
      if $0.contains("value") { run.network.isConnected = false }
    }
    run.subscribe("b") { [run] in
      if $0.contains("failure") { run.network.isConnected = true }
    }
    run.network.stub(.get, .example("c"), responses: .text("", after: .seconds(1)))
    run.at(50) { [run] in run.subscribe("c") }
    #expect(
      run.finish().filter { !$0.contains("GET") } == [
        "0 request 1: waits for connectivity", "0 request 2: failed: notConnectedToInternet",
        "0 b: failure notConnectedToInternet", "0 request 1: sent",
      ] + arrival("100ms") + [
        // The last byte of the first one had arrived before the connection was lost.
        "100ms request 3: failed: networkConnectionLost",
        "100ms c: failure networkConnectionLost",
      ])
  }

  @Test func aRequestIsSentBeforeItsStubIsLookedUp() {
    run.network.isConnected = false
    run.subscribe(on: run.session(waits: true))
    run.setConnected(true, at: 1_000)
    #expect(
      run.finish() == waiting + [
        "1s request 1: sent",
        "1s request 1: failed: no response: GET /user matches no stub: the network has none",
        "1s request 1: failed: resourceUnavailable", "1s user: failure resourceUnavailable",
      ])
  }

  // MARK: Cancelling and suspending

  @Test(arguments: [false, true])
  func aWaitingRequestCanBeCancelled(isConnectedAtOnce: Bool) throws {
    run.network.isConnected = false
    let task = run.load()
    run.at(1_000) { [run] in
      task.cancel()
      // It isn't without a stub, because it reaches none.
      if isConnectedAtOnce { run.network.isConnected = true }
    }
    #expect(
      run.finish() == waiting + [
        "1s request 1: cancelled after 0 bytes", "1s user: error cancelled",
      ])
    #expect(run.clock.pendingWork == [])
    try run.network.verify()
  }

  @Test(arguments: [2_000, 4_000])
  func aTaskThatIsSuspendedIsSentOnceItIsResumedAndConnected(connection: Int) throws {
    stub()
    run.network.isConnected = false
    let task = run.load()
    run.at(1_000) { task.suspend() }
    run.at(3_000) { task.resume() }
    run.setConnected(true, at: connection)
    let (sent, end) = connection == 2_000 ? ("3s", "3100ms") : ("4s", "4100ms")
    #expect(
      run.finish() == waiting + ["\(sent) request 1: sent"] + arrival(end, streams: true))
    try run.network.verify()
  }

  @Test func aSuspendedTaskLosesItsConnectionWhenItIsResumed() {
    stub()
    let task = run.load()
    run.at(50) { task.suspend() }
    run.setConnected(false, at: 60)
    run.at(1_000) { task.resume() }
    #expect(
      run.finish() == made + [
        "1s request 1: failed: networkConnectionLost", "1s user: error networkConnectionLost",
      ])
  }

  // MARK: Waiting until the end

  @Test func aRequestThatStillWaitsIsAProblem() {
    run.network.isConnected = false
    let task = run.load()
    #expect(run.finish() == waiting)
    #expect(run.clock.pendingWork == [])
    #expect(
      run.network.problems == [
        "request 1: GET https://example.com/user still waits for connectivity: "
          + "set isConnected to true, or cancel the request"
      ])
    // On a connected network, a suspended task doesn't wait for that.
    task.suspend()
    run.network.isConnected = true
    #expect(run.finish() == [])
    #expect(run.network.problems == [])
    task.cancel()
    run.clock.settle()
    #expect(run.network.problems == [])
  }

  @Test func releasingTheNetworkCancelsWaitingRequestsAndReleasesTheirSessions() {
    let clock = VirtualTimeScheduler()
    let recorder = Recorder(clock)
    weak var session: URLSession?
    do {
      let network = StubNetwork(clock: clock)
      network.isConnected = false
      let waiting = network.makeSession(waitsForConnectivity: true)
      session = waiting
      waiting.dataTaskPublisher(for: .example("user")).subscribe(recorder)
      clock.settle()
    }
    #expect(recorder.lines.dropFirst() == ["0 failure cancelled"])
    recorder.releaseSubscription()
    #expect(session == nil)
  }

  @Test func manyWaitingRequestsOfManySessionsAreTheSameEachTime() {
    func history() -> [String] {
      let run = NetworkRun()
      run.network.serve("https://example.com") { .text($0.url?.lastPathComponent ?? "") }
      run.network.isConnected = false
      let sessions = [false, true, true].map { run.session(waits: $0) }
      for index in 0..<50 { run.subscribe("\(index)", on: sessions[index % 3]) }
      run.setConnected(true, at: 1_000)
      return run.finish()
    }
    let first = history()
    // A failure, or a value and an end; and the network's events.
    #expect(first.count == 17 + 2 * 33 + 17 * 2 + 33 * 6)
    for _ in 1...20 { #expect(history() == first) }
  }
}
