import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where orders are explored, each part of a task is a choice.
///
/// Five bugs are planted that tests in the usual order don't see, and each is found with one or two
/// departures. Programs that are right aren't accused.
@Suite(.hangLimit) struct TaskOrderTests {
  private static let host = "https://example.com"

  private static func url(_ path: String) -> URL { URL(string: host + path)! }

  private static func text(_ path: String, _ session: URLSession) async throws -> String {
    String(decoding: try await session.data(from: url(path)).0, as: UTF8.self)
  }

  /// The failure of a program whose outcome depends on the order.
  private func failure(
    departures: Int = 1, _ body: (World) async throws -> some Hashable
  ) async -> [String] {
    let log = CallLog()
    let reporter = IssueReporter { message, _ in log.append(message) }
    await IssueReporter.$current.withValue(reporter) {
      try? await expectSameInEveryOrder(departures: departures, body)
    }
    return log.lines
  }

  private func expectRight(
    departures: Int = 2, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (World) async throws -> some Hashable
  ) async {
    let found = await failure(departures: departures, body)
    #expect(found == [], sourceLocation: sourceLocation)
  }

  // MARK: The usual order

  /// The order in which tasks and work for queues come is kept, and it's the order of a search
  /// without departures.
  @Test(.world) func tasksAndWorkForQueuesRunInTheOrderInWhichTheyCame() async throws {
    func run(_ world: World) -> [String] {
      let log = CallLog()
      let sent = PassthroughSubject<Int, Never>()
      let subscription = sent.receive(on: DispatchQueue.main).sink { log.append("received \($0)") }
      Task { log.append("task") }
      sent.send(1)
      Task { @MainActor in log.append("main") }
      sent.send(2)
      world.settle()
      subscription.cancel()
      return log.lines
    }
    let usual = ["task", "received 1", "main", "received 2"]
    #expect(run(try World.current) == usual)
    let found = await failure { run($0) }
    #expect(found.first?.contains("in the usual order:\n  \(usual)") == true, "\(found)")
  }

  // MARK: Two callers that both see no token

  /// Joins a refresh that's under way. But a 401 that comes after its end starts another one.
  private actor Auth {
    private let session: URLSession
    private let comparesTokens: Bool
    private(set) var token = "old"
    private var refreshing: Task<String, any Error>?

    init(_ session: URLSession, comparesTokens: Bool) {
      (self.session, self.comparesTokens) = (session, comparesTokens)
    }

    func refresh(after failed: String) async throws {
      if comparesTokens, failed != token { return }
      if let refreshing {
        token = try await refreshing.value
        return
      }
      let task = Task { [session] in try await text("/token", session) }
      refreshing = task
      defer { refreshing = nil }
      token = try await task.value
    }

    func get(_ path: String) async throws -> String {
      for _ in 0..<2 {
        let used = token
        var request = URLRequest(url: url(path))
        request.setValue(used, forHTTPHeaderField: "Authorization")
        let (data, response) = try await session.data(for: request)
        if (response as? HTTPURLResponse)?.statusCode != 401 {
          return String(decoding: data, as: UTF8.self)
        }
        try await refresh(after: used)
      }
      return "refused"
    }
  }

  private static func refreshes(_ world: World, comparesTokens: Bool) async throws -> [String] {
    world.network.serve(host) { request in
      let path = request.url?.path ?? ""
      if path == "/token" { return .text("new", after: .milliseconds(50)) }
      if request.value(forHTTPHeaderField: "Authorization") == "new" { return .text(path) }
      return .text("no", status: 401, after: .milliseconds(path == "/a" ? 100 : 150))
    }
    let auth = Auth(world.session, comparesTokens: comparesTokens)
    async let a = auth.get("/a")
    async let b = auth.get("/b")
    let rows = try await [a, b]
    return rows + ["\(world.network.requests.count { "\($0)".contains("/token") }) refreshes"]
  }

  @Test func aSecondRefreshIsFound() async {
    let found = await failure { try await Self.refreshes($0, comparesTokens: false) }
    #expect(found.count == 1)
    #expect(found.first?.contains("with 150ms: request 3 before request 2:") == true, "\(found)")
    #expect(found.first?.contains("2 refreshes") == true)
    await expectRight(departures: 1) { try await Self.refreshes($0, comparesTokens: true) }
  }

  // MARK: A check before an await, and its use after it

  private actor Seats {
    private(set) var taken = 0
    private let checksAgain: Bool
    private let settings = Settings()

    init(checksAgain: Bool) { self.checksAgain = checksAgain }

    func take() async {
      guard taken < 1 else { return }
      let limit = await settings.limit
      if checksAgain, taken >= limit { return }
      taken += 1
    }
  }

  private actor Settings {
    private(set) var limit = 1
  }

  @Test func aCheckBeforeAnAwaitIsFound() async {
    func seats(checksAgain: Bool) async -> Int {
      let seats = Seats(checksAgain: checksAgain)
      async let first: Void = seats.take()
      async let second: Void = seats.take()
      _ = await (first, second)
      return await seats.taken
    }
    let found = await failure { _ in await seats(checksAgain: false) }
    #expect(found.count == 1)
    #expect(found.first?.contains("in the usual order:\n  2\n") == true, "\(found)")
    await expectRight { _ in await seats(checksAgain: true) }
  }

  /// In the usual order, both have read before one writes. A task that goes first does so with all
  /// its parts.
  @Test func oneTaskAfterTheOtherIsTried() async {
    let found = await failure { _ in
      let count = Locked(0)
      let increase: @Sendable () async -> Void = {
        let old = count.withLock { $0 }
        await Task.yield()
        count.withLock { $0 = old + 1 }
      }
      async let first: Void = increase()
      async let second: Void = increase()
      _ = await (first, second)
      return count.withLock { $0 }
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("in the usual order:\n  1\n") == true, "\(found)")
  }

  @Test func oneCallerOfAnActorAfterTheOtherIsTried() async {
    actor Counter {
      private(set) var count = 0
      func increase() async {
        let old = count
        await Task.yield()
        count = old + 1
      }
    }
    let found = await failure { _ in
      let counter = Counter()
      async let first: Void = counter.increase()
      async let second: Void = counter.increase()
      _ = await (first, second)
      return await counter.count
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("in the usual order:\n  1\n") == true, "\(found)")
  }

  // MARK: Two tasks that are assumed to run in order

  private actor Log {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  @MainActor private final class MainLog {
    private(set) var lines: [String] = []
    func add(_ line: String) { lines.append(line) }
  }

  @Test func tasksThatChangePlacesAreFoundWithTheirLine() async {
    let line = #line + 5
    let found = await failure { world in
      let log = Log()
      world.hot("-(ab)-|").sink { title in
        // Each of them may be first.
        Task { await log.add(title) }
      }.store(in: &world.cancellables)
      world.run()
      return await log.lines
    }
    #expect(
      found == [
        """
        the outcome depends on the order of what happens at one instant
        in the usual order:
          ["a", "b"]
        with 1ms: the task started at TaskOrderTests.swift:\(line) (number 2) before the task \
        started at TaskOrderTests.swift:\(line) (number 1):
          ["b", "a"]
        to run that order again: withWorld(schedule: "1ms:1") { world in … }
        """
      ])
    // On the main actor, they keep their order.
    await expectRight { world in
      let log = MainLog()
      world.hot("-(ab)-|").sink { title in
        Task { @MainActor in log.add(title) }
      }.store(in: &world.cancellables)
      world.run()
      return await log.lines
    }
  }

  // MARK: A cancel that races with a response

  @MainActor private final class Detail {
    private(set) var text = "empty"
    private var loading: Task<Void, any Error>?
    private let checks: Bool

    init(checks: Bool) { self.checks = checks }

    func load(_ session: URLSession) {
      loading = Task {
        let new = try await TaskOrderTests.text("/detail", session)
        if checks { try Task.checkCancellation() }
        text = new
      }
    }

    func clear() {
      loading?.cancel()
      text = "cleared"
    }
  }

  @Test func aCancelThatRacesWithAResponseIsFound() async {
    func run(_ world: World, checks: Bool) async -> String {
      world.network.stub(
        .get, Self.host + "/detail", responses: .text("new", after: .milliseconds(100)))
      let detail = await Detail(checks: checks)
      await detail.load(world.session)
      world.at(.milliseconds(100)) { Task { @MainActor in detail.clear() } }
      world.run()
      return await detail.text
    }
    let found = await failure(departures: 2) { await run($0, checks: false) }
    #expect(found.count == 1)
    #expect(found.first?.contains("\n  new\n") == true, "\(found)")
    await expectRight { await run($0, checks: true) }
  }

  // MARK: A stream with a bounded buffer

  @Test func aBufferThatDropsIsFound() async {
    func run(_ world: World, _ policy: AsyncStream<String>.Continuation.BufferingPolicy) async
      -> Int
    {
      let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: policy)
      let reader = Task {
        var count = 0
        for await _ in stream { count += 1 }
        return count
      }
      for name in ["left", "middle", "right"] {
        world.hot("-a-|", as: name).sink { continuation.yield($0) }
          .store(in: &world.cancellables)
      }
      world.run()
      continuation.finish()
      return await reader.value
    }
    let found = await failure(departures: 2) { await run($0, .bufferingNewest(1)) }
    #expect(found.count == 1, "\(found)")
    await expectRight { await run($0, .unbounded) }
  }

  /// Even if the test is picked before the others at each turn.
  @Test func aTestThatYieldsInALoop() async {
    await expectSameInEveryOrder { world in
      let values = Locked<[Int]>([])
      let clock = world.swiftClock
      Task { values.withLock { $0.append(1) } }
      Task {
        try await clock.sleep(for: .seconds(1))
        values.withLock { $0.append(2) }
      }
      while values.withLock({ $0.count < 2 }) { await Task.yield() }
      return "\(values.withLock { $0 }) at \(world.clock.now)"
    }
  }

  // MARK: Programs that are right

  @Test func aRefreshThatCallersShare() async {
    await expectRight(departures: 1) { world in
      world.network.stub(
        .get, Self.host + "/token", responses: .text("A", after: .milliseconds(100)))
      let store = TokenStore(world.session, sharesRefresh: true)
      return try await withThrowingTaskGroup(of: String.self) { group in
        for id in 1...3 { group.addTask { try await store.load(id) } }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
    }
  }

  @Test func aGroupWhoseOrderDoesNotMatter() async {
    await expectRight { world in
      await withTaskGroup(of: Int.self) { group in
        for number in 1...3 {
          group.addTask {
            try? await world.swiftClock.sleep(for: .milliseconds(10))
            return number
          }
        }
        return await group.reduce(0, +)
      }
    }
  }

  @Test func aDebounceWithAClock() async {
    await expectRight { world in
      let clock = world.swiftClock
      let log = Log()
      let (keys, key) = AsyncStream<String>.makeStream()
      let search = Task {
        var pause: Task<Void, any Error>?
        for await text in keys {
          pause?.cancel()
          pause = Task {
            try await clock.sleep(for: .milliseconds(300))
            await log.add(text)
          }
        }
        try? await pause?.value
      }
      world.hot("-s--w---|").sink(
        receiveCompletion: { _ in key.finish() }, receiveValue: { key.yield($0) }
      ).store(in: &world.cancellables)
      await search.value
      return await log.lines
    }
  }

  @Test func aRetryWithABackoff() async {
    await expectRight { world in
      world.network.stub(
        .get, Self.host + "/list",
        responses: .status(503), .status(503), .text("rows", after: .milliseconds(10)))
      let session = world.session
      for attempt in 1...3 {
        let (data, response) = try await session.data(from: Self.url("/list"))
        if (response as? HTTPURLResponse)?.statusCode == 200 {
          return "\(String(decoding: data, as: UTF8.self)) at \(world.clock.now)"
        }
        try await world.swiftClock.sleep(for: .milliseconds(100 << attempt))
      }
      return "nothing"
    }
  }

  @Test func aCounterOfManyTasks() async {
    actor Counter {
      private(set) var count = 0
      func increase() { count += 1 }
    }
    await expectRight { _ in
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<4 { group.addTask { await counter.increase() } }
      }
      return await counter.count
    }
  }

  @Test func theLatestQueryWins() async {
    @MainActor final class Model {
      var results = ""
      private var loading: Task<Void, any Error>?
      func search(_ query: String, _ session: URLSession) {
        loading?.cancel()
        loading = Task {
          let found = try await TaskOrderTests.text("/" + query, session)
          try Task.checkCancellation()
          results = found
        }
      }
    }
    await expectRight { world in
      world.network.serve(Self.host) { request in
        let query = request.url?.lastPathComponent ?? ""
        return .text(query, after: .milliseconds(query == "s" ? 100 : 50))
      }
      let session = world.session
      let model = Model()
      await model.search("s", session)
      world.at(.milliseconds(50)) { Task { @MainActor in model.search("sw", session) } }
      world.run()
      return await model.results
    }
  }

  @Test func aRaceWithATimeLimit() async {
    await expectRight { world in
      world.network.stub(
        .get, Self.host + "/slow", responses: .text("x", after: .milliseconds(900)))
      let session = world.session
      return try await withThrowingTaskGroup(of: String.self) { group in
        group.addTask { try await Self.text("/slow", session) }
        group.addTask {
          try await world.swiftClock.sleep(for: .seconds(1))
          return "too late"
        }
        defer { group.cancelAll() }
        return try await group.next() ?? ""
      }
    }
  }

  @Test func aLoopThatPollsUntilItIsDone() async {
    await expectRight { world in
      world.network.stub(
        .get, Self.host + "/job", responses: .text("busy"), .text("busy"), .text("done"))
      let session = world.session
      var states: [String] = []
      while states.last != "done" {
        states.append(try await Self.text("/job", session))
        try await world.swiftClock.sleep(for: .seconds(1))
      }
      return states
    }
  }
}
