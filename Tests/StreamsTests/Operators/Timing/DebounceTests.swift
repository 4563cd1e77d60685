import Dispatch
import Streams
import TestSupport
import Testing
import VirtualTime

struct DebounceTests {
  let source = ScriptedPublisher<Int, TestError>()
  let scheduler = ManualScheduler()
  let log = CallLog()
  let clock = VirtualTimeScheduler { Issue.record("\($0)") }

  @Test func aValueIsDeliveredOnceNoNewerOneHasArrivedForTheDueTime() {
    expectMarbles("0-1-----2-3-4----5------|", "------1---------4----5--|") {
      $0.debounce(for: .milliseconds(4), scheduler: $1)
    }
    // The end drops the value that waits.
    for end in ["|", "#"] {
      expectMarbles("1----2-" + end, "----1--" + end) {
        $0.debounce(for: .milliseconds(4), scheduler: $1)
      }
    }
  }

  @Test func eachValueRestartsTheWaitAndTheCompletionHasNoOptions() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    source.debounce(for: .nanoseconds(13), scheduler: scheduler, options: "later")
      .subscribe(History(demand: .max(2), perValue: .max(1), log: log))
    for value in 1...3 { expectEqual(source.send(value), .none) }
    scheduler.run()
    source.finish()
    scheduler.run()
    log.expect([
      "upstream: subscribe", "downstream: subscription Debounce", "upstream: request unlimited",
      "scheduler: now", "scheduler: schedule after 13 interval 13 tolerance 7 options later",
      "scheduler: now", "scheduler: schedule after 13 interval 13 tolerance 7 options later",
      "scheduler: cancel #1", "scheduler: now",
      "scheduler: schedule after 13 interval 13 tolerance 7 options later", "scheduler: cancel #2",
      "scheduler: cancel #3", "downstream: value 3", "scheduler: schedule", "downstream: finished",
    ])
  }

  @Test func aValueWithoutDemandWhenItIsDueIsDropped() {
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler)
      .history(demand: .none)
    func send(_ value: Int) {
      source.send(value)
      scheduler.run()
    }
    send(1)
    history.request(.none)
    send(2)
    history.request(2)
    for value in 3...6 { send(value) }
    // A request while the value waits is early enough.
    source.send(7)
    history.request(1)
    scheduler.run()
    expectEqual(history.text, "Debounce: 3 4 7")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func returnedDemandAndRequestsInsideAddUp() {
    let history = History<Int, TestError>(demand: .max(1))
    history.onValue = { value in
      guard value == 1 else { return .none }
      history.request(1)
      return .max(1)
    }
    source.debounce(for: .nanoseconds(13), scheduler: scheduler).subscribe(history)
    for value in 1...4 {
      source.send(value)
      scheduler.run()
    }
    expectEqual(history.values, [1, 2, 3])
  }

  @Test func aCancellationCancelsTheScheduledWait() {
    let scheduler = ManualScheduler(log: log)
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
    source.send(1)
    history.cancel()
    history.cancel()
    history.request(1)
    source.send(2)
    source.finish()
    expectEqual(scheduler.pendingCount, 0)
    expectEqual(log.lines.suffix(1), ["scheduler: cancel #1"])
    expectEqual(history.text, "Debounce:")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func onceTheCompletionIsScheduledACancellationIsTooLate() {
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
    source.finish()
    history.cancel()
    scheduler.run()
    expectEqual(history.text, "Debounce: |")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func timersThatCannotBeCancelledAreIgnored() {
    let scheduler = ManualScheduler(cancels: false)
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
    for value in 1...3 { source.send(value) }
    scheduler.run()
    expectEqual(history.values, [3])
    source.send(4)
    history.cancel()
    expectEqual(scheduler.pendingCount, 1)
    scheduler.run()
    expectEqual(history.text, "Debounce: 3")
  }

  @Test func aValueSentWhileOneIsDeliveredWaitsItsFullDueTime() {
    let history = source.debounce(for: .milliseconds(10), scheduler: clock).history { _, value in
      log.append("\(clock.now): \(value)")
      if value < 3 { source.send(value + 1) } else { source.finish() }
      log.append("end of \(value)")
    }
    source.send(1)
    clock.run()
    log.expect(["10ms: 1", "end of 1", "20ms: 2", "end of 2", "30ms: 3", "end of 3"])
    expectEqual(history.completion, .finished)
    #expect(clock.pendingWork.isEmpty)
  }

  @Test(arguments: [0, -5]) func withADueTimeOfZeroOrLessAValueIsDeliveredInTheNextAction(
    milliseconds: Int
  ) {
    let history = source.debounce(for: .milliseconds(milliseconds), scheduler: clock).history()
    source.send(1)
    source.send(2)
    expectEqual(history.values, [])
    clock.run()
    expectEqual(history.values, [2])
    expectEqual(clock.now, .zero)
  }

  @Test func onAnImmediateSchedulerEachValueIsDueAtOnce() {
    let history = source.debounce(for: 13, scheduler: ImmediateScheduler.shared).history()
    source.send(1)
    source.send(2)
    source.fail("no more")
    expectEqual(history.text, "Debounce: 1 2 x(no more)")
  }

  @Test func aWaitingValueIsDeliveredEvenIfTheStreamIsReleased() {
    do {
      let source = ScriptedPublisher<Int, TestError>()
      source.debounce(for: .nanoseconds(13), scheduler: scheduler)
        .subscribe(History<Int, TestError>(log: log))
      source.send(1)
    }
    scheduler.run()
    log.expect(["downstream: subscription Debounce", "downstream: value 1"])
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).debounce(for: 3, scheduler: ManualScheduler(), options: "o")
    expectEqual(publisher.upstream, Just(1))
    expectEqual(publisher.dueTime, 3)
    expectEqual(publisher.options, "o")
  }

  // MARK: Threads

  @Test func aCancellationFromAnotherThreadLeavesNothingOnTheScheduler() {
    for _ in 0..<300 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler()
      let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          for value in 0..<20 { source.send(value) }
        } else {
          history.cancel()
        }
      }
      expectEqual(scheduler.pendingCount, 0)
      expectEqual(history.text, "Debounce:")
    }
  }
}
