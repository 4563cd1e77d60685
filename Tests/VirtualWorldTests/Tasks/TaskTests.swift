import StreamsExtras
import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tasks that start in a world belong to it: they run when time moves, and while the test awaits.
@Suite(.world) struct TaskTests {
  private static let host = "https://example.com"

  /// Loads the text at a path.
  private static func text(_ path: String, _ session: URLSession) async throws -> String {
    let (data, _) = try await session.data(from: URL(string: host + path)!)
    return String(decoding: data, as: UTF8.self)
  }

  // MARK: Calls and waits

  @Test func aCallThatMovesTimeRunsTasks() async throws {
    let world = try World.current
    world.network.stub(
      .get, Self.host + "/token", responses: .text("A", after: .milliseconds(100)))
    let store = TokenStore(world.session, sharesRefresh: true)
    async let first = store.load(1)
    async let second = store.load(2)
    world.run()
    #expect(try await [first, second] == ["1 with A", "2 with A"])
    #expect(
      world.transcript == """
          0ms  request 1  GET https://example.com/token
        100ms  request 1  200 OK
        100ms  request 1  1 byte
        100ms  request 1  finished

        """)
  }

  @Test func aWaitMovesTime() async throws {
    let world = try World.current
    world.network.stub(
      .get, Self.host + "/token", responses: .text("A", after: .milliseconds(100)))
    let store = TokenStore(world.session, sharesRefresh: true)
    #expect(try await store.load(1) == "1 with A")
    #expect(world.clock.now == .milliseconds(100))
    world.advance(by: .milliseconds(50))
    #expect(try await store.load(2) == "2 with A")
    #expect(world.clock.now == .milliseconds(150))
  }

  /// Time moves no further than the wait needs.
  @Test func aWaitForWhatIsThereMovesNoTime() async throws {
    let world = try World.current
    let log = CallLog()
    world.at(.milliseconds(5)) { log.append("late") }
    await Task { log.append("task") }.value
    await MainActor.run { log.append("main") }
    await Task.yield()
    #expect(world.clock.now == .zero)
    world.run()
    #expect(log.lines == ["task", "main", "late"])
  }

  @Test(.world(waits: .moveNoTime)) func withMoveNoTimeOnlyCallsMoveTime() async throws {
    let world = try World.current
    let log = CallLog()
    let task = Task {
      log.append("begin at \(world.clock.now)")
      try await world.swiftClock.sleep(for: .seconds(1))
      log.append("end at \(world.clock.now)")
    }
    await Task.yield()
    #expect(log.lines == ["begin at 0"])
    world.advance(by: .seconds(1))
    try await task.value
    #expect(log.lines == ["begin at 0", "end at 1s"])
  }

  /// A test without `await` has tasks, too.
  @Test func aSynchronousTestRunsThem() throws {
    let world = try World.current
    let numbers = PassthroughSubject<Int, Never>()
    let recorder = world.record(numbers, as: "numbers")
    Task {
      try await world.swiftClock.sleep(for: .seconds(2))
      numbers.send(1)
    }
    world.run()
    #expect(recorder.events == [.subscription(at: .zero), .value(1, at: .seconds(2))])
    #expect(!world.transcript.contains("outside"))
  }

  /// A part of a task may move time itself, and other tasks run meanwhile.
  @Test func aTaskMayMoveTime() async throws {
    let world = try World.current
    let log = CallLog()
    Task {
      try await world.swiftClock.sleep(for: .seconds(1))
      log.append("sleeper at \(world.clock.now)")
    }
    await Task {
      world.advance(by: .seconds(3))
      log.append("mover at \(world.clock.now)")
    }.value
    #expect(log.lines == ["sleeper at 1s", "mover at 3s"])
  }

  // MARK: Streams

  @Test func aTaskInASinkAndOneInAFuture() async throws {
    let world = try World.current
    world.network.serve(Self.host) { request in
      let query = request.url?.lastPathComponent ?? ""
      return .text(query, after: .milliseconds(query == "a" ? 50 : 20))
    }
    let session = world.session
    let found = PassthroughSubject<String, Never>()
    let recorder = world.record(found, as: "found")
    world.hot("-a-b|").sink { query in
      Task { found.send(try await Self.text("/" + query, session)) }
    }.store(in: &world.cancellables)
    let future = Future<Int, Never> { promise in
      Task {
        try? await world.swiftClock.sleep(for: .seconds(1))
        promise(.success(7))
      }
    }
    let result = world.record(future, as: "future")
    world.run()
    #expect(
      recorder.events == [
        .subscription(at: .zero), .value("b", at: .milliseconds(23)),
        .value("a", at: .milliseconds(51)),
      ])
    #expect(
      result.events == [
        .subscription(at: .zero), .value(7, at: .seconds(1)), .finished(at: .seconds(1)),
      ])
  }

  @Test func anAsyncSequenceIsRecorded() throws {
    let world = try World.current
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let recorder = world.record(AsyncSequencePublisher(stream), as: "numbers")
    world.at(.milliseconds(10)) { continuation.yield(1) }
    world.at(.milliseconds(20)) {
      continuation.yield(2)
      continuation.finish()
    }
    world.run()
    #expect(
      recorder.events == [
        .subscription(at: .zero), .value(1, at: .milliseconds(10)),
        .value(2, at: .milliseconds(20)), .finished(at: .milliseconds(20)),
      ])
  }

  @Test func loopsOverValues() async throws {
    let world = try World.current
    let keys = world.hot("-a-b|")
    var seen: [String] = []
    for await key in keys.values { seen.append("\(key) at \(world.clock.now)") }
    for await draft in Just("draft").delay(for: .seconds(1), scheduler: DispatchQueue.main).values {
      seen.append("\(draft) at \(world.clock.now)")
    }
    #expect(seen == ["a at 1ms", "b at 3ms", "draft at 1004ms"])
  }

  // MARK: The main actor

  @MainActor private final class Rows {
    private(set) var rows: [String] = []
    private(set) var isLoading = false
    private let session: URLSession

    init(_ session: URLSession) { self.session = session }

    func load() {
      isLoading = true
      Task {
        rows = try await Self.fetch(session)
        MainActor.assertIsolated()
        isLoading = false
      }
    }

    private nonisolated static func fetch(_ session: URLSession) async throws -> [String] {
      try await withThrowingTaskGroup(of: (Int, String).self) { group in
        for id in 1...3 {
          group.addTask {
            dispatchPrecondition(condition: .notOnQueue(.main))
            return (id, try await text("/row/\(id)", session))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
      }
    }
  }

  @MainActor @Test func aModelOnTheMainActorLoadsInAGroup() throws {
    let world = try World.current
    world.network.serve(Self.host) { request in
      .text("row \(request.url?.lastPathComponent ?? "")", after: .milliseconds(100))
    }
    let model = Rows(world.session)
    model.load()
    #expect(model.isLoading)
    world.advance(by: .milliseconds(99))
    #expect(model.rows == [])
    world.advance(by: .milliseconds(1))
    #expect(model.rows == ["row 1", "row 2", "row 3"])
    #expect(!model.isLoading)
  }

  /// In the record, as with work for the main queue. The test's own code has no label.
  @MainActor @Test func tasksOnTheMainActorHaveItsLabel() async throws {
    let world = try World.current
    let numbers = PassthroughSubject<Int, Never>()
    _ = world.record(numbers, as: "numbers").events
    numbers.send(1)
    await Task { @MainActor in numbers.send(2) }.value
    await Task.detached { numbers.send(3) }.value
    numbers.send(4)
    #expect(
      world.transcript == """
        0ms  numbers  subscribed
        0ms  numbers  request unlimited
        0ms  numbers  value 1
        0ms  numbers  value 2  [main]
        0ms  numbers  value 3
        0ms  numbers  value 4

        """)
  }

  // MARK: Sleeps

  @MainActor private final class Search {
    private(set) var searched: [String] = []
    private var pause: Task<Void, Never>?
    private let clock: any Clock<Duration>

    init(_ clock: any Clock<Duration>) { self.clock = clock }

    func type(_ text: String) {
      pause?.cancel()
      pause = Task {
        do { try await clock.sleep(for: .milliseconds(300)) } catch { return }
        searched.append(text)
      }
    }
  }

  @MainActor @Test(arguments: [true, false])
  func aDebounceWrittenWithTasks(hasClock: Bool) throws {
    let world = try World.current
    let search = Search(hasClock ? world.swiftClock : ContinuousClock())
    search.type("s")
    world.at(.milliseconds(200)) { MainActor.assumeIsolated { search.type("sw") } }
    world.advance(by: .milliseconds(499))
    #expect(search.searched == [])
    world.advance(by: .milliseconds(1))
    #expect(search.searched == ["sw"])
    #expect(world.clock.pendingWork == [])
  }

  @Test func aSleepEndsExactlyWhenItShould() async throws {
    let world = try World.current
    let clock = world.swiftClock
    let start = clock.now
    try await clock.sleep(for: .nanoseconds(1))
    #expect(world.clock.now == .nanoseconds(1))
    try await clock.sleep(until: start.advanced(by: .microseconds(333)), tolerance: .seconds(9))
    #expect(clock.now == start.advanced(by: .microseconds(333)))
    #expect(start.duration(to: clock.now) == .microseconds(333))
    // A moment that has passed.
    try await clock.sleep(until: start)
    #expect(world.clock.now == .microseconds(333))
    #expect(clock.now.advanced(by: .seconds(Int64.max)).time == .max)
  }

  @Test func aSleepWithoutAClockFollowsTheWorld() async throws {
    let world = try World.current
    let poller = Poller()
    await Task.detached { await poller.poll(world) }.value
    #expect(await poller.polls == [.zero, .seconds(60), .seconds(120)])
    #expect(world.clock.now == .seconds(180))
  }

  private actor Poller {
    private(set) var polls: [VirtualTime] = []

    func poll(_ world: World) async {
      for _ in 0..<3 {
        polls.append(world.clock.now)
        try? await Task.sleep(for: .seconds(60))
        await Task.yield()
      }
    }
  }

  @Test(arguments: [true, false])
  func aCancelledSleepEndsAtOnceAndLeavesNothing(hasClock: Bool) async throws {
    let world = try World.current
    let clock: any Clock<Duration> = hasClock ? world.swiftClock : ContinuousClock()
    let task = Task { try await clock.sleep(for: .seconds(10)) }
    world.at(.milliseconds(300)) { task.cancel() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(world.clock.now == .milliseconds(300))
    #expect(world.clock.pendingWork == [])
    // A cancelled task doesn't begin to sleep.
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(10))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(world.clock.now == .milliseconds(300))
  }

  @Test func aSleepMayLastForever() async throws {
    let world = try World.current
    let sleepers = [
      Task { try await Task.sleep(for: .seconds(20_000_000_000)) },
      Task { try await Task.sleep(nanoseconds: .max) },
      Task { try await world.swiftClock.sleep(for: .seconds(Int64.max)) },
    ]
    world.settle()
    #expect(world.clock.now == .zero)
    for sleeper in sleepers {
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(world.clock.pendingWork == [])
  }

  @Test func aCancelledTaskCancelsItsRequest() async throws {
    let world = try World.current
    world.network.stub(.get, Self.host + "/slow", responses: .text("x", after: .seconds(10)))
    let session = world.session
    let task = Task { try await Self.text("/slow", session) }
    world.at(.milliseconds(300)) { task.cancel() }
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(
      world.transcript == """
          0ms  request 1  GET https://example.com/slow
        300ms  request 1  cancelled after 0 bytes

        """)
  }

  // MARK: Inside and outside

  /// As in a synchronous test on the main actor.
  @MainActor @Test func actionsRunOnTheMainQueueIfTheTestDoes() async throws {
    let world = try World.current
    var seen: [String] = []
    world.at(.seconds(1)) { MainActor.assumeIsolated { seen.append("at \(world.clock.now)") } }
    let values = Just(1).delay(for: .seconds(2), scheduler: world.clock)
    values.sink { value in
      MainActor.assumeIsolated { seen.append("value \(value)") }
    }.store(in: &world.cancellables)
    // A task of its own isn't on the main queue.
    let task = Task.detached {
      try await world.swiftClock.sleep(for: .milliseconds(500))
      dispatchPrecondition(condition: .notOnQueue(.main))
    }
    try await Task.sleep(for: .seconds(3))
    try await task.value
    #expect(seen == ["at 1s", "value 1"])
  }

  /// Whether an action runs on the main queue.
  private static func runsActionsOnMain(
    _ world: World, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Bool {
    let isOnMain = Locked(false)
    world.at(.seconds(1)) { isOnMain.withLock { $0 = MainQueueMark.isHere } }
    try await world.swiftClock.sleep(for: .seconds(2))
    return isOnMain.withLock { $0 }
  }

  @Test func actionsRunWhereTheBodyDoes() async throws {
    #expect(try await withWorld { try await Self.runsActionsOnMain($0) } == false)
    #expect(try await withWorld { @MainActor world in try await Self.runsActionsOnMain(world) })
    #expect(try await !Anywhere().runsActionsOnMain())
  }

  private actor Anywhere {
    func runsActionsOnMain() async throws -> Bool {
      try await withWorld { world in
        await MainActor.run {}
        return try await TaskTests.runsActionsOnMain(world)
      }
    }
  }

  /// The initializer of a suite runs before its test goes to the main actor.
  @Suite(.world) struct WithAnInitializer {
    private let world: World
    init() throws { world = try World.current }

    @MainActor @Test func actionsRunOnTheMainQueue() async throws {
      #expect(try await TaskTests.runsActionsOnMain(world))
    }
  }

  private final class Service: Sendable {
    let requests: AsyncStream<Int>.Continuation
    let task: Task<Void, Never>

    init(_ answer: @escaping @Sendable (Int) -> Void) {
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      requests = continuation
      task = Task.detached {
        for await request in stream {
          do { try await Task.sleep(for: .seconds(900)) } catch { return }
          answer(request)
        }
      }
    }
  }

  /// It keeps its own time, although a world gives it work.
  @Test(.world(tasks: .outside)) func aTaskFromBeforeStaysOutside() async {
    let log = CallLog()
    let service = Service { log.append("answered \($0)") }
    // Now it waits for a request.
    try? await Task.sleep(for: .milliseconds(50))
    await withWorld { world in
      await Task.yield()
      service.requests.yield(1)
      world.advance(by: .seconds(900))
      #expect(world.clock.pendingWork == [])
    }
    service.task.cancel()
    await service.task.value
    #expect(log.lines == [])
  }

  /// One test, which makes a world and goes on with tasks of its own there, isn't a mixture.
  @Test func anInnerWorldMayResumeATaskOfTheOuterOne() async throws {
    let outer = try World.current
    let (numbers, number) = AsyncStream<Int>.makeStream()
    let log = CallLog()
    let reader = Task { for await number in numbers { log.append("\(number)") } }
    await Task.yield()
    await withWorld { inner in
      number.yield(1)
      try? await inner.swiftClock.sleep(for: .seconds(1))
    }
    number.finish()
    await reader.value
    #expect(log.lines == ["1"])
    #expect(outer.clock.now == .zero)
  }

  /// Something outside may resume a task. It goes on in its world.
  @Test func aThreadResumesATask() async throws {
    let world = try World.current
    let value = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: 3) }
    }
    #expect(value == 3)
    try await world.swiftClock.sleep(for: .seconds(1))
    #expect(world.clock.now == .seconds(1))
  }

  @Test func aWorldInAWorldHasItsOwnTime() async throws {
    let outer = try World.current
    try await outer.swiftClock.sleep(for: .seconds(1))
    await withWorld { inner in
      await Task.detached { try? await inner.swiftClock.sleep(for: .seconds(2)) }.value
      #expect(inner.clock.now == .seconds(2))
    }
    #expect(outer.clock.now == .seconds(1))
    await Task.yield()
    try await outer.swiftClock.sleep(for: .seconds(1))
    #expect(outer.clock.now == .seconds(2))
  }

  @Test func aSynchronousWorldInAWorldHasItsOwnTasks() async throws {
    let outer = try World.current
    await Task.yield()
    let log = CallLog()
    withWorld { inner in
      Task {
        try await Task.sleep(for: .seconds(2))
        log.append("inner at \(inner.clock.now)")
      }
      inner.run()
    }
    #expect(log.lines == ["inner at 2s"])
    try await Task { try await Task.sleep(for: .seconds(1)) }.value
    #expect(outer.clock.now == .seconds(1))
  }

  @MainActor @Test func aWorldInAWorldOnTheMainActor() async throws {
    let outer = try World.current
    let log = CallLog()
    await withWorld { inner in
      inner.at(.seconds(1)) { log.append("\(inner.clock.now) \(MainQueueMark.isHere)") }
      try? await inner.swiftClock.sleep(for: .seconds(2))
    }
    outer.at(.seconds(1)) {}
    await Task.detached {
      await withWorld { inner in
        inner.at(.seconds(1)) { log.append("\(inner.clock.now) \(MainQueueMark.isHere)") }
        try? await inner.swiftClock.sleep(for: .seconds(2))
      }
    }.value
    #expect(log.lines == ["1s true", "1s false"])
    outer.run()
  }

  /// Time doesn't move while the body of another world runs, so it isn't at random.
  @Test func aWorldWaitsForTheOneInIt() async throws {
    let outer = try World.current
    let log = CallLog()
    for second in 1...3 { outer.at(.seconds(second)) { log.append("outer at \(second)s") } }
    try await outer.swiftClock.sleep(for: .seconds(1))
    await withWorld { inner in
      try? await inner.swiftClock.sleep(for: .seconds(5))
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
          continuation.resume()
        }
      }
      log.append("inner at \(inner.clock.now)")
    }
    log.append("outer at \(outer.clock.now) still")
    try await outer.swiftClock.sleep(for: .seconds(2))
    #expect(
      log.lines == [
        "outer at 1s", "inner at 5s", "outer at 1s still", "outer at 2s", "outer at 3s",
      ])
  }

  private nonisolated static func runOffMain(_ world: World) async { world.run() }

  /// The main queue waits for the part that moves time, and does its work meanwhile.
  @MainActor @Test func aPartOffTheMainActorMayMoveTime() async throws {
    let world = try World.current
    let log = CallLog()
    func note(_ text: String) { MainActor.assumeIsolated { log.append(text) } }
    Just(1).delay(for: .seconds(1), scheduler: DispatchQueue.main)
      .sink { note("\($0) at \(world.clock.now)") }
      .store(in: &world.cancellables)
    await Self.runOffMain(world)
    await Task.detached {
      withWorld { inner in
        Task { @MainActor in log.append("\(inner.clock.now) in another world") }
        inner.run()
      }
    }.value
    #expect(log.lines == ["1 at 1s", "0 in another world"])
  }

  /// The same in a call that moves time.
  @MainActor @Test func aTaskOffTheMainActorMayMoveTime() throws {
    let world = try World.current
    let log = CallLog()
    Task.detached {
      Task { @MainActor in log.append("at \(world.clock.now)") }
      world.run()
      log.append("moved")
    }
    world.run()
    #expect(log.lines == ["at 0", "moved"])
  }

  /// The world around it doesn't get what only serves the inner ones.
  @Test func manyWorldsInAWorld() async throws {
    let outer = try World.current
    for number in 1...20 {
      await withWorld { inner in
        try? await inner.swiftClock.sleep(for: .seconds(number))
        #expect(inner.clock.now == .seconds(number))
      }
    }
    #expect(outer.clock.now == .zero)
    #expect(outer.clock.pendingWork == [])
  }

  /// What people wrote before worlds had tasks.
  @Test func yieldsAndSettlesStillWork() async throws {
    let world = try World.current
    world.network.stub(.get, Self.host + "/now", responses: .text("x", after: .milliseconds(100)))
    let session = world.session
    async let result = Self.text("/now", session)
    while world.network.requests.isEmpty {
      await Task.yield()
      world.settle()
    }
    world.run()
    #expect(try await result == "x")
  }
}

/// Gets a token when it has none.
actor TokenStore {
  private let session: URLSession
  /// Whether callers share a refresh that's under way.
  private let sharesRefresh: Bool
  private var token: String?
  private var refresh: Task<String, any Error>?

  init(_ session: URLSession, sharesRefresh: Bool) {
    (self.session, self.sharesRefresh) = (session, sharesRefresh)
  }

  func load(_ id: Int) async throws -> String { "\(id) with \(try await validToken())" }

  private func validToken() async throws -> String {
    if let token { return token }
    if sharesRefresh, let refresh { return try await refresh.value }
    let task = Task { [session] in
      let (data, _) = try await session.data(from: URL(string: "https://example.com/token")!)
      return String(decoding: data, as: UTF8.self)
    }
    refresh = task
    let new = try await task.value
    token = new
    return new
  }
}
