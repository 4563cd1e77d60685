import Dispatch
import Streams
import TestSupport
import Testing
import VirtualTime

struct DebounceTests {
  @Test func aValueIsDeliveredOnceNoNewerOneHasArrivedForTheDueTime() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = ScriptedPublisher<Int, TestError>()
    let log = CallLog()
    let history = History<Int, TestError>()
    history.onValue = { value in
      log.append("\(clock.now): \(value)")
      return .none
    }
    history.onCompletion = { log.append("\(clock.now): \($0)") }
    source.debounce(for: .milliseconds(500), scheduler: clock).subscribe(history)
    for (time, value) in [(0, 0), (250, 1), (1000, 2), (1250, 3), (1500, 4), (2100, 5)] {
      clock.schedule(after: .milliseconds(time)) { source.send(value) }
    }
    clock.schedule(after: .seconds(3)) { source.finish() }
    clock.run()
    #expect(log.lines == ["750ms: 1", "2s: 4", "2600ms: 5", "3s: finished"])
    #expect(clock.pendingWork.isEmpty)
    #expect(source.calls == [.request(.unlimited)])
    history.onValue = nil
    history.onCompletion = nil
  }

  @Test func eachValueRestartsTheWaitAndTheCompletionHasNoOptions() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<Int, TestError>(demand: .max(2), perValue: .max(1), log: log)
    source.debounce(for: .nanoseconds(13), scheduler: scheduler, options: "later")
      .subscribe(history)
    for value in 1...3 { #expect(source.send(value) == .none) }
    scheduler.run()
    source.finish()
    scheduler.run()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription Debounce", "upstream: request unlimited",
        "scheduler: now", "scheduler: schedule after 13 interval 13 tolerance 7 options later",
        "scheduler: now", "scheduler: schedule after 13 interval 13 tolerance 7 options later",
        "scheduler: cancel #1",
        "scheduler: now", "scheduler: schedule after 13 interval 13 tolerance 7 options later",
        "scheduler: cancel #2", "scheduler: cancel #3", "downstream: value 3",
        "scheduler: schedule", "downstream: finished",
      ])
  }

  @Test(arguments: [Subscribers.Completion<TestError>.finished, .failure("no more")])
  func theCompletionDropsTheWaitingValue(_ completion: Subscribers.Completion<TestError>) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
    source.send(1)
    source.send(completion: completion)
    #expect(history.events == [.subscription("Debounce")])
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    source.send(2)
    source.finish()
    #expect(scheduler.pendingCount == 0)
    #expect(scheduler.now.nanoseconds == 0)
    #expect(history.events == [.subscription("Debounce"), .completion(completion)])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func aValueWithoutDemandWhenItIsDueIsDropped() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
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
    #expect(
      history.events == [.subscription("Debounce"), .value(3), .value(4), .value(7)])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func returnedDemandAndRequestsInsideAddUp() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
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
    #expect(history.values == [1, 2, 3])
    history.onValue = nil
  }

  @Test func aCancellationCancelsTheScheduledWait() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler(log: log)
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
    source.send(1)
    history.cancel()
    history.cancel()
    history.request(1)
    source.send(2)
    source.finish()
    #expect(scheduler.pendingCount == 0)
    #expect(log.lines.suffix(1) == ["scheduler: cancel #1"])
    #expect(history.events == [.subscription("Debounce")])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func onceTheCompletionIsScheduledACancellationIsTooLate() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
    source.finish()
    history.cancel()
    scheduler.run()
    #expect(history.events == [.subscription("Debounce"), .finished])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func aCancellationOnAttachingRequestsNothing() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>()
    history.onSubscription = { $0.cancel() }
    source.debounce(for: .nanoseconds(13), scheduler: scheduler).subscribe(history)
    source.send(1)
    #expect(scheduler.pendingCount == 0)
    #expect(source.calls == [.cancel])
    history.onSubscription = nil
  }

  @Test func timersThatCannotBeCancelledAreIgnored() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler(cancels: false)
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
    for value in 1...3 { source.send(value) }
    scheduler.run()
    #expect(history.values == [3])
    source.send(4)
    history.cancel()
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(history.events == [.subscription("Debounce"), .value(3)])
  }

  @Test func aValueSentWhileOneIsDeliveredWaitsItsFullDueTime() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = ScriptedPublisher<Int, TestError>()
    let log = CallLog()
    let history = History<Int, TestError>()
    history.onValue = { value in
      log.append("\(clock.now): \(value)")
      if value < 3 { source.send(value + 1) } else { source.finish() }
      log.append("end of \(value)")
      return .none
    }
    source.debounce(for: .milliseconds(10), scheduler: clock).subscribe(history)
    source.send(1)
    clock.run()
    #expect(
      log.lines == ["10ms: 1", "end of 1", "20ms: 2", "end of 2", "30ms: 3", "end of 3"])
    #expect(history.completion == .finished)
    #expect(clock.pendingWork.isEmpty)
    history.onValue = nil
  }

  @Test(arguments: [0, -5]) func withADueTimeOfZeroOrLessAValueIsDeliveredInTheNextAction(
    milliseconds: Int
  ) {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.debounce(for: .milliseconds(milliseconds), scheduler: clock).history()
    source.send(1)
    source.send(2)
    #expect(history.values == [])
    clock.run()
    #expect(history.values == [2])
    #expect(clock.now == .zero)
  }

  @Test func onAnImmediateSchedulerEachValueIsDueAtOnce() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.debounce(for: 13, scheduler: ImmediateScheduler.shared).history()
    source.send(1)
    source.send(2)
    source.fail("no more")
    #expect(
      history.events == [.subscription("Debounce"), .value(1), .value(2), .failure("no more")])
  }

  @Test func aValueBeforeTheSubscriptionStartsNoWait() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let scheduler = ManualScheduler()
    let history = source.debounce(for: .nanoseconds(13), scheduler: scheduler).history()
    source.send(1)
    #expect(scheduler.pendingCount == 0)
    source.sendSubscription()
    source.send(2)
    scheduler.run()
    #expect(history.events == [.subscription("Debounce"), .value(2)])
  }

  @Test func aWaitingValueIsDeliveredEvenIfTheStreamIsReleased() {
    let log = CallLog()
    let scheduler = ManualScheduler()
    do {
      let source = ScriptedPublisher<Int, TestError>()
      source.debounce(for: .nanoseconds(13), scheduler: scheduler)
        .subscribe(History<Int, TestError>(log: log))
      source.send(1)
    }
    scheduler.run()
    #expect(log.lines == ["downstream: subscription Debounce", "downstream: value 1"])
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).debounce(for: 3, scheduler: ManualScheduler(), options: "o")
    #expect(publisher.upstream == Just(1))
    #expect(publisher.dueTime == 3)
    #expect(publisher.options == "o")
  }

  // MARK: Threads

  @Test func deliveriesFromManyThreadsDoNotOverlapAndKeepTheirOrder() {
    for _ in 0..<100 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler(cancels: false)
      let room = Room()
      let history = History<Int, TestError>()
      history.onValue = { _ in
        room.visit()
        return .none
      }
      source.debounce(for: .nanoseconds(13), scheduler: scheduler).subscribe(history)
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        if thread == 0 {
          for value in 0..<50 { source.send(value) }
        } else {
          for _ in 0..<50 { scheduler.runNext() }
        }
      }
      scheduler.run()
      #expect(history.values == Array(Set(history.values)).sorted())
      #expect(history.values.last == 49)
      #expect(room.encounters == 0)
      history.onValue = nil
    }
  }

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
      #expect(scheduler.pendingCount == 0)
      #expect(history.events == [.subscription("Debounce")])
    }
  }
}
