import Streams
import Testing
import VirtualTime

/// Things attached to a clock settle before time moves, whichever call moves it.
@Suite struct AttachmentTests {
  private let log = Locked<[String]>([])
  private let clock: VirtualTimeScheduler

  init() {
    let log = log
    clock = VirtualTimeScheduler(limits: .init(actionsAtOneInstant: 10)) { failure in
      log.withLock { $0.append("\(failure)") }
    }
  }

  private var lines: [String] { log.withLock { $0 } }

  private func note(_ line: String) { log.withLock { $0.append("\(clock.now) \(line)") } }

  /// Attaches a list of jobs that each settling does one of.
  private func attach(
    _ name: String, jobs: Locked<Int>
  ) -> any Cancellable & Sendable {
    clock.attach { [clock, log] in
      let isBusy = jobs.withLock { jobs in
        defer { jobs = max(0, jobs - 1) }
        return jobs > 0
      }
      log.withLock { $0.append("\(clock.now) \(name) \(isBusy ? "works" : "is quiet")") }
      return isBusy
    }
  }

  @Test func everythingSettlesBeforeEachActionAndAtTheEnd() {
    let jobs = Locked(1)
    let token = attach("queue", jobs: jobs)
    for time in [0, 5, 5] {
      clock.schedule(after: .milliseconds(time)) {
        note("action")
        jobs.withLock { $0 = 1 }
      }
    }
    clock.run()
    #expect(
      lines == [
        "0 queue works", "0 queue is quiet", "0 action", "0 queue works", "0 queue is quiet",
        "5ms action", "5ms queue works", "5ms queue is quiet", "5ms action", "5ms queue works",
        "5ms queue is quiet",
      ])
    token.cancel()
  }

  @Test func allAreCalledInOrderUntilAllAreQuiet() {
    let tokens = [
      attach("first", jobs: Locked(0)), attach("second", jobs: Locked(2)),
      attach("third", jobs: Locked(1)),
    ]
    clock.settle()
    #expect(
      lines == [
        "0 first is quiet", "0 second works", "0 third works", "0 first is quiet",
        "0 second works", "0 third is quiet", "0 first is quiet", "0 second is quiet",
        "0 third is quiet",
      ])
    for token in tokens { token.cancel() }
  }

  static let verbs: [(name: String, move: @Sendable (VirtualTimeScheduler) -> Void)] = [
    ("run()", { $0.run() }),
    ("run(while:)", { $0.run { true } }),
    ("run(until:)", { $0.run(until: .milliseconds(20)) }),
    ("step()", { while $0.step() != nil {} }),
    ("advance(by:)", { $0.advance(by: .milliseconds(20)) }),
    ("advance(to:)", { $0.advance(to: .milliseconds(20)) }),
    ("small steps", { for _ in 1...20 { $0.advance(by: .milliseconds(1)) } }),
  ]

  @Test(arguments: verbs.indices)
  func eachVerbRunsWorkThatSettlingSchedules(verb: Int) {
    // Work that's waiting at 0 takes 10 ms on the clock. It must begin at 0, even if the verb goes
    // on to 20 ms.
    let isWaiting = Locked(true)
    let token = clock.attach { [clock, log] in
      guard isWaiting.withLock({ $0 }) else { return false }
      isWaiting.withLock { $0 = false }
      clock.schedule(after: clock.now.advanced(by: .milliseconds(10))) {
        log.withLock { $0.append("\(clock.now) done") }
      }
      return true
    }
    Self.verbs[verb].move(clock)
    #expect(lines == ["10ms done"], "\(Self.verbs[verb].name)")
    token.cancel()
  }

  @Test func workThatArrivesAtTheTargetRunsInTheSameCall() {
    let token = clock.attach { [clock, log] in
      guard clock.now == .milliseconds(20), log.withLock(\.isEmpty) else { return false }
      clock.schedule { log.withLock { $0.append("\(clock.now) ran") } }
      // Nothing more to do: the clock runs the action, and asks again.
      return false
    }
    clock.advance(by: .milliseconds(20))
    #expect(lines == ["20ms ran"])
    token.cancel()
  }

  @Test func aConditionIsCheckedAfterSettling() {
    let jobs = Locked(1)
    let token = attach("queue", jobs: jobs)
    clock.schedule(after: .milliseconds(1)) { note("action") }
    clock.run {
      note("condition")
      return clock.now == .zero
    }
    #expect(
      lines == [
        "0 queue works", "0 queue is quiet", "0 condition", "1ms action", "1ms queue is quiet",
        "1ms condition",
      ])
    token.cancel()
  }

  @Test func settlingMovesNoTimeAndRunsNoAction() {
    clock.schedule { note("action") }
    let token = attach("queue", jobs: Locked(0))
    clock.settle()
    #expect(lines == ["0 queue is quiet"])
    #expect(clock.pendingWork.count == 1)
    token.cancel()
  }

  @Test func cancellingOrReleasingTheTokenDetaches() {
    let first = attach("first", jobs: Locked(0))
    do {
      let second = attach("second", jobs: Locked(0))
      clock.settle()
      withExtendedLifetime(second) {}
    }
    clock.settle()
    first.cancel()
    clock.settle()
    #expect(lines == ["0 first is quiet", "0 second is quiet", "0 first is quiet"])
  }

  @Test func workWithoutEndIsReported() {
    let token = clock.attach { true }
    clock.advance(by: .seconds(1))
    #expect(
      lines == [
        "time doesn't move: something attached to the clock found new work at 0 in 10 rounds. Does a "
          + "stream feed itself through a queue?"
      ])
    token.cancel()
  }

  @Test func settlingCannotMoveTime() {
    let token = clock.attach { [clock] in
      clock.advance(by: .seconds(1))
      return false
    }
    clock.run()
    #expect(
      lines == [
        "advance(by: 1s) moves time, so it can't be called inside a callback that runs while the "
          + "clock settles"
      ])
    token.cancel()
  }

  @Test func workScheduledWhileSettlingHasNoCause() {
    let jobs = Locked(0)
    let token = clock.attach { [clock] in
      let hasJob = jobs.withLock { jobs in
        defer { jobs = 0 }
        return jobs > 0
      }
      if hasJob { clock.schedule {} }
      return false
    }
    clock.schedule { jobs.withLock { $0 = 1 } }
    #expect(clock.steps() == ["0.1 #1", "0.2 #2"])
    token.cancel()
  }
}
