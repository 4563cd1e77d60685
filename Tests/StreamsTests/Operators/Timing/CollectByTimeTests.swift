import Streams
import TestSupport
import Testing
import VirtualTime

struct CollectByTimeTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  // MARK: Arrays

  @Test(
    arguments: [
      (nil, ["1s: [1, 2, 3]", "3s: [4]", "4s: [5]"]),
      (2, ["200ms: [1, 2]", "1s: [3]", "3s: [4]", "4s: [5]"]),
      (1, ["100ms: [1]", "200ms: [2]", "900ms: [3]", "2500ms: [4]", "3100ms: [5]"]),
    ] as [(Int?, [String])])
  func publishesTheValuesOfEachInterval(count: Int?, lines: [String]) {
    let timeline = Self.timeline(count: count)
    timeline.send([(100, 1), (200, 2), (900, 3), (2500, 4), (3100, 5)])
    timeline.clock.advance(to: .seconds(10))
    timeline.expect(lines)
  }

  @Test func aFullArrayDoesNotMoveTheIntervals() {
    let timeline = Self.timeline(count: 2)
    timeline.send([(900, 1), (950, 2), (960, 3)])
    timeline.clock.advance(to: .seconds(5))
    timeline.expect(["950ms: [1, 2]", "1s: [3]"])
  }

  /// The timer was scheduled before the array became full, so its action runs first.
  @Test func arraysKeepTheirOrderWithinOneMoment() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = Source()
    clock.schedule(after: .seconds(1)) { for value in 1...5 { source.send(value) } }
    let history = source.collect(.byTimeOrCount(clock, .seconds(1), 2)).history()
    clock.advance(to: .seconds(1))
    expectEqual(history.values, [[1, 2], [3, 4], [5]])
    history.cancel()
  }

  @Test func theTimerAndAllDeliveriesGetTheOptions() {
    let log = CallLog()
    let source = Source(log: log)
    let scheduler = ManualScheduler(log: log)
    source.collect(.byTimeOrCount(scheduler, .nanoseconds(13), 2), options: "there")
      .subscribe(History(demand: .max(3), perValue: .max(2), log: log))
    for value in 1...3 { expectEqual(source.send(value), .none) }
    scheduler.runNext()
    scheduler.runNext()
    source.send(4)
    source.finish()
    scheduler.run()
    log.expect([
      "upstream: subscribe", "scheduler: now",
      "scheduler: schedule after 13 interval 13 tolerance 7 options there",
      "downstream: subscription CollectByTime", "upstream: request max(6)",
      "scheduler: schedule options there", "downstream: value [1, 2]", "upstream: request max(4)",
      "downstream: value [3]", "scheduler: cancel #1", "scheduler: schedule options there",
      "downstream: value [4]", "downstream: finished",
    ])
  }

  @Test(arguments: [nil, 2] as [Int?])
  func onAnImmediateSchedulerArraysArePublishedWhenFullAndAtTheEnd(count: Int?) {
    let history = (1...5).publisher.collect(Self.strategy(ImmediateScheduler.shared, 1, count))
      .history()
    let arrays = count == nil ? [[1, 2, 3, 4, 5]] : [[1, 2], [3, 4], [5]]
    expectEqual(
      history.events, [.subscription("CollectByTime")] + arrays.map { .value($0) } + [.finished])
  }

  @Test func aCountOfZeroTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 0))
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("collect: the count must be at least 1, not 0"))
  }

  // MARK: Demand

  @Test func byTimeRequestsOneValuePerRequestAndPerValue() {
    let timeline = Self.timeline(count: nil, demand: .none)
    for demand in [Subscribers.Demand.max(2), .max(3), .none] {
      timeline.history.request(demand)
    }
    expectEqual(timeline.source.calls, [.request(.max(1)), .request(.max(1))])
    expectEqual(timeline.source.send(1), .max(1))
    timeline.clock.advance(by: .seconds(1))
    expectEqual(timeline.source.send(2), .max(1))
    expectEqual(timeline.source.calls, [.request(.max(1)), .request(.max(1))])
    timeline.expect(["1s: [1]"])
  }

  @Test func byTimeRequestsAllValuesIfAllArraysAreRequested() {
    let timeline = Self.timeline(count: nil, demand: .max(1))
    expectEqual(timeline.source.send(1), .max(1))
    timeline.history.request(.unlimited)
    expectEqual(timeline.source.calls, [.request(.max(1)), .request(.unlimited)])
    expectEqual(timeline.source.send(2), .none)
    timeline.end()
  }

  @Test(arguments: [nil, 3] as [Int?])
  func unlimitedDemandReturnedForAnArrayReachesUpstream(count: Int?) {
    let timeline = Self.timeline(count: count, demand: .max(1))
    timeline.inside = { _ in .unlimited }
    timeline.send([(100, 1)])
    timeline.clock.advance(to: .milliseconds(1500))
    expectEqual(timeline.source.calls, [.request(.max(count ?? 1)), .request(.unlimited)])
    timeline.expect(["1s: [1]"])
  }

  @Test func byTimeOrCountMultipliesEachRequest() {
    let timeline = Self.timeline(count: 3, demand: .none)
    for demand in [Subscribers.Demand.max(2), .none, .unlimited] {
      timeline.history.request(demand)
    }
    expectEqual(timeline.source.calls, [.request(.max(6)), .request(.unlimited)])
    for value in 1...4 { expectEqual(timeline.source.send(value), .none) }
    timeline.end()
  }

  /// Combine's rule: only the demand that is returned for a full array reaches upstream.
  @Test func demandReturnedForAFullArrayIsMultiplied() {
    let timeline = Self.timeline(count: 2, demand: .max(1))
    timeline.inside = { $0.count == 2 ? .max(1) : .max(5) }
    timeline.send([(0, 1), (0, 2), (100, 3), (1100, 4)])
    timeline.clock.advance(to: .seconds(3))
    expectEqual(timeline.source.calls, [.request(.max(2)), .request(.max(2))])
    timeline.expect(["0: [1, 2]", "1s: [3]", "2s: [4]"])
  }

  @Test func withoutDemandTheValuesWaitForALaterInterval() {
    let timeline = Self.timeline(count: nil, demand: .none)
    timeline.send([(100, 1), (1100, 2)])
    timeline.clock.advance(to: .milliseconds(2500))
    timeline.log.expect([])
    timeline.history.request(1)
    timeline.send([(2600, 3), (3100, 4)])
    timeline.clock.advance(to: .seconds(6))
    timeline.log.expect(["3s: [1, 2, 3]"])
    timeline.history.request(1)
    timeline.clock.advance(to: .seconds(8))
    timeline.expect(["3s: [1, 2, 3]", "7s: [4]"])
  }

  @Test func withoutDemandFullArraysWaitForTheRequest() {
    let timeline = Self.timeline(count: 2, demand: .none)
    timeline.send((1...7).map { (100, $0) })
    timeline.clock.advance(to: .milliseconds(1500))
    timeline.log.expect([])
    timeline.history.request(2)
    timeline.log.expect([])
    timeline.clock.advance()
    timeline.log.expect(["1500ms: [1, 2]", "1500ms: [3, 4]"])
    timeline.history.request(2)
    timeline.clock.advance(to: .seconds(2))
    timeline.expect(["1500ms: [1, 2]", "1500ms: [3, 4]", "1500ms: [5, 6]", "2s: [7]"])
  }

  // MARK: Completion

  @Test(arguments: [nil, 2] as [Int?], [Subscribers.Demand.none, .unlimited])
  func theFinishPublishesTheRest(count: Int?, demand: Subscribers.Demand) {
    let timeline = Self.timeline(count: count, demand: demand)
    timeline.clock.schedule(after: .milliseconds(1300)) {
      for value in 1...3 { timeline.source.send(value) }
      timeline.source.finish()
      timeline.source.send(4)
      timeline.source.fail("late")
      timeline.log.expect([])
    }
    timeline.clock.advance(to: .seconds(3))
    timeline.expect(
      (count == nil ? ["1300ms: [1, 2, 3]"] : ["1300ms: [1, 2]", "1300ms: [3]"]) + [
        "1300ms: finished"
      ])
  }

  @Test func aFailureDropsTheValues() {
    let timeline = Self.timeline(count: nil)
    timeline.clock.schedule(after: .milliseconds(1300)) {
      timeline.source.send(1)
      timeline.source.fail("no more")
      timeline.log.expect([])
    }
    timeline.clock.advance(to: .seconds(3))
    timeline.expect(["1300ms: failure(no more)"])
  }

  @Test func aFailureDropsFullArraysThatAreNotRequested() {
    let timeline = Self.timeline(count: 1, demand: .max(1))
    for value in 1...3 { timeline.source.send(value) }
    timeline.clock.advance()
    timeline.source.fail("no more")
    timeline.clock.advance()
    timeline.expect(["0: [1]", "0: failure(no more)"])
  }

  @Test func anEmptyStreamPublishesNoArray() {
    let timeline = Self.timeline(count: nil)
    timeline.source.finish()
    timeline.clock.advance()
    expectEqual(timeline.history.text, "CollectByTime: |")
    timeline.end()
  }

  // MARK: Parameters

  @Test func keepsItsParameters() {
    let scheduler = ManualScheduler()
    let publisher = Just(1).collect(.byTimeOrCount(scheduler, 3, 4), options: "o")
    expectEqual(publisher.upstream, Just(1))
    expectEqual(publisher.options, "o")
    guard case .byTimeOrCount(let kept, let interval, let count) = publisher.strategy else {
      Issue.record("another strategy")
      return
    }
    #expect(kept === scheduler)
    expectEqual(interval, 3)
    expectEqual(count, 4)
  }
}

extension CollectByTimeTests {
  /// Collects by time, or by time and count.
  static func strategy<S: Scheduler>(
    _ scheduler: S, _ interval: S.SchedulerTimeType.Stride, _ count: Int?
  ) -> Publishers.TimeGroupingStrategy<S> {
    count.map { .byTimeOrCount(scheduler, interval, $0) } ?? .byTime(scheduler, interval)
  }

  /// A source whose values are collected for one second each.
  static func timeline(
    count: Int?, demand: Subscribers.Demand = .unlimited
  ) -> DeliveryTimeline<[Int]> {
    DeliveryTimeline(demand: demand) { $0.collect(strategy($1, .seconds(1), count)) }
  }
}
