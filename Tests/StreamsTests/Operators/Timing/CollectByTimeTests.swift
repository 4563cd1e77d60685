import Dispatch
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
    let timeline = Timeline(count: count)
    timeline.send([(100, 1), (200, 2), (900, 3), (2500, 4), (3100, 5)])
    timeline.clock.advance(to: .seconds(10))
    #expect(timeline.log.lines == lines)
    timeline.end()
  }

  @Test func aFullArrayDoesNotMoveTheIntervals() {
    let timeline = Timeline(count: 2)
    timeline.send([(900, 1), (950, 2), (960, 3)])
    timeline.clock.advance(to: .seconds(5))
    #expect(timeline.log.lines == ["950ms: [1, 2]", "1s: [3]"])
    timeline.end()
  }

  /// The timer was scheduled before the array became full, so its action runs first.
  @Test func arraysKeepTheirOrderWithinOneMoment() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = Source()
    clock.schedule(after: .seconds(1)) { for value in 1...5 { source.send(value) } }
    let history = source.collect(.byTimeOrCount(clock, .seconds(1), 2)).history()
    clock.advance(to: .seconds(1))
    #expect(history.values == [[1, 2], [3, 4], [5]])
    history.cancel()
  }

  @Test func theTimerAndAllDeliveriesGetTheOptions() {
    let log = CallLog()
    let source = Source(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<[Int], TestError>(demand: .max(3), perValue: .max(2), log: log)
    source.collect(.byTimeOrCount(scheduler, .nanoseconds(13), 2), options: "there")
      .subscribe(history)
    for value in 1...3 { #expect(source.send(value) == .none) }
    scheduler.runNext()
    scheduler.runNext()
    source.send(4)
    source.finish()
    scheduler.run()
    #expect(
      log.lines == [
        "upstream: subscribe", "scheduler: now",
        "scheduler: schedule after 13 interval 13 tolerance 7 options there",
        "downstream: subscription CollectByTime", "upstream: request max(6)",
        "scheduler: schedule options there", "downstream: value [1, 2]",
        "upstream: request max(4)", "downstream: value [3]",
        "scheduler: cancel #1", "scheduler: schedule options there", "downstream: value [4]",
        "downstream: finished",
      ])
  }

  @Test(arguments: [nil, 2] as [Int?])
  func onAnImmediateSchedulerArraysArePublishedWhenFullAndAtTheEnd(count: Int?) {
    let history = (1...5).publisher.collect(strategy(ImmediateScheduler.shared, 1, count)).history()
    let arrays = count == nil ? [[1, 2, 3, 4, 5]] : [[1, 2], [3, 4], [5]]
    #expect(
      history.events == [.subscription("CollectByTime")] + arrays.map { .value($0) } + [.finished])
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
    let timeline = Timeline(count: nil, demand: .none)
    for demand in [Subscribers.Demand.max(2), .unlimited, .none] {
      timeline.history.request(demand)
    }
    #expect(timeline.source.calls == [.request(.max(1)), .request(.max(1))])
    #expect(timeline.source.send(1) == .max(1))
    timeline.clock.advance(by: .seconds(1))
    #expect(timeline.source.send(2) == .max(1))
    #expect(timeline.source.calls == [.request(.max(1)), .request(.max(1))])
    #expect(timeline.log.lines == ["1s: [1]"])
    timeline.end()
  }

  @Test func byTimeOrCountMultipliesEachRequest() {
    let timeline = Timeline(count: 3, demand: .none)
    for demand in [Subscribers.Demand.max(2), .none, .unlimited] {
      timeline.history.request(demand)
    }
    #expect(timeline.source.calls == [.request(.max(6)), .request(.unlimited)])
    for value in 1...4 { #expect(timeline.source.send(value) == .none) }
    timeline.end()
  }

  /// Combine's rule: only the demand that is returned for a full array reaches upstream.
  @Test func demandReturnedForAFullArrayIsMultiplied() {
    let timeline = Timeline(count: 2, demand: .max(1))
    timeline.inside = { $0.count == 2 ? .max(1) : .max(5) }
    timeline.send([(0, 1), (0, 2), (100, 3), (1100, 4)])
    timeline.clock.advance(to: .seconds(3))
    #expect(timeline.log.lines == ["0: [1, 2]", "1s: [3]", "2s: [4]"])
    #expect(timeline.source.calls == [.request(.max(2)), .request(.max(2))])
    timeline.end()
  }

  @Test func withoutDemandTheValuesWaitForALaterInterval() {
    let timeline = Timeline(count: nil, demand: .none)
    timeline.send([(100, 1), (1100, 2)])
    timeline.clock.advance(to: .milliseconds(2500))
    #expect(timeline.log.lines == [])
    timeline.history.request(1)
    timeline.send([(2600, 3), (3100, 4)])
    timeline.clock.advance(to: .seconds(6))
    #expect(timeline.log.lines == ["3s: [1, 2, 3]"])
    timeline.history.request(1)
    timeline.clock.advance(to: .seconds(8))
    #expect(timeline.log.lines == ["3s: [1, 2, 3]", "7s: [4]"])
    timeline.end()
  }

  @Test func withoutDemandFullArraysWaitForTheRequest() {
    let timeline = Timeline(count: 2, demand: .none)
    timeline.send((1...7).map { (100, $0) })
    timeline.clock.advance(to: .milliseconds(1500))
    #expect(timeline.log.lines == [])
    timeline.history.request(2)
    #expect(timeline.log.lines == [])
    timeline.clock.advance()
    #expect(timeline.log.lines == ["1500ms: [1, 2]", "1500ms: [3, 4]"])
    timeline.history.request(2)
    timeline.clock.advance(to: .seconds(2))
    #expect(
      timeline.log.lines == [
        "1500ms: [1, 2]", "1500ms: [3, 4]", "1500ms: [5, 6]", "2s: [7]",
      ])
    timeline.end()
  }

  // MARK: Completion

  @Test(arguments: [nil, 2] as [Int?], [Subscribers.Demand.none, .unlimited])
  func theFinishPublishesTheRest(count: Int?, demand: Subscribers.Demand) {
    let timeline = Timeline(count: count, demand: demand)
    timeline.clock.schedule(after: .milliseconds(1300)) {
      for value in 1...3 { timeline.source.send(value) }
      timeline.source.finish()
      timeline.source.send(4)
      timeline.source.fail("late")
      #expect(timeline.log.lines == [])
    }
    timeline.clock.advance(to: .seconds(3))
    #expect(
      timeline.log.lines
        == (count == nil ? ["1300ms: [1, 2, 3]"] : ["1300ms: [1, 2]", "1300ms: [3]"])
        + ["1300ms: finished"])
    #expect(timeline.clock.pendingWork.isEmpty)
    timeline.end()
  }

  @Test func aFailureDropsTheValues() {
    let timeline = Timeline(count: nil)
    timeline.clock.schedule(after: .milliseconds(1300)) {
      timeline.source.send(1)
      timeline.source.fail("no more")
      #expect(timeline.log.lines == [])
    }
    timeline.clock.advance(to: .seconds(3))
    #expect(timeline.log.lines == ["1300ms: failure(no more)"])
    #expect(timeline.clock.pendingWork.isEmpty)
    timeline.end()
  }

  @Test func aFailureDropsFullArraysThatAreNotRequested() {
    let timeline = Timeline(count: 1, demand: .max(1))
    for value in 1...3 { timeline.source.send(value) }
    timeline.clock.advance()
    timeline.source.fail("no more")
    timeline.clock.advance()
    #expect(timeline.log.lines == ["0: [1]", "0: failure(no more)"])
    timeline.end()
  }

  @Test func anEmptyStreamPublishesNoArray() {
    let timeline = Timeline(count: nil)
    timeline.source.finish()
    timeline.clock.advance()
    #expect(timeline.history.events == [.subscription("CollectByTime"), .finished])
    timeline.end()
  }

  // MARK: Re-entrancy

  @Test func valuesSentWithinADeliveryGoIntoTheNextArray() {
    let timeline = Timeline(count: nil)
    timeline.inside = { values in
      if values == [1] { timeline.source.send(2) }
      if values == [2] { timeline.source.finish() }
      return .none
    }
    timeline.source.send(1)
    timeline.clock.advance(to: .seconds(2))
    #expect(timeline.log.lines == ["1s: [1]", "1s: [2]", "1s: finished"])
    timeline.end()
  }

  @Test func requestsWithinADeliveryCount() {
    let timeline = Timeline(count: 2, demand: .max(1))
    timeline.inside = { _ in
      timeline.history.request(1)
      return .max(1)
    }
    timeline.send((1...6).map { (0, $0) })
    timeline.clock.advance()
    #expect(timeline.log.lines == ["0: [1, 2]", "0: [3, 4]", "0: [5, 6]"])
    timeline.end()
  }

  /// The scheduler runs actions at once, so an action per request would nest the deliveries.
  @Test(arguments: [false, true])
  func deliveriesRequestedWithinADeliveryDoNotNest(afterANestedOne: Bool) {
    let source = Source()
    let history = History<[Int], TestError>(demand: .none)
    var depth = 0
    var deepest = 0
    history.onValue = { values in
      depth += 1
      deepest = max(deepest, depth)
      if afterANestedOne, values == [1] { source.send(101) }
      if !afterANestedOne || depth == 1 { history.request(.max(1)) }
      depth -= 1
      return .none
    }
    source.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 1)).subscribe(history)
    for value in 1...100 { source.send(value) }
    history.request(.max(afterANestedOne ? 2 : 1))
    #expect(history.values == (1...(afterANestedOne ? 101 : 100)).map { [$0] })
    // The value that's sent within the first delivery nests one more.
    #expect(deepest == (afterANestedOne ? 2 : 1))
    history.onValue = nil
    history.cancel()
  }

  @Test func aRequestOnAnotherThreadWithinADeliveryIsScheduled() {
    let source = Source()
    let log = CallLog()
    let scheduler = ManualScheduler()
    let history = History<[Int], TestError>(demand: .max(1))
    history.onValue = { values in
      if values == [1] { onAnotherThread { history.request(.max(1)) } }
      log.append("\(values) scheduled \(scheduler.pendingCount)")
      return .none
    }
    source.collect(.byTimeOrCount(scheduler, .nanoseconds(13), 1)).subscribe(history)
    for value in 1...2 { source.send(value) }
    // The timer's interval, and an action for each full array.
    #expect(scheduler.pendingCount == 3)
    scheduler.runNext()
    #expect(log.lines == ["[1] scheduled 3", "[2] scheduled 3"])
    history.onValue = nil
    history.cancel()
  }

  @Test func aRequestWithinTheSubscriptionIsScheduled() {
    let source = Source()
    let history = History<[Int], TestError>()
    history.onSubscription = { subscription in
      for value in 1...3 {
        source.send(value)
        subscription.request(.max(1))
      }
    }
    source.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 1)).subscribe(history)
    #expect(history.values == [[1], [2], [3]])
    history.onSubscription = nil
    history.cancel()
  }

  // MARK: Cancellation

  @Test(arguments: [false, true])
  func aCancellationEndsTheTimerAndDropsEverything(hasFinished: Bool) {
    let timeline = Timeline(count: 2)
    for value in 1...3 { timeline.source.send(value) }
    if hasFinished { timeline.source.finish() }
    timeline.history.cancel()
    timeline.history.cancel()
    timeline.history.request(1)
    #expect(timeline.source.send(4) == .none)
    timeline.source.finish()
    timeline.clock.advance(to: .seconds(3))
    #expect(timeline.history.events == [.subscription("CollectByTime")])
    #expect(
      timeline.source.calls == [.request(.unlimited)] + (hasFinished ? [] : [.cancel]))
    #expect(timeline.clock.pendingWork.isEmpty)
    timeline.end()
  }

  @Test func aCancellationWithinADeliveryDropsTheRest() {
    let timeline = Timeline(count: 2)
    timeline.inside = { _ in
      timeline.history.cancel()
      return .max(1)
    }
    for value in 1...5 { timeline.source.send(value) }
    timeline.clock.advance(to: .seconds(3))
    #expect(timeline.log.lines == ["0: [1, 2]"])
    #expect(timeline.source.calls == [.request(.unlimited), .cancel])
    timeline.end()
  }

  @Test func aCancellationOnAttachingEndsTheTimer() {
    let source = Source()
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let history = History<[Int], TestError>()
    history.onSubscription = { $0.cancel() }
    source.collect(.byTime(clock, .seconds(1))).subscribe(history)
    #expect(clock.pendingWork.isEmpty)
    #expect(source.calls == [.cancel])
    history.onSubscription = nil
  }

  @Test func timersThatCannotBeCancelledAreIgnored() {
    let source = Source()
    let scheduler = ManualScheduler(cancels: false)
    let history = source.collect(.byTime(scheduler, .nanoseconds(13))).history()
    source.send(1)
    history.cancel()
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(history.events == [.subscription("CollectByTime")])
  }

  // MARK: Release

  @Test func signalsBeforeTheSubscriptionAreDroppedAndASecondOneIsCancelled() {
    let source = Source(sendsSubscription: false)
    let scheduler = ManualScheduler()
    let history = source.collect(.byTime(scheduler, .nanoseconds(13))).history()
    source.send(1)
    source.finish()
    #expect(scheduler.pendingCount == 0)
    source.sendSubscription()
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(scheduler.pendingCount == 1)
    source.send(2)
    scheduler.run()
    #expect(history.events == [.subscription("CollectByTime"), .value([2])])
  }

  @Test func eachSubscriberHasItsOwnIntervals() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = PassthroughSubject<Int, TestError>()
    let publisher = source.collect(.byTime(clock, .seconds(1)))
    let first = publisher.history()
    source.send(1)
    clock.advance(by: .milliseconds(500))
    let second = publisher.history()
    source.send(2)
    clock.advance(to: .seconds(1))
    #expect(first.values == [[1, 2]])
    #expect(second.values == [])
    first.cancel()
    source.send(3)
    clock.advance(to: .seconds(5))
    #expect(first.values == [[1, 2]])
    #expect(second.values == [[2, 3]])
    second.cancel()
    #expect(clock.pendingWork.isEmpty)
  }

  enum Ending: CaseIterable { case finish, failure, cancellation, cancellationInside, release }

  @Test(arguments: Ending.allCases) func releasesEverythingAtTheEnd(_ ending: Ending) {
    weak var upstream: ScriptedSubscription?
    weak var downstream: History<[Token], TestError>?
    weak var waiting: Token?
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    var subscription: (any Subscription)?
    do {
      let source = ScriptedPublisher<Token, TestError>()
      let history = History<[Token], TestError>()
      history.onSubscription = {
        subscription = $0
        $0.request(.max(1))
      }
      source.collect(.byTimeOrCount(clock, .seconds(1), 3)).subscribe(history)
      upstream = source.subscriptions.last
      downstream = history
      let token = Token()
      waiting = token
      source.send(token)
      switch ending {
      case .finish:
        source.finish()
        clock.advance()
      case .failure:
        source.fail("no more")
        clock.advance()
      case .cancellation: subscription?.cancel()
      case .cancellationInside:
        history.onValue = { _ in
          subscription?.cancel()
          return .none
        }
        clock.advance(by: .seconds(1))
      case .release:
        subscription = nil
        source.releaseSubscribers()
      }
      history.removeAll()
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    #expect(downstream == nil)
    #expect(waiting == nil)
    #expect((subscription == nil) == (ending == .release))
    #expect(clock.pendingWork.isEmpty)
  }

  @Test func keepsItsParameters() {
    let scheduler = ManualScheduler()
    let publisher = Just(1).collect(.byTimeOrCount(scheduler, 3, 4), options: "o")
    #expect(publisher.upstream == Just(1))
    #expect(publisher.options == "o")
    guard case .byTimeOrCount(let kept, let interval, let count) = publisher.strategy else {
      Issue.record("another strategy")
      return
    }
    #expect(kept === scheduler)
    #expect(interval == 3)
    #expect(count == 4)
  }

  // MARK: Threads

  @Test(arguments: [nil, 3] as [Int?])
  func valuesAndTimersMayMeetOnSeveralThreads(count: Int?) {
    for _ in 0..<20 {
      let queue = ConcurrentQueue()
      let source = Source()
      let room = Room()
      let ended = DispatchSemaphore(value: 0)
      let history = History<[Int], TestError>(demand: .max(1))
      history.onValue = { _ in
        room.visit()
        return .max(1)
      }
      history.onCompletion = { _ in ended.signal() }
      source.collect(strategy(queue, .microseconds(20), count)).subscribe(history)
      onThreads(2) { thread in
        if thread == 0 {
          for value in 0..<1000 { source.send(value) }
          source.finish()
        } else {
          for _ in 0..<100 { history.request(1) }
        }
      }
      ended.wait()
      #expect(history.values.flatMap { $0 } == Array(0..<1000))
      #expect(history.values.allSatisfy { !$0.isEmpty && $0.count <= count ?? .max })
      #expect(history.events.last == .finished)
      #expect(room.encounters == 0)
      history.onValue = nil
      history.onCompletion = nil
    }
  }

  @Test func aCancellationFromAnotherThreadReleasesEverything() {
    for _ in 0..<100 {
      weak var downstream: History<[Token], TestError>?
      let scheduler = ManualScheduler()
      do {
        let source = ScriptedPublisher<Token, TestError>()
        let history = source.collect(.byTimeOrCount(scheduler, .nanoseconds(1), 2)).history()
        downstream = history
        onThreads(3) { thread in
          switch thread {
          case 0: for _ in 0..<20 { source.send(Token()) }
          case 1: for _ in 0..<20 { scheduler.runNext() }
          default: history.cancel()
          }
        }
        scheduler.run()
        history.removeAll()
        history.releaseSubscription()
      }
      #expect(downstream == nil)
    }
  }
}

private func strategy<S: Scheduler>(
  _ scheduler: S, _ interval: S.SchedulerTimeType.Stride, _ count: Int?
) -> Publishers.TimeGroupingStrategy<S> {
  count.map { .byTimeOrCount(scheduler, interval, $0) } ?? .byTime(scheduler, interval)
}

/// A source whose values are collected on a virtual clock for one second each, and a log of the
/// moments of delivery.
private final class Timeline: @unchecked Sendable {
  // One thread uses it.
  let clock = VirtualTimeScheduler { Issue.record("\($0)") }
  let source = CollectByTimeTests.Source()
  let log = CallLog()
  let history: History<[Int], TestError>
  var inside: (([Int]) -> Subscribers.Demand)?

  init(count: Int?, demand: Subscribers.Demand = .unlimited) {
    history = History(demand: demand)
    history.onValue = { [unowned self] values in
      log.append("\(clock.now): \(values)")
      return inside?(values) ?? .none
    }
    history.onCompletion = { [unowned self] in log.append("\(clock.now): \($0)") }
    source.collect(strategy(clock, .seconds(1), count)).subscribe(history)
  }

  func send(_ values: [(milliseconds: Int, value: Int)]) {
    for (time, value) in values {
      clock.schedule(after: .milliseconds(time)) { [source] in source.send(value) }
    }
  }

  /// Cancels, and runs what was scheduled before, because the clock would keep it.
  func end() {
    history.cancel()
    clock.advance()
    inside = nil
    history.onValue = nil
    history.onCompletion = nil
  }
}
