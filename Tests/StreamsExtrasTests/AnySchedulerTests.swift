import TestSupport
import Testing

@testable import StreamsExtras

@Suite struct AnySchedulerTests {
  let log = CallLog()

  @Test func passesEachCallOnToTheHiddenScheduler() {
    let manual = ManualScheduler(log: log)
    let scheduler: AnySchedulerOf<ManualScheduler> = manual.eraseToAnyScheduler()
    let later = scheduler.now.advanced(by: 5)
    expectEqual(scheduler.minimumTolerance, 7)
    scheduler.schedule { [log] in log.append("action 1") }
    scheduler.schedule(options: "A") { [log] in log.append("action 2") }
    scheduler.schedule(after: later) { [log] in log.append("action 3") }
    scheduler.schedule(after: later, tolerance: 8, options: "B") { [log] in
      log.append("action 4")
    }
    let first = scheduler.schedule(after: later, interval: 9) { [log] in log.append("action 5") }
    let second = scheduler.schedule(after: later, interval: 9, tolerance: 8, options: "C") {
      [log] in log.append("action 6")
    }
    manual.run()
    first.cancel()
    second.cancel()
    expectEqual(
      log.lines,
      [
        "scheduler: now", "scheduler: schedule", "scheduler: schedule options A",
        "scheduler: schedule after 5 tolerance 7",
        "scheduler: schedule after 5 tolerance 8 options B",
        "scheduler: schedule after 5 interval 9 tolerance 7",
        "scheduler: schedule after 5 interval 9 tolerance 8 options C",
        "action 1", "action 2", "action 3", "action 4", "action 5", "action 6",
        "scheduler: cancel #5", "scheduler: cancel #6",
      ])
    expectEqual(scheduler.now.nanoseconds, 5)
  }

  @Test func operatorsUseTheHiddenScheduler() {
    let manual = ManualScheduler(log: log)
    let source = PassthroughSubject<Int, Never>()
    let history = source.delay(for: 5, scheduler: manual.eraseToAnyScheduler()).history()
    source.send(1)
    expectEqual(history.values, [])
    manual.run()
    expectEqual(history.values, [1])
    expectEqual(log.lines, ["scheduler: now", "scheduler: schedule after 5 tolerance 7"])
  }

  @Test func isSendable() {
    /// Does nothing at run time: with a type that isn't `Sendable`, the call doesn't compile.
    func requireSendable<T: Sendable>(_: T.Type) {}
    requireSendable(AnySchedulerOf<ImmediateScheduler>.self)
  }

  @Test func erasingAgainAddsNothing() {
    let scheduler = ManualScheduler().eraseToAnyScheduler()
    let again = AnyScheduler(scheduler.eraseToAnyScheduler())
    #expect(again.hidden === scheduler.hidden)
  }
}
