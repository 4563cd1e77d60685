import Streams
import TestSupport
import Testing

/// Tests behaviour that only `delay` has. Behaviour shared with `receive(on:)` is tested in
/// `ScheduledDeliveryTests`.
struct DelayTests {
  @Test func schedulesEachSignalAfterTheIntervalFromNow() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<Int, TestError>(demand: .max(2), log: log)
    source.delay(
      for: .nanoseconds(200), tolerance: .nanoseconds(5), scheduler: scheduler, options: "late"
    ).subscribe(history)
    source.send(1)
    source.send(2)
    scheduler.run()
    source.fail("no more")
    scheduler.run()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription Delay", "upstream: request max(2)",
        "scheduler: now", "scheduler: schedule after 200 tolerance 5 options late",
        "scheduler: now", "scheduler: schedule after 200 tolerance 5 options late",
        "downstream: value 1", "downstream: value 2",
        "scheduler: now", "scheduler: schedule after 400 tolerance 5 options late",
        "downstream: failure no more",
      ])
  }

  @Test func theDefaultToleranceIsTheSchedulersMinimum() {
    let log = CallLog()
    let scheduler = ManualScheduler(log: log)
    let history = Just(1).delay(for: .microseconds(3), scheduler: scheduler).history()
    scheduler.run()
    #expect(
      log.lines == [
        "scheduler: now", "scheduler: schedule after 3000 tolerance 7",
        "scheduler: now", "scheduler: schedule after 3000 tolerance 7",
      ])
    #expect(history.events == [.subscription("Delay"), .value(1), .finished])
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).delay(for: 3, tolerance: 2, scheduler: ManualScheduler())
    #expect(publisher.upstream == Just(1))
    #expect(publisher.interval == 3)
    #expect(publisher.tolerance == 2)
    #expect(publisher.options == nil)
  }
}
