import StreamsFoundation
import Testing
import Timeline
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
      let run = NetworkRun()
      run.stub(.text("Ada", after: .milliseconds(100)))
      let text = PassthroughSubject<String, Never>()
      let session = run.session()
      let token = text.debounce(for: .milliseconds(300), scheduler: run.clock)
        .flatMap {
          session.dataTaskPublisher(for: .example($0)).map(\.data).replaceError(with: Data())
        }
        .sink { _ in }
      text.send("user")
      move(run.clock)
      #expect(
        run.history == [
          "300ms request 1: GET /user", "400ms request 1: 200 OK", "400ms request 1: 3 bytes",
          "400ms request 1: finished",
        ], "\(name)")
      token.cancel()
    }
  }

  // MARK: Failing to settle

  @Test func aBlockedQueueIsReportedOnce() {
    let failures = Locked<[String]>([])
    let network = StubNetwork(
      clock: clock, timeline: Timeline(clock: clock), watch: nil, timeout: .milliseconds(20)
    ) { text in failures.withLock { $0.append(text) } }
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
