import StreamsTesting
import Synchronization
import TestSupport
import Testing

/// A world that ends reports everything that is left over, each with one line.
@Suite struct WorldEndTests {
  @Test func aTidyTestHasNoProblems() {
    let line = #line + 1
    let found = problems { world in
      world.network.stub(.get, "https://example.com/a", responses: .text("A"))
      world.session.dataTaskPublisher(for: URL(string: "https://example.com/a")!)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        .store(in: &world.cancellables)
      world.run()
    }
    #expect(found == [], "\(line)")
  }

  @Test func unfinishedWorkIsReported() {
    let line = #line + 1
    let found = problems { world in
      world.clock.schedule(
        after: .seconds(2), tolerance: .zero, options: .init(label: "reload")
      ) {}
      Just(1).delay(for: .seconds(1), scheduler: DispatchQueue.main).sink { _ in }
        .store(in: &world.cancellables)
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line + 4): unfinished work, due at 1s, scheduled at "
          + "WorldEndTests.swift:\(line + 4): run the world until it is done, or cancel it",
        "WorldEndTests.swift:\(line + 1): unfinished work (reload), due at 2s, scheduled at "
          + "WorldEndTests.swift:\(line + 1): run the world until it is done, or cancel it",
      ])
  }

  @Test func unfinishedWorkOfOnePlaceIsReportedOnce() {
    let line = #line + 3
    let found = problems { world in
      for second in 1...50 {
        world.clock.schedule(after: .seconds(second)) {}
      }
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): unfinished work (50 times), due at 1s to 50s, scheduled at "
          + "WorldEndTests.swift:\(line): run the world until it is done, or cancel it"
      ])
  }

  /// Each has a label of its own, and so many are still grouped at once.
  @Test(.timeLimit(.minutes(2))) func muchUnfinishedWorkOfOnePlaceIsReportedOnce() {
    let line = #line + 2
    let found = problems { world in
      for number in 1...30_000 { world.at(.milliseconds(number)) {} }
      world.clock.schedule(after: .seconds(200)) {}
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): unfinished work (30000 times), due at 1ms to 30s, scheduled at "
          + "WorldEndTests.swift:\(line): run the world until it is done, or cancel it",
        "WorldEndTests.swift:\(line + 1): unfinished work, due at 200s, scheduled at "
          + "WorldEndTests.swift:\(line + 1): run the world until it is done, or cancel it",
      ])
  }

  @Test func aTimerWithoutASubscriptionIsReported() {
    let store = Locked<(any Cancellable)?>(nil)
    let line = #line + 2
    let found = problems { world in
      let timer = DispatchQueue.main.schedule(
        after: DispatchQueue.main.now, interval: .seconds(1), tolerance: .zero, options: nil
      ) {}
      store.withLock { $0 = timer }
      world.advance(by: .seconds(3))
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): unfinished work, due at 4s and then every 1s, scheduled at "
          + "WorldEndTests.swift:\(line): run the world until it is done, or cancel it"
      ])
  }

  @Test func aTimerMayBeLeftIfTheWorldKeepsItsSubscription() {
    let found = problems { world in
      Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { _ in }
        .store(in: &world.cancellables)
      world.advance(by: .seconds(3))
    }
    #expect(found == [])
  }

  @Test func anUnusedStubAndAnOpenRequestAreReported() {
    let line = #line + 1
    let found = problems { world in
      world.network.stub(.get, "https://example.com/unused", responses: .text(""), line: 1)
      world.network.stub(
        .get, "https://example.com/a", responses: .text("A", after: .seconds(1)), line: 2)
      world.session.dataTaskPublisher(for: URL(string: "https://example.com/a")!)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        .store(in: &world.cancellables)
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): request 1 (GET https://example.com/a) is still open: run the "
          + "world until it ends, or cancel it",
        "WorldEndTests.swift:\(line): the stub of GET https://example.com/unused "
          + "(VirtualWorldTests/WorldEndTests.swift:1) never got a request",
      ])
  }

  @Test func anUnmatchedRequestIsReported() {
    let line = #line + 1
    let found = problems { world in
      world.session.dataTaskPublisher(for: URL(string: "https://example.com/a")!)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        .store(in: &world.cancellables)
      world.run()
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): request 1 at 0: GET https://example.com/a matches no stub: the "
          + "network has none"
      ])
  }

  @Test func aRunWithoutEndIsReported() {
    let line = #line + 1
    let found = problems { world in
      Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { _ in }
        .store(in: &world.cancellables)
      world.run()
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): run() doesn't end: 100000 actions ran, the clock is at 100000s, "
          + "and more are due. If it ends later, allow more: run(limit: 1_000_000). These actions repeat, so move time by an interval, with "
          + "advance(by:), or cancel them:\n  100001s #100001, every 1s\n"
          + "  scheduled at WorldEndTests.swift:\(line + 1)"
      ])
  }

  /// A lot of work isn't work without end, at many moments or at one.
  @Test func aLongRunThatEndsIsFine() {
    let count = Locked(0)
    let found = problemsWithLowLimits { world in
      (1...1_010).publisher
        .flatMap { Just($0).delay(for: .microseconds($0), scheduler: DispatchQueue.main) }
        .sink { _ in count.withLock { $0 += 1 } }
        .store(in: &world.cancellables)
      (1...110).publisher
        .flatMap { Just($0).delay(for: .seconds(1), scheduler: DispatchQueue.main) }
        .sink { _ in count.withLock { $0 += 1 } }
        .store(in: &world.cancellables)
      world.run()
    }
    #expect(found == [])
    #expect(count.withLock { $0 } == 1_120)
  }

  /// A timer follows from itself, so it needs a higher limit to go on for long.
  @Test func aCallCanAllowMore() {
    var ticks: [Int] = []
    let found = problemsWithLowLimits { world in
      var count = 0
      Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { _ in count += 1 }
        .store(in: &world.cancellables)
      world.advance(by: .seconds(1_010), limit: 2_000)
      ticks.append(count)
      world.run(while: { count < 1_050 }, limit: 50)
      ticks.append(count)
      world.run(while: { count < 2_060 })
      ticks.append(count)
    }
    #expect(ticks == [1_010, 1_050, 2_050])
    #expect(found.map { $0.prefix { $0 != ":" } } == ["run(while"])
  }

  /// Runs a body in a world in which 100 actions may follow from one another at one instant, and
  /// 1,000 in one call. Returns its problems.
  private func problemsWithLowLimits(_ body: (World) -> Void) -> [String] {
    let log = CallLog()
    let world = World(
      runner: QueuedActionList { log.append($0) },
      limits: .init(actionsAtOneInstant: 100, actionsInOneChain: 1_000), label: { _ in nil },
      onFailure: { log.append($0) })
    world.enter { body(world) }
    world.close()
    return log.lines
  }

  /// The task ends without a wait, but the test doesn't: its closure runs after the world's end.
  @Test func aSessionAfterTheEndIsReported() {
    let world = Locked<World?>(nil)
    let log = CallLog()
    let line = #line + 2
    IssueReporter.$current.withValue(IssueReporter { log.append("\($1.line): \($0)") }) {
      withWorld { made in world.withLock { $0 = made } }
      let ended = world.withLock { $0 }
      ended?.session.dataTask(with: URL(string: "https://example.com/a")!).resume()
      _ = ended?.makeSession()
    }
    #expect(
      log.lines.filter { $0.contains("was used") }
        == ["\(line): the world of a test was used after the test: make one in each test"])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity], ["queue", "loop", "operations", "clock"])
  func aTimeThatIsNoNumberIsReported(_ seconds: Double, _ scheduler: String) {
    let line = #line + 1
    let found = problems { world in
      let delayed: any Publisher<Int, Never> =
        switch scheduler {
        case "queue": Just(1).delay(for: .seconds(seconds), scheduler: DispatchQueue.main)
        case "loop": Just(1).delay(for: .seconds(seconds), scheduler: RunLoop.main)
        case "operations": Just(1).delay(for: .seconds(seconds), scheduler: OperationQueue.main)
        default: Just(1).delay(for: .seconds(seconds), scheduler: world.clock)
        }
      delayed.sink { _ in }.store(in: &world.cancellables)
      world.run()
    }
    #expect(
      found
        == (seconds.isNaN
          ? ["WorldEndTests.swift:\(line): NaN isn't a span of time: pass a number"] : []))
  }

  @Test func aSecondClockIsRefused() {
    let line = #line + 1
    let found = problems { world in
      let clock = VirtualTimeScheduler(name: "my own clock")
      for _ in 1...3 { clock.schedule {} }
      withVirtualTime { $0.run() }
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): a scope has one scheduler, but my own clock was used in the "
          + "scope of the world's clock"
      ])
  }

  // MARK: A body that throws

  /// A request without a stub, and what else a test that stops early leaves over.
  private func makeMistakes(in world: World) throws {
    world.network.stub(.get, "https://example.com/unused", responses: .text(""))
    world.clock.schedule(after: .seconds(1)) {}
    _ = world.record(Just(1))
    let task = world.session.dataTask(with: URL(string: "https://example.com/a")!) { _, _, _ in }
    task.resume()
    world.settle()
    throw TestError("boom")
  }

  private static let unmatched =
    "request 1 at 0: GET https://example.com/a matches no stub; the nearest is the stub of GET "
    + "https://example.com/unused"

  @Test func anErrorDoesNotHideItsReason() {
    let line = #line + 1
    let (found, error) = problemsAndError { world in try makeMistakes(in: world) }
    #expect(error is TestError)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("WorldEndTests.swift:\(line): \(Self.unmatched)") == true)
  }

  @MainActor @Test func anErrorDoesNotHideItsReasonInATask() async {
    let line = #line + 1
    let (found, error) = await problemsAndError { world in
      await Task.yield()
      try makeMistakes(in: world)
    }
    #expect(error is TestError)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("WorldEndTests.swift:\(line): \(Self.unmatched)") == true)
  }

  @Test func anErrorDoesNotHideThatAStubIsMissingAResponse() {
    let (found, _) = problemsAndError { world in
      world.network.stub(.get, "https://example.com/a", responses: .text(""), .text("unused"))
      world.network.stub(.get, "https://example.com/b", responses: .text(""), line: 2)
      for path in ["a", "b", "b"] {
        let url = URL(string: "https://example.com/\(path)")!
        world.session.dataTask(with: url) { _, _, _ in }.resume()
      }
      world.run()
      throw TestError("boom")
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("GET https://example.com/b was made 2 times, but") == true)
  }

  @Test func anErrorDoesNotHideWhatCameFromOutside() {
    let (found, error) = problemsAndError { world in
      let clicks = PassthroughSubject<Int, Never>()
      let recorder = world.record(clicks, as: "clicks")
      DispatchQueue.main.async { clicks.send(1) }
      world.run()
      throw TestError("\(recorder.values)")
    }
    #expect(error != nil)
    #expect(found.count == 1)
    #expect(found.first?.contains("\"value 1\" in the lane clicks came from outside") == true)
  }

  @Test func anErrorDoesNotHideThatAScheduleDoesNotFit() {
    let log = CallLog()
    func run(_ schedule: String) {
      try? withWorld(schedule: schedule, onProblem: { log.append($0.message) }) { world in
        let (a, b) = (world.hot("-a|"), world.hot("-b|"))
        _ = world.record(a.merge(with: b))
        world.run(until: .milliseconds(1))
        throw TestError("boom")
      }
    }
    // The test stops before the second departure. That follows from the error.
    run("1ms:1 2ms:1")
    #expect(log.lines == [])
    run("1ms:7")
    #expect(log.lines.count == 1)
    #expect(
      log.lines.first?.hasPrefix("the schedule doesn't fit this run: at 1ms, choice 0") == true)
  }

  @Test func theWorldEndsWithItsScope() {
    let subject = PassthroughSubject<Int, Never>()
    weak var weakWorld: World?
    withWorld { world in
      weakWorld = world
      world.network.stub(.get, "https://example.com/a", responses: .text("A"))
      subject.receive(on: DispatchQueue.main).sink { _ in }.store(in: &world.cancellables)
      world.session.dataTask(with: URL(string: "https://example.com/a")!) { _, _, _ in }.resume()
      world.run()
    }
    #expect(weakWorld == nil)
    #expect(SchedulingScopeProbe.isOutside)
  }

  /// The queue that a subscription hops to for its cancellation belongs to the world.
  @Test func cancellationsAtTheEndRunInTheWorld() {
    let log = CallLog()
    let found = problems { world in
      PassthroughSubject<Int, Never>()
        .handleEvents(receiveCancel: { log.append((try? World.current) == nil ? "real" : "world") })
        .subscribe(on: DispatchQueue.main)
        .sink { _ in }.store(in: &world.cancellables)
      world.settle()
    }
    #expect(log.lines == ["world"])
    #expect(found == [])
  }

  @Test func aTestThatThrowsLeavesNothingBehind() {
    let subject = PassthroughSubject<Int, Never>()
    final class Resource: Sendable {}
    weak var weakWorld: World?
    weak var weakResource: Resource?
    let group = DispatchGroup()
    do {
      try withWorld { world in
        weakWorld = world
        let resource = Resource()
        weakResource = resource
        subject.sink { _ in }.store(in: &world.cancellables)
        world.at(.seconds(1)) { _ = resource }
        DispatchQueue.main.schedule(options: .init(group: group)) { _ = resource }
        throw TestError("boom")
      }
    } catch {
      #expect(error is TestError)
    }
    #expect(weakWorld == nil)
    #expect(weakResource == nil)
    #expect(group.wait(timeout: .now()) == .success)
    #expect(SchedulingScopeProbe.isOutside)
  }

  @Test func aWorldThatIsUsedAfterItsTestIsReported() {
    let found = problems { world in
      let kept = withWorld(line: 7) { $0 }
      kept.run()
      kept.advance(by: .seconds(1))
      #expect(world.clock.now == .zero)
    }
    #expect(
      found == [
        "WorldEndTests.swift:7: the world of a test was used after the test: make one in each test"
      ])
  }

  @Test func outsideAWorldThereIsNoCurrentOne() {
    #expect(throws: World.NoWorld.self) { try World.current }
    do {
      _ = try World.current
    } catch {
      #expect(
        "\(error)"
          == "this code doesn't run in a world: add the trait .world to the test, or call withWorld"
      )
    }
  }
}

/// Whether schedulers work as usual here.
enum SchedulingScopeProbe {
  static var isOutside: Bool {
    let time = DispatchQueue.main.now
    return time.dispatchTime.uptimeNanoseconds > 1_000_000_000
  }
}
