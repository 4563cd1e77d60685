import Streams
import TestSupport
import Testing

/// Tests behaviour that only `delay` has. Behaviour shared with `receive(on:)` is tested in
/// `ScheduledDeliveryTests`.
struct DelayTests {
  let source = ScriptedPublisher<Int, TestError>()
  let scheduler = ManualScheduler()
  let log = CallLog()

  @Test func schedulesEachSignalAfterTheIntervalFromNow() {
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
    log.expect([
      "upstream: subscribe", "downstream: subscription Delay", "upstream: request max(2)",
      "scheduler: now", "scheduler: schedule after 200 tolerance 5 options late", "scheduler: now",
      "scheduler: schedule after 200 tolerance 5 options late", "downstream: value 1",
      "downstream: value 2", "scheduler: now",
      "scheduler: schedule after 400 tolerance 5 options late", "downstream: failure no more",
    ])
  }

  @Test func theDefaultToleranceIsTheSchedulersMinimum() {
    let scheduler = ManualScheduler(log: log)
    let history = Just(1).delay(for: .microseconds(3), scheduler: scheduler).history()
    scheduler.run()
    log.expect([
      "scheduler: now", "scheduler: schedule after 3000 tolerance 7", "scheduler: now",
      "scheduler: schedule after 3000 tolerance 7",
    ])
    expectEqual(history.text, "Delay: 1 |")
  }

  @Test func aTurnThatOvertakesOthersDeliversTheirSignalsFirst() {
    let history = source.delay(for: 200, scheduler: scheduler).history(perValue: .max(1))
    for value in 1...4 { source.send(value) }
    scheduler.runNext()
    source.fail("no more")
    expectEqual(history.text, "Delay: 1")
    // The turn of the failure.
    scheduler.runLast()
    expectEqual(history.text, "Delay: 1 2 3 4 x(no more)")
    scheduler.run()
    expectEqual(history.text, "Delay: 1 2 3 4 x(no more)")
    expectEqual(source.calls, [.request(.unlimited), .request(.max(1))])
  }

  @Test func aSignalThatTheSchedulerDropsIsDroppedAndReleased() {
    weak var dropped: CallLog?
    let source = ScriptedPublisher<CallLog, TestError>()
    let history = source.delay(for: 200, scheduler: scheduler).history()
    do {
      let value = CallLog()
      dropped = value
      source.send(value)
    }
    #expect(dropped != nil)
    scheduler.letGo()
    #expect(dropped == nil)
    let kept = CallLog()
    source.send(kept)
    source.finish()
    scheduler.run()
    #expect(history.values.map { $0 === kept } == [true])
    expectEqual(history.lines.last, "finished")
  }

  @Test func aCancellationReleasesTheValuesAtOnce() {
    weak var released: CallLog?
    let source = ScriptedPublisher<CallLog, TestError>()
    let history = source.delay(for: 200, scheduler: scheduler).history()
    do {
      let value = CallLog()
      released = value
      source.send(value)
    }
    history.cancel()
    #expect(released == nil)
    expectEqual(scheduler.pendingCount, 1)
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).delay(for: 3, tolerance: 2, scheduler: ManualScheduler())
    expectEqual(publisher.upstream, Just(1))
    expectEqual(publisher.interval, 3)
    expectEqual(publisher.tolerance, 2)
    #expect(publisher.options == nil)
  }
}
