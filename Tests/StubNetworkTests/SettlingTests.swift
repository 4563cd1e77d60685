import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

@Suite struct SettlingTests {
  private let clock = VirtualTimeScheduler()

  /// Subscribes to a path, with a new session.
  private func subscribe(
    _ network: StubNetwork, onLine: @escaping @Sendable (Recorder, String) -> Void = { _, _ in }
  ) -> Recorder {
    let recorder = Recorder(clock, onLine: onLine)
    network.makeSession().dataTaskPublisher(for: .example("user")).subscribe(recorder)
    return recorder
  }

  // MARK: Order

  @Test func callbacksOfOneInstantComeInTheOrderOfResumption() {
    let network = StubNetwork(clock: clock)
    network.stub(
      .get, "https://example.com/user", responses: .text("", after: .seconds(5)).repeating)
    let sessions = (0..<8).map { _ in network.makeSession() }
    for _ in 1...100 {
      let order = Locked<[Int]>([])
      let tasks = sessions.enumerated().map { index, session in
        session.dataTask(with: .example("user")) { _, _, _ in
          order.withLock { $0.append(index) }
        }
      }
      for task in tasks { task.resume() }
      // Without settling in between, so that starts and stops meet on the work queues.
      for task in tasks.reversed() { task.cancel() }
      clock.settle()
      #expect(order.withLock { $0 } == Array(0..<8))
    }
    #expect(network.events.map(\.request).max() == 800)
  }

  @Test func everyRunIsTheSame() {
    let expected = history(seed: 1)
    #expect(expected.count > 100)
    for _ in 1...200 { #expect(history(seed: 1) == expected) }
    #expect(history(seed: 2) != expected)
  }

  /// The history of twelve subscribers on an unreliable network. They retry, and some cancel.
  private func history(seed: UInt64) -> [String] {
    var random = SplitMix(state: seed)
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    let lines = Locked<[String]>([])
    network.onEvent { event in lines.withLock { $0.append("\(event)") } }
    let session = network.makeSession()
    var recorders: [Recorder] = []
    for index in 0..<12 {
      let responses =
        (0..<4).map { _ in random.response() } + [StubResponse.text("enough").repeating]
      network.stub(
        RequestPattern(.get, .example("\(index)")), responses: responses)
      let publisher = session.dataTaskPublisher(for: .example("\(index)"))
      let recorder = Recorder(clock) { recorder, line in
        lines.withLock { $0.append("\(index): \(line)") }
        if line.contains("failure") { publisher.subscribe(recorder) }
      }
      publisher.subscribe(recorder)
      recorders.append(recorder)
      if random.next() % 3 == 0 {
        clock.schedule(after: .milliseconds(Int(random.next() % 60))) { recorder.cancel() }
      }
    }
    clock.run()
    return lines.withLock { $0 }
  }

  // MARK: Several networks

  @Test func networksDoNotInterfere() async {
    await withTaskGroup(of: [String].self) { group in
      for number in 1...16 {
        group.addTask {
          let clock = VirtualTimeScheduler()
          let network = StubNetwork(clock: clock)
          let lines = Locked<[String]>([])
          network.stub(
            .get, "https://example.com/user",
            responses: .text("\(number)", after: .milliseconds(number)).repeating)
          for _ in 1...20 {
            network.makeSession().dataTaskPublisher(for: .example("user")).subscribe(
              Recorder(clock) { _, line in lines.withLock { $0.append(line) } })
            clock.run()
          }
          return lines.withLock { $0 }.filter { $0.contains("value") }.map {
            String($0.split(separator: " ")[3]) == "\(number)" ? "\(number)" : "wrong \($0)"
          }
        }
      }
      var counts: [String: Int] = [:]
      for await lines in group { for line in lines { counts[line, default: 0] += 1 } }
      #expect(counts == Dictionary(uniqueKeysWithValues: (1...16).map { ("\($0)", 20) }))
    }
  }

  // MARK: Fences

  @Test func settlingWaitsForAFencedQueue() {
    for _ in 1...100 {
      let clock = VirtualTimeScheduler()
      let network = StubNetwork(clock: clock)
      let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
      network.fence(second)
      network.fence(first)
      network.stub(
        .get, "https://example.com/user", responses: .text("", after: .milliseconds(5)).repeating)
      let session = network.makeSession()
      let recorder = Recorder(clock)
      session.dataTask(with: .example("user")) { _, _, _ in
        first.async {
          second.async { session.dataTaskPublisher(for: .example("user")).subscribe(recorder) }
        }
      }.resume()
      clock.run()
      #expect(
        recorder.lines == [
          "5ms subscription DataTaskPublisher", "10ms value 200 ", "10ms finished",
        ])
    }
  }

  @Test func settlingWaitsForAFencedOperationQueue() {
    let network = StubNetwork(clock: clock)
    let queue = OperationQueue()
    network.fence(queue)
    let count = Locked(0)
    for _ in 1...100 {
      for _ in 1...10 { queue.addOperation { count.withLock { $0 += 1 } } }
      clock.settle()
      #expect(count.withLock { $0 }.isMultiple(of: 10))
    }
    #expect(count.withLock { $0 } == 1_000)
  }

  @Test func eachVerbSettlesBeforeTimeMoves() {
    let verbs: [(String, (VirtualTimeScheduler) -> Void)] = [
      ("run", { $0.run() }), ("run(until:)", { $0.run(until: .milliseconds(500)) }),
      ("run(while:)", { $0.run { true } }), ("step", { while $0.step() != nil {} }),
      ("advance(by:)", { $0.advance(by: .milliseconds(500)) }),
      ("advance(to:)", { $0.advance(to: .milliseconds(500)) }),
      ("1 ms at a time", { for _ in 1...500 { $0.advance(by: .milliseconds(1)) } }),
    ]
    for (name, move) in verbs {
      let clock = VirtualTimeScheduler()
      let network = StubNetwork(clock: clock)
      network.stub(
        .get, "https://example.com/user", responses: .text("Ada", after: .milliseconds(100)))
      let text = PassthroughSubject<String, Never>()
      let session = network.makeSession()
      let token = text.debounce(for: .milliseconds(300), scheduler: clock)
        .flatMap {
          session.dataTaskPublisher(for: .example($0)).map(\.data).replaceError(with: Data())
        }
        .sink { _ in }
      text.send("user")
      move(clock)
      #expect(
        network.events.map(\.description) == [
          "300ms request 1: GET https://example.com/user",
          "400ms request 1: response 200 text/plain",
          "400ms request 1: chunk of 3 bytes, 3 in all", "400ms request 1: finished",
        ], "\(name)")
      token.cancel()
    }
  }

  // MARK: Failing to settle

  @Test func aBlockedQueueIsReportedOnce() {
    let failures = Locked<[String]>([])
    let network = StubNetwork(clock: clock, settler: Settler(timeout: .milliseconds(20))) { text in
      failures.withLock { $0.append(text) }
    }
    let (queue, gate) = (DispatchQueue(label: "blocked"), DispatchSemaphore(value: 0))
    queue.async { gate.wait() }
    network.fence(queue)
    clock.settle()
    clock.settle()
    #expect(
      failures.withLock { $0 } == [
        "the queue \"blocked\" has been blocked for too long, so the clock no longer waits for it; "
          + "no request is open"
      ])
    gate.signal()
  }

  @Test func settlingInACallbackIsReported() {
    let failures = Locked<[String]>([])
    let clock = VirtualTimeScheduler { failure in failures.withLock { $0.append("\(failure)") } }
    let network = StubNetwork(clock: clock)
    network.stub(.get, "https://example.com/user", responses: .text(""))
    let recorder = Recorder(clock) { _, line in
      if line.contains("value") { clock.settle() }
    }
    network.makeSession().dataTaskPublisher(for: .example("user")).subscribe(recorder)
    clock.run()
    #expect(recorder.lines.last == "0 finished")
    #expect(
      failures.withLock { $0 } == [
        "settle() moves time, so it can't be called inside a callback that runs while the clock "
          + "settles"
      ])
  }

  // MARK: Invalidation

  @Test func invalidatingCancelsOpenRequests() {
    let network = StubNetwork(clock: clock)
    network.stub(.get, "https://example.com/user", responses: .text("", after: .seconds(1)))
    let recorder = subscribe(network)
    let delegate = StreamingDelegate(clock)
    let session = network.makeSession(delegate: delegate)
    clock.settle()
    network.invalidate()
    #expect(session.delegate == nil)
    #expect(recorder.lines.dropFirst() == ["0 failure cancelled"])
    #expect(network.events.last?.description == "0 request 1: cancelled after 0 bytes")
    #expect(delegate.lines == ["0 invalid"])
    #expect(clock.pendingWork == [])
  }

  @Test func releasingTheNetworkCancelsOpenRequestsAndReleasesItsSessions() {
    weak var session: URLSession?
    let recorder: Recorder
    do {
      let network = StubNetwork(clock: clock)
      network.stub(.get, "https://example.com/user", responses: .text("", after: .seconds(1)))
      recorder = subscribe(network)
      session = network.makeSession()
      session?.dataTask(with: .example("user")) { _, _, _ in }.resume()
    }
    #expect(recorder.lines.dropFirst() == ["0 failure cancelled"])
    recorder.releaseSubscription()
    #expect(session == nil)
    #expect(clock.pendingWork == [])
  }

  @Test func anInvalidatedNetworkMakesNoSession() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let network = StubNetwork(clock: VirtualTimeScheduler())
      network.invalidate()
      _ = network.makeSession()
    }
    #expect(
      try fatalMessage(result)
        == "makeSession() was called after invalidate(): make a new StubNetwork instead")
  }

  @Test func retryingAfterInvalidationFailsAgain() {
    let network = StubNetwork(clock: clock)
    network.stub(.get, "https://example.com/user", responses: .text("", after: .seconds(1)))
    let publisher = network.makeSession().dataTaskPublisher(for: .example("user"))
    let recorder = Recorder(clock) { recorder, line in
      if line.contains("failure"), recorder.lines.count < 6 { publisher.subscribe(recorder) }
    }
    publisher.subscribe(recorder)
    clock.settle()
    network.invalidate()
    #expect(
      recorder.lines
        == Array(
          repeating: ["0 subscription DataTaskPublisher", "0 failure cancelled"], count: 3
        ).flatMap(\.self))
    #expect(network.events.count == 2)
  }

  @Test func aCallbackMayInvalidateTheNetwork() {
    let network = StubNetwork(clock: clock)
    network.stub(
      .get, "https://example.com/user", responses: .text(""), .text("", after: .seconds(1)))
    let first = subscribe(network) { [weak network] _, line in
      if line.contains("value") { network?.invalidate() }
    }
    let second = subscribe(network)
    clock.run()
    #expect(first.lines.dropFirst() == ["0 value 200 ", "0 finished"])
    #expect(second.lines.dropFirst() == ["0 failure cancelled"])
  }
}

/// A random number generator that gives the same numbers for the same seed on every machine.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func delay() -> VirtualTime.Interval { .milliseconds(Int(next() % 8)) }

  mutating func response() -> StubResponse {
    let chunks = (0..<next() % 4).map { StubResponse.Chunk("part \($0) ", after: delay()) }
    return switch next() % 4 {
    case 0: .failure(.timedOut, after: delay())
    case 1: .chunked(chunks: chunks, latency: delay(), end: .finish(after: delay()))
    default:
      .chunked(
        chunks: chunks, latency: delay(), end: .fail(.networkConnectionLost, after: delay()))
    }
  }
}
