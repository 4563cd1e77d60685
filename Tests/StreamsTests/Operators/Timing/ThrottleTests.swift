import Dispatch
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
    let timeline = Timeline(for: .seconds(1), latest: latest)
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
    let timeline = Timeline(for: .seconds(1), latest: latest)
    timeline.send([(0, 1), (500, 2), (1000, 3)])
    timeline.clock.run()
    #expect(timeline.log.lines == lines)
    timeline.end()
  }

  @Test(arguments: [false, true])
  func aValueAtTheEndOfAnIntervalOpensTheNextIfItComesAfterTheDelivery(latest: Bool) {
    let timeline = Timeline(for: .seconds(1), latest: latest)
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

  @Test(arguments: [0, -5]) func withAnIntervalOfZeroOrLessEachValueGoesOutAtOnce(
    milliseconds: Int
  ) {
    let timeline = Timeline(for: .milliseconds(milliseconds), latest: false)
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
    let timeline = Timeline(for: .seconds(1), latest: latest)
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
    let timeline = Timeline(for: .seconds(1), latest: true)
    timeline.send([(0, 1)])
    timeline.clock.schedule(after: .milliseconds(400)) {
      timeline.source.send(completion: completion)
      #expect(timeline.history.completion == nil)
    }
    timeline.clock.run()
    #expect(timeline.log.lines == ["0: 1", "400ms: \(completion)"])
    timeline.end()
  }

  @Test func theCompletionNeedsNoDemand() {
    let source = Source()
    let scheduler = ManualScheduler()
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history(demand: .none)
    source.send(1)
    source.finish()
    scheduler.run()
    #expect(history.events == [.subscription("Throttle"), .finished])
  }

  // MARK: Re-entrancy

  @Test func aValueSentWhileOneIsDeliveredWaitsAFullInterval() {
    let timeline = Timeline(for: .seconds(1), latest: true)
    timeline.inside = { value in
      if value < 3 { timeline.source.send(value + 1) } else { timeline.source.finish() }
    }
    timeline.source.send(1)
    timeline.clock.run()
    #expect(
      timeline.log.lines == ["0: 1", "1s: 2", "2s: 3", "2s: finished"])
    timeline.end()
  }

  // MARK: Cancellation

  @Test(arguments: [false, true])
  func aCancellationDropsTheWaitingValueAndTheCompletion(hasFinished: Bool) {
    let source = Source()
    let scheduler = ManualScheduler()
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history()
    source.send(1)
    if hasFinished { source.finish() }
    history.cancel()
    history.cancel()
    history.request(1)
    source.send(2)
    scheduler.run()
    source.finish()
    scheduler.run()
    #expect(history.events == [.subscription("Throttle")])
    #expect(source.calls == [.request(.unlimited)] + (hasFinished ? [] : [.cancel]))
  }

  @Test func aCancellationDropsAScheduledCompletion() {
    let source = Source()
    let scheduler = ManualScheduler()
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history()
    source.finish()
    history.cancel()
    scheduler.run()
    #expect(history.events == [.subscription("Throttle")])
  }

  @Test func aCancellationWithinTheLastDeliveryDropsTheCompletion() {
    let source = Source()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>()
    history.onValue = { _ in
      history.cancel()
      return .none
    }
    source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true).subscribe(history)
    source.send(1)
    source.finish()
    scheduler.run()
    #expect(history.events == [.subscription("Throttle"), .value(1)])
    history.onValue = nil
  }

  @Test func aCancellationOnAttachingRequestsNothing() {
    let source = Source()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>()
    history.onSubscription = { $0.cancel() }
    source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true).subscribe(history)
    source.send(1)
    #expect(scheduler.pendingCount == 0)
    #expect(source.calls == [.cancel])
    history.onSubscription = nil
  }

  // MARK: Release

  @Test func signalsBeforeTheSubscriptionAreDroppedAndASecondOneIsCancelled() {
    let source = Source(sendsSubscription: false)
    let scheduler = ManualScheduler()
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history()
    source.send(1)
    source.finish()
    #expect(scheduler.pendingCount == 0)
    source.sendSubscription()
    #expect(source.sendSubscription().calls == [.cancel])
    source.send(2)
    scheduler.run()
    #expect(history.events == [.subscription("Throttle"), .value(2)])
  }

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

  enum Ending: CaseIterable { case finish, cancellation, cancellationInside }

  @Test(arguments: Ending.allCases) func releasesEverythingAtTheEnd(_ ending: Ending) {
    weak var upstream: ScriptedSubscription?
    weak var downstream: History<Token, TestError>?
    weak var waiting: Token?
    let scheduler = ManualScheduler()
    var subscription: (any Subscription)?
    do {
      let source = ScriptedPublisher<Token, TestError>()
      let history = History<Token, TestError>()
      history.onSubscription = {
        subscription = $0
        $0.request(.unlimited)
      }
      source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
        .subscribe(history)
      upstream = source.subscriptions.last
      downstream = history
      let token = Token()
      waiting = token
      source.send(token)
      switch ending {
      case .finish:
        source.finish()
        scheduler.run()
        history.removeAll()
      case .cancellation: subscription?.cancel()
      case .cancellationInside:
        history.onValue = { _ in
          subscription?.cancel()
          return .none
        }
        scheduler.run()
        history.removeAll()
      }
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    #expect(downstream == nil)
    #expect(waiting == nil)
    #expect(subscription != nil)
  }

  @Test func aReplacedValueIsReleasedAtOnce() {
    weak var replaced: Token?
    let source = ScriptedPublisher<Token, TestError>()
    let scheduler = ManualScheduler()
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history()
    do {
      let token = Token()
      replaced = token
      source.send(token)
    }
    #expect(replaced != nil)
    source.send(Token())
    #expect(replaced == nil)
    history.cancel()
  }

  /// Combine schedules with a weak reference.
  @Test(arguments: [false, true])
  func theSchedulerDoesNotKeepTheStreamAlive(hasValue: Bool) {
    let log = CallLog()
    let scheduler = ManualScheduler()
    weak var downstream: History<Int, TestError>?
    do {
      let source = Source()
      let history = History<Int, TestError>(log: log)
      downstream = history
      source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
        .subscribe(history)
      if hasValue { source.send(1) } else { source.finish() }
      #expect(scheduler.pendingCount == 1)
      history.releaseSubscription()
      source.releaseSubscribers()
    }
    #expect(downstream == nil)
    scheduler.run()
    #expect(log.lines == ["downstream: subscription Throttle"])
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).throttle(for: 3, scheduler: ManualScheduler(), latest: true)
    #expect(publisher.upstream == Just(1))
    #expect(publisher.interval == 3)
    #expect(publisher.latest)
    #expect(!Just(1).throttle(for: 3, scheduler: ManualScheduler(), latest: false).latest)
  }

  // MARK: Threads

  @Test func deliveriesFromManyThreadsDoNotOverlapAndKeepTheirOrder() {
    for _ in 0..<100 {
      let source = Source()
      let scheduler = ManualScheduler()
      let room = Room()
      let history = History<Int, TestError>()
      history.onValue = { _ in
        room.visit()
        return .none
      }
      source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
        .subscribe(history)
      onThreads(3) { thread in
        if thread == 0 {
          for value in 0..<50 { source.send(value) }
          source.finish()
        } else {
          for _ in 0..<50 { scheduler.runNext() }
        }
      }
      scheduler.run()
      #expect(history.values == Array(Set(history.values)).sorted())
      #expect(history.values.last == 49)
      #expect(history.completion == .finished)
      #expect(room.encounters == 0)
      history.onValue = nil
    }
  }

  @Test func aConcurrentQueueKeepsTheOrderToo() {
    let queue = ConcurrentQueue()
    let source = Source()
    let room = Room()
    let ended = DispatchSemaphore(value: 0)
    let history = History<Int, TestError>()
    history.onValue = { _ in
      room.visit()
      return .none
    }
    history.onCompletion = { _ in ended.signal() }
    source.throttle(for: .microseconds(1), scheduler: queue, latest: true).subscribe(history)
    for value in 0..<20_000 { source.send(value) }
    source.finish()
    ended.wait()
    #expect(history.values == Array(Set(history.values)).sorted())
    #expect(history.values.last == 19_999)
    #expect(room.encounters == 0)
    history.onValue = nil
    history.onCompletion = nil
  }

  @Test func aCancellationFromAnotherThreadReleasesEverything() {
    for _ in 0..<200 {
      weak var downstream: History<Token, TestError>?
      let scheduler = ManualScheduler()
      do {
        let source = ScriptedPublisher<Token, TestError>()
        let history = source.throttle(for: .nanoseconds(1), scheduler: scheduler, latest: true)
          .history()
        downstream = history
        onThreads(3) { thread in
          switch thread {
          case 0: for _ in 0..<20 { source.send(Token()) }
          case 1: for _ in 0..<20 { scheduler.runNext() }
          default: history.cancel()
          }
        }
        history.removeAll()
        history.releaseSubscription()
      }
      #expect(downstream == nil)
    }
  }
}

/// A throttled source on a virtual clock, and a log of the moments of delivery.
private final class Timeline: @unchecked Sendable {
  // One thread uses it.
  let clock = VirtualTimeScheduler { Issue.record("\($0)") }
  let source = ThrottleTests.Source()
  let log = CallLog()
  let history = History<Int, TestError>()
  var inside: ((Int) -> Void)?

  init(for interval: VirtualTime.Interval, latest: Bool) {
    history.onValue = { [unowned self] value in
      log.append("\(clock.now): \(value)")
      inside?(value)
      return .none
    }
    history.onCompletion = { [unowned self] in log.append("\(clock.now): \($0)") }
    source.throttle(for: interval, scheduler: clock, latest: latest).subscribe(history)
  }

  func send(_ values: [(milliseconds: Int, value: Int)]) {
    for (time, value) in values {
      clock.schedule(after: .milliseconds(time)) { [source] in source.send(value) }
    }
  }

  func end() {
    #expect(clock.pendingWork.isEmpty)
    inside = nil
    history.onValue = nil
    history.onCompletion = nil
  }
}
