import Streams
import TestSupport
import Testing
import VirtualTime

struct ThrottleTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  // MARK: Values

  @Test(
    arguments: [
      (true, ["0: 1", "1s: 3", "2s: 5", "4s: 6", "5s: 7", "6s: 8"]),
      (false, ["0: 1", "1s: 2", "2s: 4", "4s: 6", "5s: 7", "6s: 8"]),
    ])
  func deliversOneValuePerInterval(latest: Bool, lines: [String]) {
    let timeline = Self.timeline(for: .seconds(1), latest: latest)
    timeline.send([(0, 1), (200, 2), (600, 3), (1200, 4), (1800, 5), (4000, 6), (4999, 7)])
    // Exactly at the end of an interval in which nothing waits.
    timeline.send([(6000, 8)])
    timeline.clock.run()
    #expect(timeline.log.lines == lines)
    #expect(timeline.source.calls == [.request(.unlimited)])
    timeline.end()
  }

  /// The source's action was scheduled first, so it runs before the delivery of the same moment.
  @Test(arguments: [(true, ["0: 1", "1s: 3"]), (false, ["0: 1", "1s: 2"])])
  func aValueAtTheEndOfAnIntervalBelongsToItIfItComesBeforeTheDelivery(
    latest: Bool, lines: [String]
  ) {
    let timeline = Self.timeline(for: .seconds(1), latest: latest)
    timeline.send([(0, 1), (500, 2), (1000, 3)])
    timeline.clock.run()
    #expect(timeline.log.lines == lines)
    timeline.end()
  }

  @Test(arguments: [false, true])
  func aValueAtTheEndOfAnIntervalOpensTheNextIfItComesAfterTheDelivery(latest: Bool) {
    let timeline = Self.timeline(for: .seconds(1), latest: latest)
    timeline.send([(0, 1), (500, 2)])
    timeline.clock.advance(to: .seconds(1))
    timeline.source.send(3)
    timeline.clock.run()
    #expect(timeline.log.lines == ["0: 1", "1s: 2", "2s: 3"])
    timeline.end()
  }

  @Test func schedulesOncePerIntervalAndAtOnceIfItIsOver() {
    let log = CallLog()
    let source = Source(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<Int, TestError>(demand: .max(9), log: log)
    source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true).subscribe(history)
    for value in 1...2 { #expect(source.send(value) == .none) }
    scheduler.run()
    for value in 3...4 { source.send(value) }
    scheduler.run()
    source.finish()
    scheduler.run()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription Throttle", "upstream: request unlimited",
        "scheduler: now", "scheduler: schedule",
        "scheduler: now", "downstream: value 2",
        "scheduler: now", "scheduler: schedule after 13 tolerance 7",
        "scheduler: now", "downstream: value 4",
        "scheduler: schedule", "downstream: finished",
      ])
  }

  /// A value is delivered by an action of the scheduler, even the first one. With `latest`, a value
  /// that comes before that action takes its place, as in Combine.
  @Test(
    arguments: [
      (true, ["0: 2", "1s: 4", "2s: finished"]), (false, ["0: 1", "1s: 3", "2s: finished"]),
    ])
  func ofTwoValuesInOneInstantOneIsDelivered(latest: Bool, lines: [String]) {
    let timeline = Self.timeline(for: .seconds(1), latest: latest)
    timeline.send([(0, 1), (0, 2), (500, 3), (500, 4)])
    timeline.clock.advance(to: .seconds(2))
    timeline.source.finish()
    timeline.clock.run()
    #expect(timeline.log.lines == lines)
    timeline.end()
  }

  /// As on a serial queue, where the delivery waits for the code that sends.
  @Test(arguments: [(true, 2), (false, 1)])
  func ofTwoValuesBeforeTheSchedulersTurnOneIsDelivered(latest: Bool, value: Int) {
    let source = Source()
    let scheduler = ManualScheduler()
    let history = source.throttle(for: 13, scheduler: scheduler, latest: latest).history()
    for value in 1...2 { source.send(value) }
    source.finish()
    #expect(history.events == [.subscription("Throttle")])
    scheduler.run()
    #expect(history.events == [.subscription("Throttle"), .value(value), .finished])
  }

  @Test(arguments: [true, false]) func anImmediateSchedulerDeliversBothOfTwoValues(latest: Bool) {
    let source = Source()
    let history = source.throttle(for: 60, scheduler: ImmediateScheduler.shared, latest: latest)
      .history()
    for value in 1...2 { source.send(value) }
    source.finish()
    #expect(history.events == [.subscription("Throttle"), .value(1), .value(2), .finished])
  }

  @Test(arguments: [0, -5]) func withAnIntervalOfZeroOrLessEachValueGoesOutAtOnce(
    milliseconds: Int
  ) {
    let timeline = Self.timeline(for: .milliseconds(milliseconds), latest: false)
    for value in 1...3 {
      timeline.source.send(value)
      timeline.clock.advance()
    }
    #expect(timeline.log.lines == ["0: 1", "0: 2", "0: 3"])
    timeline.end()
  }

  @Test func onAnImmediateSchedulerEachValueGoesOutAtOnce() {
    let source = Source()
    let history = History<Int, TestError>()
    history.onValue = { value in
      if value < 4 { source.send(value + 1) }
      return .none
    }
    source.throttle(for: 60, scheduler: ImmediateScheduler.shared, latest: true).subscribe(history)
    source.send(1)
    source.fail("no more")
    #expect(
      history.events
        == [.subscription("Throttle")] + (1...4).map { .value($0) } + [.failure("no more")])
    history.onValue = nil
  }

  @Test func theFirstValueOfASourceIsDelivered() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let history = Just(1).throttle(for: .seconds(1), scheduler: clock, latest: false).history()
    clock.run()
    #expect(history.events == [.subscription("Throttle"), .value(1), .finished])
    #expect(clock.now == .zero)
  }

  // MARK: Demand

  @Test func aValueWithoutDemandWhenItArrivesIsDropped() {
    let source = Source()
    let scheduler = ManualScheduler()
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
    #expect(history.events == [.subscription("Throttle"), .value(3), .value(4)])
    #expect(source.calls == [.request(.unlimited)])
    #expect(scheduler.pendingCount == 0)
  }

  @Test func aLaterValueOfTheIntervalNeedsNoDemandOfItsOwn() {
    let source = Source()
    let scheduler = ManualScheduler()
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history(demand: .max(1))
    for value in 1...3 { source.send(value) }
    scheduler.run()
    source.send(4)
    scheduler.run()
    #expect(history.values == [3])
  }

  @Test func returnedDemandAndRequestsInsideAddUp() {
    let source = Source()
    let scheduler = ManualScheduler()
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
    #expect(history.values == [1, 2, 3])
    history.onValue = nil
  }

  // MARK: Completion

  @Test(
    arguments: [Subscribers.Completion<TestError>.finished, .failure("no more")], [false, true])
  func theCompletionFollowsTheWaitingValue(
    _ completion: Subscribers.Completion<TestError>, latest: Bool
  ) {
    let timeline = Self.timeline(for: .seconds(1), latest: latest)
    timeline.send([(0, 1), (200, 2), (300, 3)])
    timeline.clock.schedule(after: .milliseconds(400)) {
      timeline.source.send(completion: completion)
      timeline.source.send(4)
      timeline.source.finish()
    }
    timeline.clock.run()
    #expect(
      timeline.log.lines == ["0: 1", "1s: \(latest ? 3 : 2)", "1s: \(completion)"])
    #expect(timeline.source.calls == [.request(.unlimited)])
    timeline.end()
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure("no more")])
  func withoutAWaitingValueTheCompletionIsNext(_ completion: Subscribers.Completion<TestError>) {
    let timeline = Self.timeline(for: .seconds(1), latest: true)
    timeline.send([(0, 1)])
    timeline.clock.schedule(after: .milliseconds(400)) {
      timeline.source.send(completion: completion)
      #expect(timeline.history.completion == nil)
    }
    timeline.clock.run()
    #expect(timeline.log.lines == ["0: 1", "400ms: \(completion)"])
    timeline.end()
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
    #expect(
      timeline.log.lines == ["0: 1", "1s: 2", "2s: 3", "2s: finished"])
    timeline.end()
  }

  // MARK: Two subscribers, and parameters

  @Test func eachSubscriberHasItsOwnIntervals() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = PassthroughSubject<Int, TestError>()
    let publisher = source.throttle(for: .seconds(1), scheduler: clock, latest: true)
    let first = publisher.history()
    source.send(1)
    clock.advance(by: .milliseconds(500))
    let second = publisher.history()
    source.send(2)
    clock.advance()
    #expect(first.values == [1])
    #expect(second.values == [2])
    first.cancel()
    clock.run()
    #expect(first.values == [1])
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).throttle(for: 3, scheduler: ManualScheduler(), latest: true)
    #expect(publisher.upstream == Just(1))
    #expect(publisher.interval == 3)
    #expect(publisher.latest)
    #expect(!Just(1).throttle(for: 3, scheduler: ManualScheduler(), latest: false).latest)
  }
}

extension ThrottleTests {
  private static func timeline(
    for interval: VirtualTime.Interval, latest: Bool
  ) -> DeliveryTimeline<Int> {
    DeliveryTimeline { $0.throttle(for: interval, scheduler: $1, latest: latest) }
  }
}
