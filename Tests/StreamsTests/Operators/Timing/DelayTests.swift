import Dispatch
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

  @Test func aTurnThatOvertakesOthersDeliversTheirSignalsFirst() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.delay(for: 200, scheduler: scheduler).history(perValue: .max(1))
    for value in 1...4 { source.send(value) }
    scheduler.runNext()
    source.fail("no more")
    #expect(history.events == [.subscription("Delay"), .value(1)])
    // The turn of the failure.
    scheduler.runLast()
    let all: [History<Int, TestError>.Event] = [
      .subscription("Delay"), .value(1), .value(2), .value(3), .value(4), .failure("no more"),
    ]
    #expect(history.events == all)
    scheduler.run()
    #expect(history.events == all)
    #expect(source.calls == [.request(.unlimited), .request(.max(1))])
  }

  @Test func aTurnThatOvertakesWithinADeliveryNests() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>(log: log)
    history.onValue = { value in
      if value == 1 { while scheduler.runLast() {} }
      log.append("end of \(value)")
      return .none
    }
    source.delay(for: 200, scheduler: scheduler).subscribe(history)
    for value in 1...3 { source.send(value) }
    source.finish()
    scheduler.runNext()
    #expect(
      log.lines == [
        "downstream: subscription Delay", "downstream: value 1", "downstream: value 2", "end of 2",
        "downstream: value 3", "end of 3", "downstream: finished", "end of 1",
      ])
    history.onValue = nil
  }

  @Test func keepsTheOrderOnASchedulerOfManyThreads() {
    for _ in 0..<100 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler()
      let history = source.delay(for: 200, scheduler: scheduler).history()
      for value in 0..<20 { source.send(value) }
      source.finish()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if thread < 2 { scheduler.run() } else { while scheduler.runLast() {} }
      }
      #expect(
        history.events == [.subscription("Delay")] + (0..<20).map { .value($0) } + [.finished])
    }
  }

  @Test func aSignalThatTheSchedulerDropsIsDroppedAndReleased() {
    weak var dropped: CallLog?
    let source = ScriptedPublisher<CallLog, TestError>()
    let scheduler = ManualScheduler()
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
    #expect(history.lines.last == "finished")
  }

  @Test func aCancellationReleasesTheValuesAtOnce() {
    weak var released: CallLog?
    let source = ScriptedPublisher<CallLog, TestError>()
    let scheduler = ManualScheduler()
    let history = source.delay(for: 200, scheduler: scheduler).history()
    do {
      let value = CallLog()
      released = value
      source.send(value)
    }
    history.cancel()
    #expect(released == nil)
    #expect(scheduler.pendingCount == 1)
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).delay(for: 3, tolerance: 2, scheduler: ManualScheduler())
    #expect(publisher.upstream == Just(1))
    #expect(publisher.interval == 3)
    #expect(publisher.tolerance == 2)
    #expect(publisher.options == nil)
  }
}
