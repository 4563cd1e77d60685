import Streams
import TestSupport
import Testing
import VirtualTime

struct MeasureIntervalTests {
  @Test func publishesTheTimeSinceThePreviousValueOrTheSubscription() {
    let clock = VirtualTimeScheduler(now: .seconds(5)) { Issue.record("\($0)") }
    let source = ScriptedPublisher<String, TestError>()
    let history = source.measureInterval(using: clock).history(demand: .max(7))
    for (time, value) in [(7, "a"), (7, "b"), (12, "c")] {
      clock.schedule(after: .seconds(time)) { #expect(source.send(value) == .none) }
    }
    clock.schedule(after: .seconds(20)) { source.fail("no more") }
    clock.run()
    #expect(
      history.events == [
        .subscription("MeasureInterval"), .value(.seconds(2)), .value(.zero), .value(.seconds(5)),
        .failure("no more"),
      ])
    #expect(source.calls == [.request(.max(7))])
    #expect(clock.pendingWork.isEmpty)
  }

  @Test func theSchedulerOnlyTellsTheTime() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<ManualScheduler.SchedulerTimeType.Stride, TestError>(
      demand: .max(1), log: log)
    source.measureInterval(using: scheduler, options: "unused").subscribe(history)
    source.send(1)
    source.finish()
    #expect(
      log.lines.map { $0.hasPrefix("downstream: value") ? "downstream: value" : $0 } == [
        "upstream: subscribe", "scheduler: now", "downstream: subscription MeasureInterval",
        "upstream: request max(1)", "scheduler: now", "downstream: value", "downstream: finished",
      ])
  }

  @Test func anIntervalCanBeNegative() {
    let source = ScriptedPublisher<Int, TestError>()
    let clock = UnsteadyClock()
    let history = source.measureInterval(using: clock).history()
    for moment in [10, 4] {
      clock.moment.withLock { $0 = .seconds(moment) }
      source.send(moment)
    }
    #expect(history.values == [.seconds(10), .seconds(-6)])
  }

  @Test func requestsPassAndReturnedDemandIsRequestedAfterTheDelivery() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<ManualScheduler.SchedulerTimeType.Stride, TestError>(demand: .none)
    history.onValue = { _ in
      log.append("value")
      history.request(2)
      log.append("end of value")
      return .max(3)
    }
    source.measureInterval(using: ManualScheduler()).subscribe(history)
    history.request(.none)
    history.request(.unlimited)
    #expect(source.send(1) == .none)
    #expect(
      log.lines == [
        "upstream: subscribe", "upstream: request max(0)", "upstream: request unlimited", "value",
        "upstream: request max(2)", "end of value", "upstream: request max(3)",
      ])
    history.onValue = nil
  }

  @Test func aValueSentWithinADeliveryNests() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<VirtualTime.Interval, TestError>()
    history.onValue = { interval in
      if interval == .seconds(1) { source.send(2) }
      return .none
    }
    source.measureInterval(using: clock).subscribe(history)
    clock.advance(by: .seconds(1))
    source.send(1)
    #expect(history.values == [.seconds(1), .zero])
    history.onValue = nil
  }

  @Test func aCancellationStopsTheValues() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.measureInterval(using: scheduler).history(perValue: .max(1))
    history.onValue = { _ in
      history.cancel()
      return .none
    }
    source.send(1)
    #expect(source.send(2) == .none)
    source.finish()
    history.request(1)
    history.cancel()
    #expect(history.values == [0])
    #expect(history.completion == nil)
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
  }

  @Test func aValueFromWithinTheSubscriptionCounts() {
    let source = ScriptedPublisher<Int, TestError>()
    source.onRequest = { _ in source.send(1) }
    let history = source.measureInterval(using: ManualScheduler()).history()
    #expect(history.values == [0])
    source.onRequest = nil
  }

  @Test func eachSubscriberHasItsOwnIntervals() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = PassthroughSubject<Int, TestError>()
    let publisher = source.measureInterval(using: clock)
    let first = publisher.history()
    clock.advance(by: .seconds(1))
    let second = publisher.history()
    clock.advance(by: .seconds(2))
    source.send(1)
    first.cancel()
    source.send(2)
    #expect(first.values == [.seconds(3)])
    #expect(second.values == [.seconds(2), .zero])
  }

  @Test func keepsItsParameters() {
    let scheduler = ManualScheduler()
    let publisher = Publishers.MeasureInterval(upstream: Just(1), scheduler: scheduler)
    #expect(publisher.upstream == Just(1))
    #expect(publisher.scheduler === scheduler)
  }
}

/// A scheduler whose time the test sets.
private struct UnsteadyClock: Scheduler {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  let moment = Locked(VirtualTime.zero)

  var now: VirtualTime { moment.withLock { $0 } }
  var minimumTolerance: VirtualTime.Interval { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) { unused() }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Interval, options: Never?,
    _ action: @escaping () -> Void
  ) { unused() }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Interval, tolerance: VirtualTime.Interval,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    unused()
    return AnyCancellable {}
  }

  private func unused() { Issue.record("something was scheduled") }
}
