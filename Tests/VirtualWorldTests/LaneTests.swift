import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A lane shows what passes a point of a pipeline, and why.
@Suite(.world) struct LaneTests {
  private let world: World

  init() throws { world = try World.current }

  /// The events, each with its number, lane, subscription, kind and cause.
  private var lines: [String] {
    world.timeline.recording.events.map { event in
      let lane = event.lane.name + (event.subscription.map { "#\($0)" } ?? "")
      let cause = event.cause.map { " <- \($0)" } ?? ""
      return "\(event.number) \(event.time) \(lane): \(event.kind)\(cause)"
    }
  }

  private let url = "https://example.com/user"

  @Test func showsWhatPassesARetryAndWhy() throws {
    world.network.stub(
      .get, url,
      responses: .failure(.networkConnectionLost, after: .milliseconds(60)),
      .text("Ada", after: .milliseconds(100)))
    world.session.dataTaskPublisher(for: try #require(URL(string: url)))
      .lane("data task")
      .retry(1)
      .lane("retry")
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      .store(in: &world.cancellables)
    world.run()
    #expect(
      lines == [
        "1 0 data task#1: subscribed", "2 0 retry#1: subscribed <- 1",
        "3 0 retry#1: request unlimited <- 2", "4 0 data task#1: request unlimited <- 3",
        "5 0 request 1: GET https://example.com/user <- 4",
        "6 60ms request 1: failed: networkConnectionLost <- 5",
        "7 60ms data task#1: failed: networkConnectionLost <- 6",
        "8 60ms data task#2: subscribed <- 7", "9 60ms data task#2: request unlimited <- 8",
        "10 60ms request 2: GET https://example.com/user <- 9",
        "11 160ms request 2: 200 OK <- 10", "12 160ms request 2: 3 bytes <- 11",
        "13 160ms request 2: finished <- 12", "14 160ms data task#2: value 3 bytes <- 13",
        "15 160ms retry#1: value 3 bytes <- 14", "16 160ms data task#2: finished <- 13",
        "17 160ms retry#1: finished <- 16",
      ])
  }

  @Test func theRequestsOfARetryStandInTheirOrder() throws {
    world.network.stub(
      .get, url, responses: .failure(.timedOut), .failure(.timedOut), .text("Ada"))
    let stream = world.session.dataTaskPublisher(for: try #require(URL(string: url))).retry(2)
    _ = world.record(stream, as: "text")
    world.run()
    #expect(
      world.timeline.recording.marbles() == """
                   0ms
        request 1  (^#)
        request 2  (^#)
        request 3  (^200, 3 B|)
        text       (^3 bytes|)

          #    failed: timedOut
          200  OK

        Not to scale: one column is one instant, and a line runs from ^ to the end.
          ^   subscribed, or request made
          |   finished
          ()  at one instant, in this order

        """)
  }

  @Test func namesItsLineOfCode() {
    let line = #line + 1
    Just(1).lane("just").sink { _ in }.store(in: &world.cancellables)
    let lines = Set(world.timeline.recording.events.map(\.line))
    #expect(lines == [Timeline.SourceLine(fileID: #fileID, line: line)])
    #expect(lines.first??.description == "LaneTests.swift:\(line)")
  }

  /// A source that's asked while it attaches its subscriber delivers when the request has returned.
  @Test func aValueFollowsFromTheRequestEvenAtTheEndOfTheAttaching() {
    Just("a").lane("upper").map { $0 + "b" }.lane("lower").sink { _ in }
      .store(in: &world.cancellables)
    #expect(
      lines == [
        "1 0 upper#1: subscribed", "2 0 lower#1: subscribed <- 1",
        "3 0 lower#1: request unlimited <- 2", "4 0 upper#1: request unlimited <- 3",
        "5 0 upper#1: value a <- 4", "6 0 lower#1: value ab <- 5",
        "7 0 upper#1: finished <- 4", "8 0 lower#1: finished <- 7",
      ])
  }

  enum Queue: String, CaseIterable {
    case main, own, runLoop, operations, clock

    func receive(_ upstream: some Publisher<Int, Never>, in world: World) -> AnyPublisher<
      Int, Never
    > {
      switch self {
      case .main: upstream.receive(on: DispatchQueue.main).eraseToAnyPublisher()
      case .own: upstream.receive(on: DispatchQueue(label: "own")).eraseToAnyPublisher()
      case .runLoop: upstream.receive(on: RunLoop.main).eraseToAnyPublisher()
      case .operations: upstream.receive(on: OperationQueue()).eraseToAnyPublisher()
      case .clock: upstream.receive(on: world.clock).eraseToAnyPublisher()
      }
    }
  }

  @Test(arguments: Queue.allCases) func followsACauseToAnotherQueue(queue: Queue) {
    let numbers = PassthroughSubject<Int, Never>()
    queue.receive(numbers.lane("sent"), in: world).lane("received").sink { _ in }
      .store(in: &world.cancellables)
    numbers.send(1)
    numbers.send(2)
    world.run()
    #expect(
      lines.dropFirst(4) == [
        "5 0 sent#1: value 1", "6 0 sent#1: value 2", "7 0 received#1: value 1 <- 5",
        "8 0 received#1: value 2 <- 6",
      ])
  }

  @Test func followsACauseAcrossTime() {
    let typed = PassthroughSubject<String, Never>()
    typed.lane("typed")
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main).lane("debounce")
      .delay(for: .milliseconds(50), scheduler: world.clock).lane("delay")
      .sink { _ in }
      .store(in: &world.cancellables)
    typed.send("a")
    world.advance(by: .milliseconds(100))
    typed.send("ab")
    world.run()
    #expect(
      lines.dropFirst(6) == [
        "7 0 typed#1: value a", "8 100ms typed#1: value ab", "9 400ms debounce#1: value ab <- 8",
        "10 450ms delay#1: value ab <- 9",
      ])
  }

  /// Work that a source schedules before it's asked for values doesn't follow from the request.
  @Test func workFollowsFromWhatHappenedBeforeItWasScheduled() {
    struct Source: Publisher {
      typealias Output = Int
      typealias Failure = Never
      let world: World

      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        let timeline = world.timeline
        world.clock.schedule { timeline.record(.note("early"), in: "work") }
        Empty(completeImmediately: false).subscribe(subscriber)
        world.clock.schedule { timeline.record(.note("late"), in: "work") }
      }
    }
    let outer = world.timeline
    outer.record(.note("tap"), in: "work") {
      Source(world: world).lane("source").sink { _ in }.store(in: &world.cancellables)
    }
    world.run()
    #expect(
      lines == [
        "1 0 work: tap", "2 0 source#1: subscribed <- 1", "3 0 source#1: request unlimited <- 2",
        "4 0 work: early <- 1", "5 0 work: late <- 3",
      ])
  }

  @Test func aTimerFollowsFromTheRequestThatStartsIt() {
    Timer.publish(every: 1, on: .main, in: .common).autoconnect().prefix(2).lane("ticks")
      .map { _ in "tick" }.lane("map")
      .sink { _ in }
      .store(in: &world.cancellables)
    world.run()
    let causes = world.timeline.recording.events.filter { $0.lane.name == "ticks" }.map(\.cause)
    #expect(causes == [nil, 3, 4, 4, 4])
  }

  @Test func aCancelledRequestFollowsFromTheValueThatReplacedIt() throws {
    world.network.stub(.get, url, responses: StubResponse.text("Ada", after: .seconds(1)).repeating)
    let url = try #require(URL(string: url))
    let session = world.session
    let taps = PassthroughSubject<Int, Never>()
    taps.lane("taps")
      .map { _ in session.dataTaskPublisher(for: url).lane("task") }
      .switchToLatest()
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      .store(in: &world.cancellables)
    taps.send(1)
    world.advance(by: .milliseconds(10))
    taps.send(2)
    world.run()
    #expect(
      lines.prefix(12).suffix(10) == [
        "3 0 taps#1: value 1", "4 0 task#1: subscribed <- 3",
        "5 0 task#1: request unlimited <- 4", "6 0 request 1: GET https://example.com/user <- 5",
        "7 10ms taps#1: value 2", "8 10ms task#1: cancelled <- 7",
        "9 10ms task#2: subscribed <- 7", "10 10ms task#2: request unlimited <- 9",
        "11 10ms request 1: cancelled after 0 bytes <- 8",
        "12 10ms request 2: GET https://example.com/user <- 10",
      ])
  }

  /// Callbacks of several requests at one instant follow from their own request.
  @Test func aCallbackFollowsFromItsRequest() throws {
    world.network.stub(.get, url, responses: StubResponse.text("Ada").repeating)
    let url = try #require(URL(string: url))
    let timeline = world.timeline
    let tasks = (1...2).map { number in
      world.session.dataTask(with: url) { _, _, error in
        timeline.record(.printed("\(number) \(error == nil)"), in: .console)
      }
    }
    for task in tasks { task.resume() }
    world.run()
    let others = (3...4).map { number in
      world.session.dataTask(with: url) { _, _, error in
        timeline.record(.printed("\(number) \(error == nil)"), in: .console)
      }
    }
    for task in others { task.resume() }
    world.settle()
    for task in others { task.cancel() }
    world.run()
    let events = world.timeline.recording.events
    let causes = events.filter { $0.lane == .console }.map { event in
      "\(event.kind) <- \(event.cause.map { "\(events[$0 - 1].lane.name) \(events[$0 - 1].kind)" } ?? "")"
    }
    #expect(
      causes == [
        "1 true <- request 1 finished", "2 true <- request 2 finished",
        "3 false <- request 3 cancelled after 0 bytes",
        "4 false <- request 4 cancelled after 0 bytes",
      ])
  }

  @Test func describesErrorsAndResponsesInStableWords() throws {
    struct Broken: Error {}
    world.network.stub(.get, url, responses: .text("no", status: 404))
    world.session.dataTaskPublisher(for: try #require(URL(string: url)))
      .lane("task")
      .tryMap { _ in throw Broken() }
      .lane("broken")
      .sink(receiveCompletion: { _ in }, receiveValue: { (_: Int) in })
      .store(in: &world.cancellables)
    world.run()
    #expect(
      lines.filter { $0.contains("task#1: value") } == ["9 0 task#1: value 404, 2 bytes <- 8"])
    #expect(lines.last == "11 0 broken#1: failed: Broken() <- 9")
  }

  @Test func isInvisibleInTheOutputOfPrint() {
    Just(1).lane("just").print(to: world.console).sink { _ in }.store(in: &world.cancellables)
    Just(1).print(to: world.console).sink { _ in }.store(in: &world.cancellables)
    let printed = world.timeline.recording.events.filter { $0.lane == .console }.map(\.kind)
    #expect(printed.prefix(4) == printed.suffix(4))
    #expect(printed.first == .printed("receive subscription: (Just)"))
  }
}

/// The ends of a lane: outside a world, and when a world ends.
@Suite struct LaneLimitTests {
  @Test func doesNothingOutsideAWorld() {
    let history = Just(1).lane("just").history()
    #expect(history.events == [.subscription("Just"), .value(1), .finished])
  }

  @Test func leavesOutCancellationsAtTheEndOfTheWorld() {
    let timeline = withWorld { world in
      PassthroughSubject<Int, Never>().lane("kept").sink { _ in }.store(in: &world.cancellables)
      PassthroughSubject<Int, Never>().lane("dropped").sink { _ in }.cancel()
      return world.timeline
    }
    let cancelled = timeline.recording.events.filter { $0.kind == .cancelled }
    #expect(cancelled.map(\.lane.name) == ["dropped"])
  }
}
