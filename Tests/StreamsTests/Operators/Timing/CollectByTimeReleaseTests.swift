import Streams
import TestSupport
import Testing
import VirtualTime

/// Tests cancellations, and what is released at each end.
struct CollectByTimeReleaseTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test(arguments: [false, true])
  func aCancellationEndsTheTimerAndDropsEverything(hasFinished: Bool) {
    let timeline = CollectByTimeTests.timeline(count: 2)
    for value in 1...3 { timeline.source.send(value) }
    if hasFinished { timeline.source.finish() }
    timeline.history.cancel()
    timeline.history.cancel()
    timeline.history.request(1)
    expectEqual(timeline.source.send(4), .none)
    timeline.source.finish()
    timeline.clock.advance(to: .seconds(3))
    expectEqual(timeline.history.text, "CollectByTime:")
    expectEqual(timeline.source.calls, [.request(.unlimited)] + (hasFinished ? [] : [.cancel]))
    #expect(timeline.clock.pendingWork.isEmpty)
    timeline.end()
  }

  @Test func aCancellationOnAttachingEndsTheTimer() {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let history = History<[Int], TestError>()
    history.onSubscription = { $0.cancel() }
    source.collect(.byTime(clock, .seconds(1))).subscribe(history)
    #expect(clock.pendingWork.isEmpty)
    expectEqual(source.calls, [.cancel])
  }

  @Test func timersThatCannotBeCancelledAreIgnored() {
    let scheduler = ManualScheduler(cancels: false)
    let history = source.collect(.byTime(scheduler, .nanoseconds(13))).history()
    source.send(1)
    history.cancel()
    expectEqual(scheduler.pendingCount, 1)
    scheduler.run()
    expectEqual(history.text, "CollectByTime:")
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
