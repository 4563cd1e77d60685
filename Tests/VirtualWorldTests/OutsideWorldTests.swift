import StreamsTesting
import Synchronization
import TestSupport
import Testing

/// Events that a world doesn't drive are marked in the record, and fail the test.
@Suite struct OutsideWorldTests {
  private static func report(_ text: String, at line: Int) -> String {
    "OutsideWorldTests.swift:\(line): \(text) came from outside the world, at about 0, sent at "
      + "OutsideWorldTests.swift:\(line): from a thread, a Task outside, or a queue or session that the world "
      + "doesn't drive. Use receive(on:), queue.schedule or world.session, or attach your own queue "
      + "with world.attach(queue)"
  }

  /// A subject that any thread may send to.
  private final class Subject: Sendable {
    static let line = #line + 3
    let numbers = PassthroughSubject<Int, Never>()

    func send(_ number: Int) { numbers.send(number) }
  }

  /// Records a subject, and sends a value to it in some other way.
  private func check(
    in world: World, _ send: (Subject) async -> Void
  ) async {
    let subject = Subject()
    subject.numbers.recorded(as: "out", on: world.timeline).sink { _ in }
      .store(in: &world.cancellables)
    await send(subject)
    #expect(
      world.transcript == """
        0ms  out  subscribed
        0ms  out  request unlimited
        0ms  out  value 1  [outside the world]

        """)
  }

  private func expect(_ found: [String], at line: Int = Subject.line) {
    #expect(found == [Self.report("\"value 1\" in the lane out", at: line)])
  }

  @Test func aTask() async {
    let found = await problems(.outside) { world in
      await check(in: world) { subject in await Task { subject.send(1) }.value }
    }
    expect(found)
  }

  @Test func aDetachedTask() async {
    let found = await problems(.outside) { world in
      await check(in: world) { subject in await Task.detached { subject.send(1) }.value }
    }
    expect(found)
  }

  @Test func aThread() async {
    let found = await problems(.outside) { world in
      await check(in: world) { subject in
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            subject.send(1)
            continuation.resume()
          }
        }
      }
    }
    expect(found)
  }

  @Test func asyncOnAQueueThatIsNotAttached() async {
    let found = await problems(.outside) { world in
      await check(in: world) { subject in
        await withCheckedContinuation { continuation in
          DispatchQueue(label: "own").sync {
            DispatchQueue.global().async {
              subject.send(1)
              continuation.resume()
            }
          }
        }
      }
    }
    expect(found)
  }

  /// Even if the test is over before the main queue gets to it.
  @MainActor @Test func asyncOnTheMainQueueInATestOnTheMainActor() async {
    let line = #line + 5
    let found = await problems(.outside) { world in
      await Task.yield()
      let subject = PassthroughSubject<Int, Never>()
      subject.recorded(as: "out", on: world.timeline).sink { _ in }.store(in: &world.cancellables)
      DispatchQueue.main.async { subject.send(1) }
    }
    expect(found, at: line)
  }

  @Test func asyncOnTheMainQueue() {
    let line = #line + 4
    let found = problems { world in
      let subject = PassthroughSubject<Int, Never>()
      subject.recorded(as: "out", on: world.timeline).sink { _ in }.store(in: &world.cancellables)
      DispatchQueue.main.async { subject.send(1) }
    }
    expect(found, at: line)
  }

  /// Even if the events themselves come from the world.
  @Test func workThatATaskSendsToAScheduler() async {
    let found = await problems(.outside) { world in
      let subject = Subject()
      subject.numbers.receive(on: DispatchQueue.main).recorded(as: "out", on: world.timeline)
        .sink { _ in }.store(in: &world.cancellables)
      await Task { subject.send(1) }.value
      world.run()
    }
    #expect(found == [Self.report("work that was sent to a scheduler", at: Subject.line)])
  }

  @Test func eventsFromOnePlaceAreReportedTogether() async {
    let line = #line + 5
    let found = await problems(.outside) { world in
      let subject = Subject()
      let recorder = world.record(subject.numbers, as: "out")
      await Task {
        for number in 1...20 { subject.numbers.send(number) }
        subject.send(21)
      }.value
      #expect(recorder.values == Array(1...21))
    }
    #expect(
      found == [
        Self.report("\"value 1\" in the lane out and 19 more", at: line),
        Self.report("\"value 21\" in the lane out", at: Subject.line),
      ])
  }

  @Test func aRecorderWithoutALaneSeesThemToo() async {
    let line = #line + 3
    let found = await problems(.outside) { world in
      let subject = Subject()
      let recorder = world.record(subject.numbers)
      await Task { subject.send(1) }.value
      #expect(recorder.values == [1])
    }
    #expect(
      found == [
        Self.report(
          "\"value 1\" of the recorder made at VirtualWorldTests/OutsideWorldTests.swift:\(line)",
          at: Subject.line)
      ])
  }

  /// As in XCTest, where each asynchronous `setUp` and test method is a task of its own.
  @Test func aTaskThatMovesTimeLaterBelongsToTheWorld() async {
    let found = await problems(.outside) { world in
      let subject = PassthroughSubject<Int, Never>()
      let recorder = world.record(
        subject.delay(for: .milliseconds(1), scheduler: DispatchQueue.main))
      await Task {
        subject.send(1)
        world.run()
      }.value
      #expect(recorder.events.last == .value(1, at: .milliseconds(1)))
    }
    #expect(found == [])
  }

  @Test func theTasksThatDriveAWorldBelongToIt() async {
    let found = await problems(.outside) { world in
      let subject = PassthroughSubject<Int, Never>()
      subject.recorded(as: "out", on: world.timeline).sink { _ in }.store(in: &world.cancellables)
      await Task {
        world.settle()
        subject.send(1)
      }.value
      await Task {
        _ = try? World.current
        subject.send(2)
      }.value
    }
    #expect(found == [])
  }

  /// Swift often gives a task the address of one that has ended.
  @Test func aTaskThatFollowsADriverIsStillOutside() async {
    let found = await problems(.outside) { world in
      let subject = Subject()
      let recorder = world.record(subject.numbers)
      for _ in 1...50 {
        await Task { world.settle() }.value
        await Task { subject.send(1) }.value
      }
      #expect(recorder.values.count == 50)
    }
    #expect(found.map { $0.contains(" and 49 more came from outside") } == [true])
  }

  @Test func blocksOfAnAttachedQueueBelongToTheWorld() {
    for _ in 1...200 {
      let found = problems { world in
        let queue = DispatchQueue(label: "own")
        world.attach(queue)
        let subject = PassthroughSubject<Int, Never>()
        subject
          .delay(for: .milliseconds(5), scheduler: DispatchQueue.main)
          .recorded(as: "out", on: world.timeline)
          .sink { _ in }.store(in: &world.cancellables)
        queue.async { subject.send(1) }
        world.run()
        #expect(
          world.transcript == """
            0ms  out  subscribed
            0ms  out  request unlimited
            5ms  out  value 1  [main]

            """)
      }
      #expect(found == [])
    }
  }

  @Test func operationsOfAnAttachedQueueBelongToTheWorld() {
    let found = problems { world in
      let queue = OperationQueue()
      world.attach(queue)
      let subject = PassthroughSubject<Int, Never>()
      subject.recorded(as: "out", on: world.timeline).sink { _ in }.store(in: &world.cancellables)
      world.at(.milliseconds(5)) { queue.addOperation { subject.send(1) } }
      world.at(.milliseconds(6)) { subject.send(2) }
      world.run()
      #expect(
        world.transcript == """
          0ms  out  subscribed
          0ms  out  request unlimited
          5ms  out  value 1
          6ms  out  value 2

          """)
    }
    #expect(found == [])
  }

  @Test func queuesThatCannotBeAttachedAreRefused() {
    let line = #line + 2
    let queue = DispatchQueue(label: "shared")
    let found = problems { world in
      world.attach(DispatchQueue.main)
      world.attach(OperationQueue.main)
      world.attach(queue)
      world.attach(queue)
      withWorld { $0.attach(queue) }
      world.attach(DispatchQueue.global(qos: .utility))
    }
    #expect(
      found == [
        "OutsideWorldTests.swift:\(line): the main queue can't be attached to a world: send work "
          + "there with schedule or receive(on:)",
        "OutsideWorldTests.swift:\(line + 5): the queue \"shared\" is attached to another world: use "
          + "one queue for each test",
        "OutsideWorldTests.swift:\(line): a global queue can't be attached to a world, because all "
          + "code shares it: make a queue of your own",
      ])
    #expect(DispatchQueue.global(qos: .utility).sync { SchedulingScopeProbe.isOutside })
    withWorld { $0.attach(queue) }
  }
}
