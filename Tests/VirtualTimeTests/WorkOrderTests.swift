import Streams
import Testing
import VirtualTime

/// Which order the work of one instant has, with a schedule.
struct WorkOrderTests {
  /// Runs work that's due at 10 ms: `a` and `b` set at 0, `c` set at 1 ms, `d` set at 2 ms.
  private func run(_ schedule: Schedule?) -> (names: String, clock: VirtualTimeScheduler) {
    let clock = VirtualTimeScheduler(order: schedule)
    var names = ""
    func add(_ name: String) { clock.schedule(after: .milliseconds(10)) { names += name } }
    add("a")
    add("b")
    clock.schedule(after: .milliseconds(1)) { add("c") }
    clock.schedule(after: .milliseconds(2)) { add("d") }
    clock.run()
    return (names, clock)
  }

  /// Timers that were set at one instant keep their order, and others may change places.
  @Test func `schedules reach each possible order`() throws {
    #expect(run(nil).names == "abcd")
    #expect(run(nil).clock.choices.isEmpty, "The usual order notes no choices.")
    let orders = try (0..<18).map { number in
      let picks = [number / 6, number / 2 % 3, number % 2].map(String.init).joined(separator: ",")
      return run(try Schedule(parsing: "10ms:\(picks)")).names
    }
    #expect(
      Set(orders) == [
        "abcd", "abdc", "acbd", "acdb", "adbc", "adcb", "cabd", "cadb", "cdab", "dabc", "dacb",
        "dcab",
      ])
  }

  @Test func `a schedule picks at each choice`() throws {
    let (names, clock) = run(try Schedule(parsing: "10ms:2,0,1"))
    #expect(names == "dacb")
    #expect(clock.scheduleProblem == nil)
    // At the end nothing is left to choose.
    #expect(clock.choices.map(\.pick) == [2, 0, 1])
    #expect(clock.choices.map(\.candidates.count) == [3, 2, 2])
    #expect(
      clock.choices[0].description
        == "10ms: the timer set at 2ms before the timer set at 0 and the timer set at 1ms")
  }

  @Test(arguments: [
    (
      "10ms:5",
      "at 10ms, choice 0 has no candidate 5: it has 0 (the timer set at 0), 1 (the timer set at "
        + "1ms), 2 (the timer set at 2ms)"
    ),
    ("10ms:0,0,0,0,1", "at 10ms there's no choice 4: there are 3, from 0"),
    ("3ms:1 10ms:1", "nothing is left to choose at 3ms"),
    ("20ms:1", "nothing is left to choose at 20ms"),
  ])
  func `a schedule that doesn't fit is reported with its first wrong step`(
    schedule: String, problem: String
  ) throws {
    let clock = run(try Schedule(parsing: schedule)).clock
    #expect(clock.scheduleProblem == "the schedule doesn't fit this run: \(problem)")
  }

  @Test func `a scripted cancellation may come after the work that it cancels`() throws {
    for (schedule, expected) in [("", ""), ("10ms:1", "late")] {
      let clock = VirtualTimeScheduler(order: try Schedule(parsing: schedule))
      var names = ""
      let work = clock.schedule(after: .milliseconds(10), interval: .max) { names += "late" }
      clock.schedule(
        after: .milliseconds(10), tolerance: .zero, options: .init(isCancellation: true)
      ) {
        work.cancel()
      }
      clock.advance(by: .milliseconds(10))
      #expect(names == expected)
    }
  }

  @Test func `a repeat has its place among the others each time`() throws {
    let clock = VirtualTimeScheduler(order: try Schedule(parsing: "20ms:1"))
    var names: [String] = []
    let ticks = clock.schedule(after: .milliseconds(10), interval: .milliseconds(10)) {
      names.append("tick \(clock.now)")
    }
    clock.schedule(after: .milliseconds(5)) {
      clock.schedule(after: .milliseconds(20)) { names.append("other") }
    }
    clock.run(until: .milliseconds(20))
    ticks.cancel()
    // The other work was scheduled at 5 ms, before the tick of 10 ms scheduled the next one.
    #expect(names == ["tick 10ms", "tick 20ms", "other"])
  }

  /// An action for a queue isn't lost if other work was picked, and the call ends before that.
  @Test func `an action for a queue runs although picked work doesn't`() throws {
    let clock = VirtualTimeScheduler(order: try Schedule(parsing: "0:1"))
    var names: [String] = []
    clock.schedule { names.append("work") }
    clock.take(
      QueueHop(to: nil, named: "a queue") {
        names.append("hop")
      } drop: {
        names.append("dropped")
      })
    clock.run(while: { false })
    #expect(names == [])
    clock.settle()
    #expect(names == ["hop"])
    clock.run()
    #expect(names == ["hop", "work"])
    #expect(clock.scheduleProblem == nil)
  }

  @Test func `actions for queues that never end are reported`() {
    let reports = Locked<[String]>([])
    let clock = VirtualTimeScheduler(
      order: .usual,
      onFailure: { failure in reports.withLock { $0.append(failure.message) } }
    )
    nonisolated(unsafe) var dropped = 0
    func send() { clock.take(QueueHop(to: nil, named: "q", run: send) { dropped += 1 }) }
    send()
    clock.settle()
    #expect(reports.withLock { $0.count } == 1)
    #expect(
      reports.withLock { $0.first }?.contains("100000 actions were sent to queues at 0") == true)
    #expect(dropped == 1)
  }
}
