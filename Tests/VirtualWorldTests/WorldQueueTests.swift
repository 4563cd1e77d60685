import StreamsTesting
import Synchronization
import TestSupport
import Testing

/// In a world, work for a scheduler waits for the clock, then runs on its own queue.
@Suite struct WorldQueueTests {
  private static func operationQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.name = "operations"
    return queue
  }

  /// Sends numbers through all kinds of queues, at once and later.
  private func sendToAllQueues(in world: World) -> String {
    let numbers = PassthroughSubject<Int, Never>()
    func record<S: Scheduler>(_ name: String, on scheduler: S) {
      numbers.receive(on: scheduler)
        .recorded(as: .operator(name), on: world.timeline)
        .delay(for: .milliseconds(10), scheduler: scheduler)
        .recorded(as: .operator("\(name), later"), on: world.timeline)
        .sink { _ in }.store(in: &world.cancellables)
    }
    record("own", on: DispatchQueue(label: "own"))
    record("main", on: DispatchQueue.main)
    record("run loop", on: RunLoop.main)
    record("operations", on: Self.operationQueue())
    record("main operations", on: OperationQueue.main)
    record("global", on: DispatchQueue.global())
    for number in 1...2 { numbers.send(number) }
    world.run()
    return world.timeline.recording.filter { event in
      if case .value = event.kind { true } else { false }
    }.transcript()
  }

  static let record = """
     0ms  own                     value 1  [own]
     0ms  main                    value 1  [main]
     0ms  run loop                value 1  [main]
     0ms  operations              value 1  [operations]
     0ms  main operations         value 1  [main]
     0ms  global                  value 1  [com.apple.root.default-qos]
     0ms  own                     value 2  [own]
     0ms  main                    value 2  [main]
     0ms  run loop                value 2  [main]
     0ms  operations              value 2  [operations]
     0ms  main operations         value 2  [main]
     0ms  global                  value 2  [com.apple.root.default-qos]
    10ms  own, later              value 1  [own]
    10ms  main, later             value 1  [main]
    10ms  run loop, later         value 1  [main]
    10ms  operations, later       value 1  [operations]
    10ms  main operations, later  value 1  [main]
    10ms  global, later           value 1  [com.apple.root.default-qos]
    10ms  own, later              value 2  [own]
    10ms  main, later             value 2  [main]
    10ms  run loop, later         value 2  [main]
    10ms  operations, later       value 2  [operations]
    10ms  main operations, later  value 2  [main]
    10ms  global, later           value 2  [com.apple.root.default-qos]

    """

  @Test func allQueuesTakeTurnsInTheOrderOfSending() {
    withWorld { #expect(sendToAllQueues(in: $0) == Self.record) }
  }

  @MainActor @Test func allQueuesTakeTurnsOnTheMainActor() {
    withWorld { #expect(sendToAllQueues(in: $0) == Self.record) }
  }

  /// Code runs on the queue that it asked for, and nowhere else.
  private func checkQueues(in world: World) {
    let own = DispatchQueue(label: "own")
    let operations = Self.operationQueue()
    let log = CallLog()
    own.schedule {
      dispatchPrecondition(condition: .onQueue(own))
      dispatchPrecondition(condition: .notOnQueue(.main))
      log.append("own")
    }
    DispatchQueue.main.schedule {
      dispatchPrecondition(condition: .onQueue(.main))
      MainActor.assumeIsolated { log.append("main") }
    }
    operations.schedule {
      dispatchPrecondition(condition: .notOnQueue(.main))
      log.append(OperationQueue.current === operations ? "operations" : "elsewhere")
    }
    RunLoop.main.schedule { MainActor.assumeIsolated { log.append("run loop") } }
    world.settle()
    #expect(log.lines == ["own", "main", "operations", "run loop"])
  }

  @Test func workRunsOnItsOwnQueue() { withWorld { checkQueues(in: $0) } }

  @MainActor @Test func workRunsOnItsOwnQueueInATestOnTheMainActor() {
    withWorld { checkQueues(in: $0) }
  }

  @MainActor @Test(.world) func workRunsOnItsOwnQueueWithTheTrait() throws {
    checkQueues(in: try World.current)
  }

  /// In production, code that forgets to go to the main queue traps. It does so in a world too,
  /// even if the test is on the main actor.
  @Test func aMissingHopToTheMainQueueTraps() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        withWorld { world in
          DispatchQueue(label: "own").schedule { dispatchPrecondition(condition: .onQueue(.main)) }
          world.settle()
        }
      }
    }
  }

  @Test func timeStandsStillWhileAQueueWorks() {
    withWorld { world in
      let log = CallLog()
      let own = DispatchQueue(label: "own")
      own.schedule(after: own.now.advanced(by: .seconds(1))) {
        log.append("\(world.clock.now)")
        own.schedule(after: own.now.advanced(by: .seconds(1))) { log.append("\(world.clock.now)") }
      }
      world.run()
      #expect(log.lines == ["1s", "2s"])
    }
  }

  @Test func aStreamThatFeedsItselfIsReported() {
    let line = #line + 1
    let found = problems { world in
      let subject = PassthroughSubject<Int, Never>()
      subject.receive(on: DispatchQueue.main).sink { subject.send($0 + 1) }
        .store(in: &world.cancellables)
      subject.send(0)
      world.settle()
    }
    #expect(
      found == [
        "WorldQueueTests.swift:\(line): 100000 actions were sent to queues at one instant, and more "
          + "are coming: does a stream feed itself through a queue?"
      ])
  }

  @Test func aRunLoopOfAThreadIsRefused() {
    let line = #line + 1
    let found = problems { world in
      RunLoop.current.schedule {}
      world.settle()
    }
    #expect(
      found == [
        "WorldQueueTests.swift:\(line): a world runs only one run loop, `RunLoop.main`: schedule there, "
          + "or on a dispatch queue"
      ])
  }

  @Test func worldsInsideAWorldHaveTheirOwnClocks() {
    withWorld { outer in
      let log = CallLog()
      DispatchQueue.main.schedule { log.append("outer") }
      withWorld { inner in
        DispatchQueue.main.schedule { log.append("inner") }
        inner.run()
      }
      #expect(log.lines == ["inner"])
      outer.run()
      #expect(log.lines == ["inner", "outer"])
    }
  }

  @Test func aBlockedQueueIsReportedOnceAndTheTestGoesOn() {
    let log = CallLog()
    let runner = QueuedActionList(patience: .milliseconds(10)) { log.append($0) }
    let world = World(runner: runner, label: { _ in nil }, onFailure: { log.append($0) })
    let own = DispatchQueue(label: "own")
    own.suspend()
    for _ in 1...3 { world.enter { own.schedule { log.append("ran") } } }
    world.settle()
    world.close()
    #expect(
      log.lines == [
        "the queue \"own\" has been blocked for too long, so the test goes on without it: is it "
          + "suspended, or does its work wait for the main queue?"
      ])
    own.resume()
    own.sync {}
    #expect(log.lines.dropFirst() == ["ran", "ran", "ran"])
  }
}
