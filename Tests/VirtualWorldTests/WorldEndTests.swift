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

  @Test func aTimerOfALivingSubscriptionIsReported() {
    let store = Locked<AnyCancellable?>(nil)
    let line = #line + 2
    let found = problems { world in
      let timer = Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { _ in }
      store.withLock { $0 = timer }
      world.advance(by: .seconds(3))
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): unfinished work, due at 4s and then every 1s, scheduled at "
          + "WorldEndTests.swift:\(line): run the world until it is done, or cancel it",
        "WorldEndTests.swift:\(line): a subscription made at WorldEndTests.swift:\(line) is still "
          + "alive: cancel it, release what holds it, or store it in world.cancellables",
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

  @Test func livingSubscriptionsAreReportedWithTheLinesThatMadeThem() {
    let subject = PassthroughSubject<Int, Never>()
    let store = Locked<[AnyCancellable]>([])
    final class Label { var text = 0 }
    let label = Label()
    let line = #line + 2
    let found = problems { _ in
      let first = subject.sink { _ in }
      let second = subject.map { $0 + 1 }.assign(to: \.text, on: label)
      // Cancelled or ended ones, and those that the world keeps, are fine.
      subject.sink { _ in }.cancel()
      let third = Just(1).sink { _ in }
      let more = (1...3).map { _ in subject.sink { _ in } }
      store.withLock { $0 = [first, second, third] + more }
    }
    #expect(
      found == [
        "WorldEndTests.swift:\(line): a subscription made at WorldEndTests.swift:\(line) is still "
          + "alive: cancel it, release what holds it, or store it in world.cancellables",
        "WorldEndTests.swift:\(line + 1): a subscription made at WorldEndTests.swift:\(line + 1) is "
          + "still alive: cancel it, release what holds it, or store it in world.cancellables",
        "WorldEndTests.swift:\(line + 5): 3 subscriptions made at WorldEndTests.swift:\(line + 5) are "
          + "still alive: cancel them, release what holds them, or store them in world.cancellables",
      ])
    store.withLock { $0 = [] }
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
    let found = problems { world in
      (1...101_000).publisher
        .flatMap { Just($0).delay(for: .microseconds($0), scheduler: DispatchQueue.main) }
        .sink { _ in count.withLock { $0 += 1 } }
        .store(in: &world.cancellables)
      (1...11_000).publisher
        .flatMap { Just($0).delay(for: .seconds(1), scheduler: DispatchQueue.main) }
        .sink { _ in count.withLock { $0 += 1 } }
        .store(in: &world.cancellables)
      world.run()
    }
    #expect(found == [])
    #expect(count.withLock { $0 } == 112_000)
  }

  /// A timer follows from itself, so it needs a higher limit to go on for long.
  @Test func aCallCanAllowMore() {
    let found = problems { world in
      var ticks = 0
      Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { _ in ticks += 1 }
        .store(in: &world.cancellables)
      world.advance(by: .seconds(101_000), limit: 200_000)
      #expect(ticks == 101_000)
      world.run(while: { ticks < 102_000 }, limit: 2_000)
      #expect(ticks == 102_000)
    }
    #expect(found == [])
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
      log.lines == ["\(line): the world of a test was used after the test: make one in each test"])
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

  @Test func anErrorOfTheBodyIsTheOnlyProblem() {
    let log = CallLog()
    do {
      let found = try problems { world in
        world.clock.schedule(after: .seconds(1)) {}
        throw TestError("boom")
      }
      log.append("\(found)")
    } catch {
      log.append("\(error)")
    }
    #expect(log.lines == ["boom"])
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
