import Streams
import TestSupport
import Testing
import VirtualTime

/// Tests cancellations, and what is released at each end.
struct ThrottleReleaseTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test(arguments: [(hasValue: true, hasFinished: false), (true, true), (false, true)])
  func aCancellationDropsTheWaitingValueAndTheCompletion(hasValue: Bool, hasFinished: Bool) {
    let source = Source()
    let scheduler = ManualScheduler()
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
      .history()
    if hasValue { source.send(1) }
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
