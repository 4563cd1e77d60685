import Streams
import TestSupport
import Testing
import VirtualTime

struct ThrottleTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  let source = ScriptedPublisher<Int, TestError>()
  let scheduler = ManualScheduler()

  // MARK: Values

  @Test func deliversOneValuePerInterval() {
    // The last value comes exactly at the end of an interval in which nothing waits.
    expectThrottled(
      "12-3--4--5----------6---7-----8",
      latest: "1----3----5---------6----7----8", earliest: "1----2----4---------6----7----8")
  }

  /// A value is delivered by an action of the scheduler, even the first one. With `latest`, a value
  /// that comes before that action takes its place, as in Combine.
  @Test func ofTwoValuesInOneInstantOneIsDelivered() {
    expectThrottled("(12) @3ms (34) @8ms |", latest: "2----4--|", earliest: "1----3--|")
  }

  @Test(arguments: ["|", "#"]) func theCompletionFollowsTheWaitingValue(end: String) {
    expectThrottled(
      "123-" + end, latest: "1----(3" + end + ")", earliest: "1----(2" + end + ")")
    expectThrottled("1---" + end, latest: "1---" + end, earliest: "1---" + end)
  }

  /// The source's action was scheduled first, so it runs before the delivery of the same moment.
  @Test(arguments: [(true, ["0: 1", "1s: 3"]), (false, ["0: 1", "1s: 2"])])
  func aValueAtTheEndOfAnIntervalBelongsToItIfItComesBeforeTheDelivery(
    latest: Bool, lines: [String]
  ) {
    let timeline = Self.timeline(for: .seconds(1), latest: latest)
    timeline.send([(0, 1), (500, 2), (1000, 3)])
    timeline.clock.run()
    timeline.expect(lines)
  }

  @Test(arguments: [false, true])
  func aValueAtTheEndOfAnIntervalOpensTheNextIfItComesAfterTheDelivery(latest: Bool) {
    let timeline = Self.timeline(for: .seconds(1), latest: latest)
    timeline.send([(0, 1), (500, 2)])
    timeline.clock.advance(to: .seconds(1))
    timeline.source.send(3)
    timeline.clock.run()
    timeline.expect(["0: 1", "1s: 2", "2s: 3"])
  }

  @Test func schedulesOncePerIntervalAndAtOnceIfItIsOver() {
    let log = CallLog()
    let source = Source(log: log)
    let scheduler = ManualScheduler(log: log)
    source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true).subscribe(
      History(demand: .max(9), log: log))
    for value in 1...2 { expectEqual(source.send(value), .none) }
    scheduler.run()
    for value in 3...4 { source.send(value) }
    scheduler.run()
    source.finish()
    scheduler.run()
    log.expect([
      "upstream: subscribe", "downstream: subscription Throttle", "upstream: request unlimited",
      "scheduler: now", "scheduler: schedule", "scheduler: now", "downstream: value 2",
      "scheduler: now", "scheduler: schedule after 13 tolerance 7", "scheduler: now",
      "downstream: value 4", "scheduler: schedule", "downstream: finished",
    ])
  }

  @Test(arguments: [0, -5]) func withAnIntervalOfZeroOrLessEachValueGoesOutAtOnce(
    milliseconds: Int
  ) {
    let timeline = Self.timeline(for: .milliseconds(milliseconds), latest: false)
    for value in 1...3 {
      timeline.source.send(value)
      timeline.clock.advance()
    }
    timeline.expect(["0: 1", "0: 2", "0: 3"])
  }

  @Test func onAnImmediateSchedulerEachValueGoesOutAtOnce() {
    let history = source.throttle(for: 60, scheduler: ImmediateScheduler.shared, latest: true)
      .history { _, value in
        if value < 4 { source.send(value + 1) }
      }
    source.send(1)
    source.fail("no more")
    expectEqual(history.text, "Throttle: 1 2 3 4 x(no more)")
  }

  @Test func theFirstValueOfASourceIsDelivered() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let history = Just(1).throttle(for: .seconds(1), scheduler: clock, latest: false).history()
    clock.run()
    expectEqual(history.text, "Throttle: 1 |")
    expectEqual(clock.now, .zero)
  }

  // MARK: Demand

  @Test func aValueWithoutDemandWhenItArrivesIsDropped() {
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history(demand: .none)
    func send(_ value: Int) {
      source.send(value)
      scheduler.run()
    }
    send(1)
    history.request(.none)
    // A request comes too late for a value that has arrived.
    source.send(2)
    history.request(2)
    scheduler.run()
    for value in 3...6 { send(value) }
    expectEqual(history.text, "Throttle: 3 4")
    expectEqual(source.calls, [.request(.unlimited)])
    expectEqual(scheduler.pendingCount, 0)
  }

  @Test func aLaterValueOfTheIntervalNeedsNoDemandOfItsOwn() {
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history(demand: .max(1))
    for value in 1...3 { source.send(value) }
    scheduler.run()
    source.send(4)
    scheduler.run()
    expectEqual(history.values, [3])
  }

  @Test func returnedDemandAndRequestsInsideAddUp() {
    let history = History<Int, TestError>(demand: .max(1))
    history.onValue = { value in
      guard value == 1 else { return .none }
      history.request(1)
      return .max(1)
    }
    source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: false).subscribe(history)
    for value in 1...5 {
      source.send(value)
      scheduler.run()
    }
    expectEqual(history.values, [1, 2, 3])
  }

  // MARK: Re-entrancy

  @Test func aValueSentWhileOneIsDeliveredWaitsAFullInterval() {
    let timeline = Self.timeline(for: .seconds(1), latest: true)
    timeline.inside = { value in
      if value < 3 { timeline.source.send(value + 1) } else { timeline.source.finish() }
      return .none
    }
    timeline.source.send(1)
    timeline.clock.run()
    timeline.expect(["0: 1", "1s: 2", "2s: 3", "2s: finished"])
  }

  // MARK: Parameters

  @Test func keepsItsParameters() {
    let publisher = Just(1).throttle(for: 3, scheduler: ManualScheduler(), latest: true)
    expectEqual(publisher.upstream, Just(1))
    expectEqual(publisher.interval, 3)
    #expect(publisher.latest)
    #expect(!Just(1).throttle(for: 3, scheduler: ManualScheduler(), latest: false).latest)
  }
}

extension ThrottleTests {
  private func expectThrottled(
    _ input: String, latest: String, earliest: String, line: Int = #line
  ) {
    for (isLatest, output) in [(true, latest), (false, earliest)] {
      expectMarbles(input, output, line: line) {
        $0.throttle(for: .milliseconds(5), scheduler: $1, latest: isLatest)
      }
    }
  }

  private static func timeline(
    for interval: VirtualTime.Interval, latest: Bool
  ) -> DeliveryTimeline<Int> {
    DeliveryTimeline { $0.throttle(for: interval, scheduler: $1, latest: latest) }
  }
}
