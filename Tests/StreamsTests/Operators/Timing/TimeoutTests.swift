import Dispatch
import Streams
import TestSupport
import Testing
import VirtualTime

struct TimeoutTests {
  let source = ScriptedPublisher<Int, TestError>()
  let scheduler = ManualScheduler()
  let log = CallLog()

  private func timeout(on scheduler: ManualScheduler) -> History<Int, TestError> {
    source.timeout(.nanoseconds(13), scheduler: scheduler).history()
  }

  @Test func endsWhenNoValueHasArrivedForTheInterval() {
    expectMarbles("----a---b-----------c---|", "----a---b----|") {
      $0.timeout(.milliseconds(5), scheduler: $1)
    }
    expectMarbles("----a---b-----------c---|", "----a---b----#", failure: "too late") {
      $0.timeout(.milliseconds(5), scheduler: $1, customError: { "too late" })
    }
    expectMarbles("----a---b--|", "----a---b--|") { $0.timeout(.milliseconds(5), scheduler: $1) }
    expectMarbles("----a---b--#", "----a---b--#") { $0.timeout(.milliseconds(5), scheduler: $1) }
  }

  @Test func theTimeCountsFromTheSubscriptionTheFirstRequestAndEachValue() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = source.timeout(.nanoseconds(13), scheduler: scheduler, options: "there")
      .history(demand: .none, perValue: .max(2), log: log)
    history.request(.none)
    history.request(1)
    expectEqual(source.send(1), .none)
    scheduler.runNext()
    source.fail("no more")
    scheduler.run()
    let wait = "scheduler: schedule after 13 interval 13 tolerance 7 options there"
    log.expect([
      "upstream: subscribe", "scheduler: now", wait, "downstream: subscription Timeout",
      "scheduler: now", wait, "scheduler: cancel #1", "upstream: request max(0)",
      "upstream: request max(1)", "scheduler: now", wait, "scheduler: cancel #2",
      "scheduler: schedule options there", "downstream: value 1", "upstream: request max(2)",
      "scheduler: cancel #3", "scheduler: schedule options there", "downstream: failure no more",
    ])
  }

  @Test(arguments: End.allCases) func theCompletionCancelsTheScheduledWait(_ end: End) {
    let history = timeout(on: scheduler)
    source.send(1)
    source.send(completion: end.completion)
    expectEqual(source.send(2), .none)
    source.finish()
    history.request(1)
    expectEqual(scheduler.pendingCount, 2)
    scheduler.run()
    expectEqual(scheduler.now.nanoseconds, 0)
    expectEqual(history.text, "Timeout: 1 \(end.mark)")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  /// The scheduler behaves like a queue that is busy for longer than the interval.
  @Test(arguments: [false, true]) func aCompletionThatOvertakesAValueWaitsForIt(isCancelled: Bool) {
    let history = source.timeout(.seconds(1), scheduler: scheduler).history()
    for value in 1...2 { source.send(value) }
    source.finish()
    scheduler.runLast()
    scheduler.runLast()
    expectEqual(history.text, "Timeout: 2")
    if isCancelled { history.cancel() }
    scheduler.runLast()
    expectEqual(history.text, "Timeout: 2" + (isCancelled ? "" : " 1 |"))
  }

  @Test func valuesThatStillWaitForTheirTurnAtTheTimeoutAreDropped() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = LateScheduler()
    source.timeout(.nanoseconds(13), scheduler: scheduler)
      .subscribe(History<Int, TestError>(log: log))
    source.send(1)
    scheduler.timers.run()
    scheduler.hops.run()
    log.expect([
      "upstream: subscribe", "downstream: subscription Timeout", "upstream: request unlimited",
      "upstream: cancel", "downstream: finished",
    ])
  }

  @Test func signalsAtTheTimeoutAreIgnored() {
    let history = timeout(on: scheduler)
    source.onCancel = {
      source.send(1)
      source.fail("late")
    }
    scheduler.run()
    source.send(2)
    source.finish()
    history.request(1)
    history.cancel()
    expectEqual(scheduler.pendingCount, 0)
    expectEqual(history.text, "Timeout: |")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func aCancellationCancelsTheScheduledWait() {
    let history = timeout(on: scheduler)
    source.send(1)
    history.cancel()
    history.cancel()
    history.request(1)
    expectEqual(source.send(2), .none)
    source.finish()
    // The pending action is the value that was scheduled.
    expectEqual(scheduler.pendingCount, 1)
    scheduler.run()
    expectEqual(history.text, "Timeout:")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func aCancellationStopsAScheduledCompletion() {
    let history = timeout(on: scheduler)
    source.finish()
    history.cancel()
    scheduler.run()
    expectEqual(history.text, "Timeout:")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func aSubscriberThatCancelsWhileUpstreamIsCancelledGetsNoCompletion() {
    let history = timeout(on: scheduler)
    source.onCancel = { history.cancel() }
    scheduler.run()
    expectEqual(history.text, "Timeout:")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func timersThatCannotBeCancelledAreIgnored() {
    let scheduler = ManualScheduler(cancels: false)
    let history = timeout(on: scheduler)
    source.finish()
    scheduler.run()
    expectEqual(history.text, "Timeout: |")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test(arguments: [0, -5]) func withoutAnIntervalTheTimeoutOnlyWaitsForItsTurn(milliseconds: Int) {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let history = source.timeout(.milliseconds(milliseconds), scheduler: clock).history()
    expectEqual(history.text, "Timeout:")
    clock.run()
    expectEqual(history.text, "Timeout: |")
    expectEqual(clock.now, .zero)
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

  @Test func keepsItsParameters() {
    let publisher = Fail<Int, TestError>(error: "no more")
      .timeout(3, scheduler: ManualScheduler(), options: "o", customError: { "late" })
    expectEqual(publisher.upstream, Fail(error: "no more"))
    expectEqual(publisher.interval, 3)
    expectEqual(publisher.options, "o")
    expectEqual(publisher.customError?(), "late")
  }

  // MARK: Threads

  @Test func valuesAndTimeoutsMayMeetOnTwoThreads() {
    for round in 0..<300 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler()
      let room = Room()
      let history = source.timeout(.nanoseconds(13), scheduler: scheduler)
        .history { _, _ in room.visit() }
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
      expectEqual(scheduler.pendingCount, 0)
      expectEqual(source.calls.filter { $0 == .cancel }.count, 1)
      #expect(completions == 1 || round.isMultiple(of: 3) && completions == 0)
      #expect(completions == 0 || history.events.last == .finished)
      expectEqual(room.encounters, 0)
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
      expectEqual(history.text, "Timeout: |")
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
