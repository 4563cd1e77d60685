import Streams
import TestSupport
import Testing
import VirtualTime

struct MeasureIntervalTests {
  let source = ScriptedPublisher<Int, TestError>()
  let log = CallLog()
  let clock = VirtualTimeScheduler { Issue.record("\($0)") }

  @Test func publishesTheTimeSinceThePreviousValueOrTheSubscription() {
    let clock = VirtualTimeScheduler(now: .seconds(5)) { Issue.record("\($0)") }
    let source = ScriptedPublisher<String, TestError>()
    let history = source.measureInterval(using: clock).history(demand: .max(7))
    for (time, value) in [(7, "a"), (7, "b"), (12, "c")] {
      clock.schedule(after: .seconds(time)) { expectEqual(source.send(value), .none) }
    }
    clock.schedule(after: .seconds(20)) { source.fail("no more") }
    clock.run()
    expectEqual(
      history.events,
      [
        .subscription("MeasureInterval"), .value(.seconds(2)), .value(.zero), .value(.seconds(5)),
        .failure("no more"),
      ])
    expectEqual(source.calls, [.request(.max(7))])
    #expect(clock.pendingWork.isEmpty)
  }

  @Test func theSchedulerOnlyTellsTheTime() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<ManualScheduler.SchedulerTimeType.Stride, TestError>(
      demand: .max(1), log: log)
    source.measureInterval(using: scheduler, options: "unused").subscribe(history)
    source.send(1)
    source.finish()
    expectEqual(
      log.lines.map { $0.hasPrefix("downstream: value") ? "downstream: value" : $0 },
      [
        "upstream: subscribe", "scheduler: now", "downstream: subscription MeasureInterval",
        "upstream: request max(1)", "scheduler: now", "downstream: value", "downstream: finished",
      ])
  }

  @Test func requestsPassAndReturnedDemandIsRequestedAfterTheDelivery() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.measureInterval(using: ManualScheduler()).history(
      demand: .none, perValue: .max(3)
    ) { history, _ in
      log.append("value")
      history.request(2)
      log.append("end of value")
    }
    history.request(.none)
    history.request(.unlimited)
    expectEqual(source.send(1), .none)
    log.expect([
      "upstream: subscribe", "upstream: request max(0)", "upstream: request unlimited", "value",
      "upstream: request max(2)", "end of value", "upstream: request max(3)",
    ])
  }

  @Test func aValueSentWithinADeliveryNests() {
    let history = source.measureInterval(using: clock).history { _, interval in
      if interval == .seconds(1) { source.send(2) }
    }
    clock.advance(by: .seconds(1))
    source.send(1)
    expectEqual(history.values, [.seconds(1), .zero])
  }

  @Test func eachSubscriberHasItsOwnIntervals() {
    let source = PassthroughSubject<Int, TestError>()
    let publisher = source.measureInterval(using: clock)
    let first = publisher.history()
    clock.advance(by: .seconds(1))
    let second = publisher.history()
    clock.advance(by: .seconds(2))
    source.send(1)
    first.cancel()
    source.send(2)
    expectEqual(first.values, [.seconds(3)])
    expectEqual(second.values, [.seconds(2), .zero])
  }

  @Test func keepsItsParameters() {
    let scheduler = ManualScheduler()
    let publisher = Publishers.MeasureInterval(upstream: Just(1), scheduler: scheduler)
    expectEqual(publisher.upstream, Just(1))
    #expect(publisher.scheduler === scheduler)
  }
}
