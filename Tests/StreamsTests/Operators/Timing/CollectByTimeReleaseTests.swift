import Streams
import TestSupport
import Testing
import VirtualTime

/// Tests cancellations, and what is released at each end.
struct CollectByTimeReleaseTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test(arguments: [false, true])
  func aCancellationEndsTheTimerAndDropsEverything(hasFinished: Bool) {
    let timeline = CollectByTimeTests.timeline(count: 2)
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
    let timeline = CollectByTimeTests.timeline(count: 2)
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
