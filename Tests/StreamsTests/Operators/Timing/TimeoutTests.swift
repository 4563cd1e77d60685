import Dispatch
import Streams
import TestSupport
import Testing
import VirtualTime

struct TimeoutTests {
  @Test(arguments: [nil, "too late"]) func endsWhenNoValueHasArrivedForTheInterval(error: String?) {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = ScriptedPublisher<Int, TestError>()
    let log = CallLog()
    let history = History<Int, TestError>()
    history.onValue = { value in
      log.append("\(clock.now): \(value)")
      return .none
    }
    history.onCompletion = { log.append("\(clock.now): \($0)") }
    source.onCancel = { log.append("\(clock.now): cancel") }
    source.timeout(
      .milliseconds(100), scheduler: clock,
      customError: error.map { text in { TestError(text) } }
    )
    .subscribe(history)
    for time in [90, 180, 500] {
      clock.schedule(after: .milliseconds(time)) { source.send(time) }
    }
    clock.schedule(after: .milliseconds(600)) { source.finish() }
    clock.run()
    let end = error.map { "failure(\($0))" } ?? "finished"
    #expect(log.lines == ["90ms: 90", "180ms: 180", "280ms: cancel", "280ms: \(end)"])
    #expect(clock.pendingWork.isEmpty)
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
    history.onCompletion = nil
  }

  @Test func theTimeCountsFromTheSubscriptionTheFirstRequestAndEachValue() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<Int, TestError>(demand: .none, perValue: .max(2), log: log)
    source.timeout(.nanoseconds(13), scheduler: scheduler, options: "there").subscribe(history)
    history.request(.none)
    history.request(1)
    #expect(source.send(1) == .none)
    scheduler.runNext()
    source.fail("no more")
    scheduler.run()
    let wait = "scheduler: schedule after 13 interval 13 tolerance 7 options there"
    #expect(
      log.lines == [
        "upstream: subscribe", "scheduler: now", wait, "downstream: subscription Timeout",
        "scheduler: now", wait, "scheduler: cancel #1", "upstream: request max(0)",
        "upstream: request max(1)",
        "scheduler: now", wait, "scheduler: cancel #2", "scheduler: schedule options there",
        "downstream: value 1", "upstream: request max(2)",
        "scheduler: cancel #3", "scheduler: schedule options there",
        "downstream: failure no more",
      ])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure("no more")])
  func theCompletionCancelsTheScheduledWait(_ completion: Subscribers.Completion<TestError>) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.timeout(
      .nanoseconds(13), scheduler: scheduler, customError: { "too late" }
    ).history()
    source.send(1)
    source.send(completion: completion)
    #expect(source.send(2) == .none)
    source.finish()
    history.request(1)
    #expect(scheduler.pendingCount == 2)
    scheduler.run()
    #expect(scheduler.now.nanoseconds == 0)
    #expect(history.events == [.subscription("Timeout"), .value(1), .completion(completion)])
    #expect(source.calls == [.request(.unlimited)])
  }

  /// The scheduler behaves like a queue that is busy for longer than the interval.
  @Test(arguments: [false, true]) func aCompletionThatOvertakesAValueWaitsForIt(isCancelled: Bool) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.timeout(.seconds(1), scheduler: scheduler).history()
    for value in 1...2 { source.send(value) }
    source.finish()
    scheduler.runLast()
    scheduler.runLast()
    #expect(history.events == [.subscription("Timeout"), .value(2)])
    if isCancelled { history.cancel() }
    scheduler.runLast()
    #expect(
      history.events
        == [.subscription("Timeout"), .value(2)] + (isCancelled ? [] : [.value(1), .finished]))
  }

  @Test func valuesThatStillWaitForTheirTurnAtTheTimeoutAreDropped() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = LateScheduler()
    source.timeout(.nanoseconds(13), scheduler: scheduler)
      .subscribe(History<Int, TestError>(log: log))
    source.send(1)
    scheduler.timers.run()
    scheduler.hops.run()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription Timeout", "upstream: request unlimited",
        "upstream: cancel", "downstream: finished",
      ])
  }

  @Test func signalsAtTheTimeoutAreIgnored() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.timeout(.nanoseconds(13), scheduler: scheduler).history()
    source.onCancel = {
      source.send(1)
      source.fail("late")
    }
    scheduler.run()
    source.send(2)
    source.finish()
    history.request(1)
    history.cancel()
    #expect(scheduler.pendingCount == 0)
    #expect(history.events == [.subscription("Timeout"), .finished])
    #expect(source.calls == [.request(.unlimited), .cancel])
    source.onCancel = nil
  }

  @Test func aCancellationCancelsTheScheduledWait() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.timeout(.nanoseconds(13), scheduler: scheduler).history()
    source.send(1)
    history.cancel()
    history.cancel()
    history.request(1)
    #expect(source.send(2) == .none)
    source.finish()
    // The pending action is the value that was scheduled.
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(history.events == [.subscription("Timeout")])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func aCancellationStopsAScheduledCompletion() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.timeout(.nanoseconds(13), scheduler: scheduler).history()
    source.finish()
    history.cancel()
    scheduler.run()
    #expect(history.events == [.subscription("Timeout")])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func aSubscriberThatCancelsWhileUpstreamIsCancelledGetsNoCompletion() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.timeout(.nanoseconds(13), scheduler: scheduler).history()
    source.onCancel = { history.cancel() }
    scheduler.run()
    #expect(history.events == [.subscription("Timeout")])
    #expect(source.calls == [.request(.unlimited), .cancel])
    source.onCancel = nil
  }

  @Test func aCancellationOnAttachingEndsItAll() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>()
    history.onSubscription = {
      $0.cancel()
      $0.request(.max(1))
    }
    source.timeout(.nanoseconds(13), scheduler: scheduler).subscribe(history)
    source.send(1)
    #expect(scheduler.pendingCount == 0)
    #expect(history.events == [.subscription("Timeout")])
    #expect(source.calls == [.cancel])
    history.onSubscription = nil
  }

  @Test func aCancellationFromWithinADeliveryDropsTheRest() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>(perValue: .max(1))
    history.onValue = { _ in
      history.cancel()
      return .none
    }
    source.timeout(.nanoseconds(13), scheduler: scheduler).subscribe(history)
    source.send(1)
    source.send(2)
    scheduler.run()
    #expect(history.events == [.subscription("Timeout"), .value(1)])
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
  }

  @Test func timersThatCannotBeCancelledAreIgnored() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler(cancels: false)
    let history = source.timeout(.nanoseconds(13), scheduler: scheduler).history()
    source.finish()
    scheduler.run()
    #expect(history.events == [.subscription("Timeout"), .finished])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test(arguments: [0, -5]) func withoutAnIntervalTheTimeoutOnlyWaitsForItsTurn(milliseconds: Int) {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.timeout(.milliseconds(milliseconds), scheduler: clock).history()
    #expect(history.events == [.subscription("Timeout")])
    clock.run()
    #expect(history.events == [.subscription("Timeout"), .finished])
    #expect(clock.now == .zero)
  }

  @Test func anImmediateSchedulerIsRefused() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Just(1).timeout(1, scheduler: ImmediateScheduler.shared).history()
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("timeout: this scheduler doesn't wait: use one that does"))
  }

  @Test func eachSubscriberHasItsOwnWait() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = PassthroughSubject<Int, TestError>()
    let publisher = source.timeout(.milliseconds(10), scheduler: clock)
    let first = publisher.history()
    clock.advance(by: .milliseconds(5))
    let second = publisher.history()
    clock.schedule(after: .milliseconds(12)) { source.send(1) }
    clock.advance(to: .milliseconds(20))
    #expect(first.events == [.subscription("Timeout"), .finished])
    #expect(second.events == [.subscription("Timeout"), .value(1)])
    second.cancel()
    #expect(clock.pendingWork.isEmpty)
  }

  @Test func keepsItsParameters() {
    let publisher = Fail<Int, TestError>(error: "no more")
      .timeout(3, scheduler: ManualScheduler(), options: "o", customError: { "late" })
    #expect(publisher.upstream == Fail(error: "no more"))
    #expect(publisher.interval == 3)
    #expect(publisher.options == "o")
    #expect(publisher.customError?() == "late")
  }

  // MARK: Threads

  @Test func valuesAndTimeoutsMayMeetOnTwoThreads() {
    for round in 0..<300 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler()
      let room = Room()
      let history = History<Int, TestError>()
      history.onValue = { _ in
        room.visit()
        return .none
      }
      source.timeout(.nanoseconds(13), scheduler: scheduler).subscribe(history)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        switch thread {
        case 0:
          for value in 0..<10 { source.send(value) }
        case 1 where round.isMultiple(of: 3):
          history.cancel()
        default:
          for _ in 0..<10 { scheduler.runNext() }
        }
      }
      scheduler.run()
      let completions = history.events.filter { $0 == .finished }.count
      #expect(scheduler.pendingCount == 0)
      #expect(source.calls.filter { $0 == .cancel }.count == 1)
      #expect(completions == 1 || round.isMultiple(of: 3) && completions == 0)
      #expect(completions == 0 || history.events.last == .finished)
      #expect(room.encounters == 0)
      history.onValue = nil
    }
  }

  @Test func aTimeoutOnAnotherThreadWaitsForTheSubscription() {
    for _ in 0..<200 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler()
      let history = History<Int, TestError>()
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          source.timeout(.nanoseconds(13), scheduler: scheduler).subscribe(history)
        } else {
          while !scheduler.runNext() {}
        }
      }
      scheduler.run()
      #expect(history.events == [.subscription("Timeout"), .finished])
    }
  }
}

/// A scheduler that lets the test run timers and immediate actions separately.
private struct LateScheduler: Scheduler {
  typealias SchedulerTimeType = ManualScheduler.SchedulerTimeType
  typealias SchedulerOptions = String

  let timers = ManualScheduler()
  let hops = ManualScheduler()

  var now: SchedulerTimeType { timers.now }
  var minimumTolerance: SchedulerTimeType.Stride { timers.minimumTolerance }

  func schedule(options: String?, _ action: @escaping () -> Void) {
    hops.schedule(options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: String?,
    _ action: @escaping () -> Void
  ) {
    timers.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: String?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    timers.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
