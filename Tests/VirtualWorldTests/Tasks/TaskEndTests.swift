import StreamsTesting
import TestSupport
import Testing

/// What's reported when tasks don't end, and what happens to them then.
@Suite(.hangLimit) struct TaskEndTests {
  @Test func aSleepThatIsLeftHasTheLineOfItsTaskOrItsOwn() {
    let line = #line + 3
    let found = problems { world in
      let clock: any Clock<Duration> = world.swiftClock
      for _ in 0..<2 { Task { try await clock.sleep(for: .seconds(5)) } }
      Task {
        try await world.swiftClock.sleep(for: .seconds(6))
      }
    }
    #expect(
      found == [
        "TaskEndTests.swift:\(line): a task, started at TaskEndTests.swift:\(line), still sleeps until "
          + "5s and 1 more: run the world until it's done, or cancel it",
        "TaskEndTests.swift:\(line + 2): a task still sleeps at TaskEndTests.swift:\(line + 2), until "
          + "6s: run the world until it's done, or cancel it",
      ])
  }

  @Test func aSleepWithoutAClockIsReportedToo() {
    let line = #line + 2
    let found = problems { world in
      Task { try await Task.sleep(for: .seconds(5)) }
      world.settle()
    }
    #expect(
      found == [
        "TaskEndTests.swift:\(line): a task, started at TaskEndTests.swift:\(line), still sleeps until "
          + "5s: run the world until it's done, or cancel it"
      ])
  }

  private static func impatient<Result>(
    turns: Int = 10_000, _ body: () async -> Result
  ) async -> Result {
    let patience = WaitWatch.Patience(
      lonelyTurns: 3, turns: turns, idleTurns: 10_000, idleLoad: 0,
      pause: { try await Task.sleep(for: .milliseconds(5)) })
    return await WaitWatch.$patience.withValue(patience, operation: body)
  }

  /// For a test that waits long, on a busy machine.
  private static func patient(_ body: () async -> Void) async {
    let patience = WaitWatch.Patience(
      lonelyTurns: 500, turns: 500, idleTurns: 500, idleLoad: 0,
      pause: { try await Task.sleep(for: .seconds(1)) })
    await WaitWatch.$patience.withValue(patience, operation: body)
  }

  @Test func aWaitForNothingFails() async {
    let line = #line + 2
    let found = await Self.impatient {
      await problems { _ in
        for await _ in PassthroughSubject<Int, Never>().values {}
      }
    }
    #expect(
      found == [
        "TaskEndTests.swift:\(line): the test waits, and nothing is left to do in its world: no task "
          + "can go on, no work is due, and no request is open. If a thread or a queue outside brings "
          + "it, let it use queue.schedule, or call world.attach(queue). A loop over values ends with a "
          + "completion or with prefix(_:)"
      ])
  }

  @Test func aWaitForTimeThatOnlyCallsMoveFails() async {
    let line = #line + 2
    let found = await Self.impatient {
      await problems(waits: .moveNoTime) { world in
        try? await world.swiftClock.sleep(for: .seconds(1))
      }
    }
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "TaskEndTests.swift:\(line): the test waits, and nothing moves time while it does: work is due "
          + "at 1s") == true, "\(found)")
  }

  @Test func aLoopThatYieldsIsReported() async {
    let line = #line + 1
    let found = await problems { _ in
      let task = Task { while !Task.isCancelled { await Task.yield() } }
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
    #expect(
      found == [
        "TaskEndTests.swift:\(line): time doesn't move: 100000 parts of tasks ran at 0, and more are "
          + "coming. Does a loop call Task.yield() until something happens? Await that instead, or sleep "
          + "in between"
      ])
  }

  // MARK: Tests that yield in a loop

  private actor Flag {
    private(set) var isOn = false
    func turnOn() { isOn = true }
  }

  /// Such a loop waits, so time moves, in the usual order and in others.
  @Test(arguments: [nil, ""]) func aTestThatYieldsWaits(schedule: String?) async throws {
    try await withWorld(schedule: schedule) { world in
      let flag = Flag()
      let clock = world.swiftClock
      let task = Task {
        try await clock.sleep(for: .seconds(1))
        await flag.turnOn()
      }
      while await !flag.isOn { await Task.yield() }
      #expect(world.clock.now == .seconds(1))
      try await task.value
    }
  }

  @MainActor @Test func aTestOnTheMainActorThatYieldsWaits() async throws {
    try await withWorld { world in
      let clock = world.swiftClock
      var times: [VirtualTime] = []
      let task = Task {
        for length in 1...3 {
          try await clock.sleep(for: .seconds(length))
          times.append(world.clock.now)
        }
      }
      while times.count < 3 { await Task.yield() }
      #expect(times == [.seconds(1), .seconds(3), .seconds(6)])
      try await task.value
    }
  }

  /// What a test does itself moves no time, however often it goes to another actor.
  @MainActor @Test func aTestThatGoesToActorsDoesNotWait() async throws {
    try await withWorld { world in
      let flag = Flag()
      let clock = world.swiftClock
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      for _ in 0..<5_000 { await flag.turnOn() }
      for _ in 0..<1_000 { await Task.yield() }
      await flag.turnOn()
      #expect(world.clock.now == .zero)
      try await task.value
    }
  }

  /// The loop looks again after each of the actions of one instant.
  @MainActor @Test func aTestThatYieldsSeesEachActionOfAnInstant() async throws {
    try await withWorld { world in
      var log: [String] = []
      for number in 1...30 { world.at(.seconds(1)) { log.append("\(number)") } }
      world.at(.seconds(5)) { log.append("too late") }
      while log.count < 30 { await Task.yield() }
      #expect(log == (1...30).map { "\($0)" })
      #expect(world.clock.now == .seconds(1))
      try await world.swiftClock.sleep(for: .seconds(9))
    }
  }

  /// What a loop sends itself doesn't keep time from moving.
  @Test(arguments: [(nil, true), (nil, false), ("", true)])
  func aTestThatYieldsAndSendsWaits(schedule: String?, toQueue: Bool) async {
    await withWorld(schedule: schedule) { world in
      let pokes = PassthroughSubject<Void, Never>()
      let isDone = Locked(false)
      if toQueue {
        pokes.receive(on: DispatchQueue.main).sink {}.store(in: &world.cancellables)
      } else {
        pokes.receive(on: world.clock).sink {}.store(in: &world.cancellables)
      }
      world.at(.seconds(1)) { isDone.withLock { $0 = true } }
      while !isDone.withLock({ $0 }) {
        pokes.send()
        await Task.yield()
      }
      #expect(world.clock.now == .seconds(1))
    }
  }

  /// It sees what an action has brought through a queue before time moves on.
  @Test func aTestThatYieldsSeesWhatQueuesBring() async {
    await withWorld { world in
      let values = Locked<[Int]>([])
      (1...3).publisher.delay(for: .seconds(1), scheduler: world.clock)
        .receive(on: DispatchQueue.global())
        .sink { value in values.withLock { $0.append(value) } }
        .store(in: &world.cancellables)
      world.at(.seconds(5)) {}
      while values.withLock({ $0.count < 3 }) { await Task.yield() }
      #expect(world.clock.now == .seconds(1))
      world.run()
    }
  }

  /// A world that another task of the test runs has a watch of its own.
  @Test func aTestThatYieldsForAnInnerWorldIsNotReported() async {
    let isOver = Locked(false)
    let found = await Self.impatient {
      await problems { _ in
        Task {
          await Self.patient {
            await withWorld { _ in
              await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
                  continuation.resume()
                }
              }
            }
          }
          isOver.withLock { $0 = true }
        }
        while !isOver.withLock({ $0 }) { await Task.yield() }
      }
    }
    #expect(found == [])
  }

  /// A wait for a thread doesn't count as a loop, so the test may yield often after it.
  @Test func aTestThatAwaitedAThreadMayYield() async throws {
    try await withWorld { world in
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
      world.at(.seconds(1)) {}
      for _ in 1...200 { await Task.yield() }
      #expect(world.clock.now == .zero)
      try await world.swiftClock.sleep(for: .seconds(2))
    }
  }

  /// However long a loop has waited for a thread, it sees what comes then.
  @Test func aLongLoopSeesEachAction() async {
    await Self.patient {
      await withWorld { world in
        for _ in 1...8_000 { await Task.yield() }
        let log = CallLog()
        for number in 1...3 { world.at(.zero) { log.append("\(number)") } }
        world.at(.seconds(5)) {}
        while log.lines.count < 3 { await Task.yield() }
        #expect(world.clock.now == .zero)
        world.run()
      }
    }
  }

  /// What comes after a loop moves no time, although the test has yielded so often.
  @MainActor @Test func whatFollowsALoopMovesNoTime() async throws {
    try await withWorld { world in
      for _ in 1...2_050 { await Task.yield() }
      world.at(.seconds(1)) {}
      for _ in 1...3 { await Flag().turnOn() }
      await Task { await Task.yield() }.value
      #expect(world.clock.now == .zero)
      try await world.swiftClock.sleep(for: .seconds(2))
    }
  }

  /// The watch gives up on a loop, and not on what the test does after it.
  @Test func workAfterALoopIsNoWait() async {
    let found = await Self.impatient {
      await problems { _ in
        for _ in 1...2_050 { await Task.yield() }
        usleep(500_000)
        #expect(!Task.isCancelled)
      }
    }
    #expect(found == [])
  }

  /// In other orders, too, a test may wait as often as it likes.
  @Test(arguments: [nil, ""]) func aTestThatYieldsWaitsAtManyInstants(
    schedule: String?
  ) async throws {
    try await withWorld(schedule: schedule) { world in
      let flag = Flag()
      let clock = world.swiftClock
      let task = Task {
        for _ in 1...60 { try await clock.sleep(for: .seconds(1)) }
        await flag.turnOn()
      }
      while await !flag.isOn { await Task.yield() }
      #expect(world.clock.now == .seconds(60))
      try await task.value
    }
  }

  /// The driver of the inner test isn't a task of the outer world.
  @Test func aLoopInAnInnerWorldMovesNoTimeOutside() async {
    let isOver = Locked(false)
    await withWorld { outer in
      await withWorld { _ in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
          isOver.withLock { $0 = true }
        }
        while !isOver.withLock({ $0 }) { await Task.yield() }
      }
      #expect(outer.clock.now == .zero)
    }
  }

  /// A test that was cancelled and waits on is seen as one that waits.
  @Test func aWaitThatIgnoresItsCancellationIsReported() async {
    let log = CallLog()
    let waiter = Locked<CheckedContinuation<Void, Never>?>(nil)
    @Sendable func end() { waiter.withLock { $0.take() }?.resume() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(30)) { end() }
    await Self.impatient {
      let task = Task {
        await withWorld(onProblem: { problem in
          log.append("\(problem.message.prefix(14))")
          end()
        }) { _ in
          await withCheckedContinuation { next in waiter.withLock { $0 = next } }
        }
      }
      task.cancel()
      await task.value
    }
    #expect(log.lines == ["the test waits"])
  }

  /// A thread outside may end the loop, and time has nowhere to go meanwhile.
  @Test func aThreadMayEndTheLoopOfATest() async {
    let isOver = Locked(false)
    let found = await problems { _ in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(300)) {
        isOver.withLock { $0 = true }
      }
      while !isOver.withLock({ $0 }) { await Task.yield() }
    }
    #expect(found == [])
  }

  @Test func aTestThatYieldsForNothingFails() async {
    let line = #line + 2
    let found = await Self.impatient {
      await problems { _ in while !Task.isCancelled { await Task.yield() } }
    }
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix(
        "TaskEndTests.swift:\(line): the test waits in a loop with Task.yield(), and nothing is left to "
          + "do in its world") == true, "\(found)")
  }

  /// Nothing can end it, but it's seen.
  @Test func aLoopThatIgnoresItsCancellationIsReportedAgain() async {
    let line = #line + 4
    let isOver = Locked(false)
    let log = CallLog()
    await Self.impatient(turns: 50) {
      await withWorld(onProblem: { problem in
        log.append("\(problem)")
        if problem.message.contains("doesn't end") { isOver.withLock { $0 = true } }
      }) { _ in
        async let other: Void = {
          while !isOver.withLock({ $0 }) { await Task.yield() }
        }()
        while !isOver.withLock({ $0 }) { await Task.yield() }
        await other
      }
    }
    #expect(log.lines.count == 2, "\(log.lines)")
    #expect(log.lines.first?.contains("100000 parts of tasks ran at 0") == true)
    #expect(
      log.lines.last?.hasPrefix(
        "TaskEndTests.swift:\(line): the test was cancelled, and it doesn't end") == true)
  }

  @Test func aTaskThatSleepsAgainAndAgainHasItsLine() {
    let line = #line + 3
    let found = problems { world in
      let clock: any Clock<Duration> = world.swiftClock
      let task = Task { while true { try await clock.sleep(for: .seconds(5)) } }
      world.run(limit: 1_000)
      task.cancel()
      world.settle()
    }
    #expect(found.count == 1)
    #expect(
      found.first?.split(separator: "\n").last.map(String.init)
        == "  a task, started at TaskEndTests.swift:\(line), still sleeps until 5005s: if it sleeps "
        + "again and again, cancel it, or move time by an interval with advance(by:)", "\(found)")
  }

  /// It can't be ended from outside. It isn't run any more, and the process goes on.
  @Test func aTaskThatOutlivesItsWorldIsLetGo() async {
    let (steps, step) = AsyncStream<String>.makeStream()
    let task = Locked<Task<Void, Never>?>(nil)
    let found = problems { world in
      let clock = world.swiftClock
      let outliving = Task {
        for _ in 1...2 {
          do {
            try await clock.sleep(for: .seconds(1))
            step.yield("slept")
          } catch {
            step.yield("\(error)")
          }
        }
        step.finish()
      }
      task.withLock { $0 = outliving }
      world.run(until: .milliseconds(500))
    }
    #expect(found.count == 1)
    var iterator = steps.makeAsyncIterator()
    #expect(await iterator.next() == "CancellationError()")
    // The second sleep would never end, so a loop that ignores errors doesn't run hot.
    task.withLock { $0 }?.cancel()
    #expect(await iterator.next() == "CancellationError()")
    #expect(await iterator.next() == nil)
  }

  /// As before worlds had tasks.
  @Test func tasksMayStayOutside() async {
    let found = await problems(.outside) { world in
      let isDone = DispatchSemaphore(value: 0)
      Task {
        try await Task.sleep(for: .milliseconds(1))
        isDone.signal()
      }
      isDone.blockUntilSignalled()
      #expect(world.clock.now == .zero)
    }
    #expect(found == [])
  }

  private actor Shared {
    static let shared = Shared()
    private var hits = 0
    func hit(_ clock: any Clock<Duration>) async -> Int {
      hits += 1
      try? await clock.sleep(for: .milliseconds(5))
      return hits
    }
  }

  /// Parts of two worlds may run in either. That's reported, and no test hangs.
  @Test func anActorOfParallelTestsIsReportedOrHarmless() async {
    let all = Locked<Set<String>>([])
    await withTaskGroup { group in
      for _ in 0..<200 {
        group.addTask {
          let found = await problems { world in
            for _ in 0..<5 { _ = await Shared.shared.hit(world.swiftClock) }
          }
          all.withLock { $0.formUnion(found) }
        }
      }
    }
    let mixture =
      "went on in the world of another test: something is shared by tests that run at the same time, "
      + "such as an actor in a static let. Make one for each test, or add .serialized to their suite"
    for problem in all.withLock({ $0 }) {
      // A part that waits in the other world for too long is a wait that nothing ends.
      #expect(problem.contains(mixture) || problem.contains(": the test waits"))
    }
  }
}

extension DispatchSemaphore {
  /// A wait that's allowed in an asynchronous function, because a test is about it.
  fileprivate func blockUntilSignalled() { wait() }
}
