import Streams
import TestSupport
import Testing

/// Tests cancellations, and what is released at each end.
struct ThrottleReleaseTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  let source = ScriptedPublisher<Int, TestError>()
  let scheduler = ManualScheduler()

  @Test(arguments: [(hasValue: true, hasFinished: false), (true, true), (false, true)])
  func aCancellationDropsTheWaitingValueAndTheCompletion(hasValue: Bool, hasFinished: Bool) {
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
    expectEqual(history.text, "Throttle:")
    expectEqual(source.calls, [.request(.unlimited)] + (hasFinished ? [] : [.cancel]))
  }

  @Test func aCancellationWithinTheLastDeliveryDropsTheCompletion() {
    let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true).history
    { history, _ in
      history.cancel()
    }
    source.send(1)
    source.finish()
    scheduler.run()
    expectEqual(history.text, "Throttle: 1")
  }

  /// Combine schedules with a weak reference.
  @Test(arguments: [false, true])
  func theSchedulerDoesNotKeepTheStreamAlive(hasValue: Bool) {
    let log = CallLog()
    weak var downstream: History<Int, TestError>?
    do {
      let source = Source()
      let history = History<Int, TestError>(log: log)
      downstream = history
      source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
        .subscribe(history)
      if hasValue { source.send(1) } else { source.finish() }
      expectEqual(scheduler.pendingCount, 1)
      history.releaseSubscription()
      source.releaseSubscribers()
    }
    #expect(downstream == nil)
    scheduler.run()
    log.expect(["downstream: subscription Throttle"])
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
