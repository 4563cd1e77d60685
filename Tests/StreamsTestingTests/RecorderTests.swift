import Streams
import StreamsTesting
import TestSupport
import Testing

struct RecorderTests {
  private let clock = VirtualTimeScheduler()
  private let source = ScriptedPublisher<Int, TestError>()

  @Test func recordsEveryEventWithItsTime() {
    clock.advance(to: .milliseconds(5))
    let recorder = source.record(on: clock)
    source.send(1)
    clock.advance(to: .milliseconds(7))
    source.send(2)
    source.fail("no more")
    #expect(
      recorder.events == [
        .subscription(at: .milliseconds(5)), .value(1, at: .milliseconds(5)),
        .value(2, at: .milliseconds(7)), .failure("no more", at: .milliseconds(7)),
      ])
    #expect(recorder.values == [1, 2])
    #expect(recorder.times == [.milliseconds(5), .milliseconds(7)])
    #expect(recorder.completion == .failure("no more"))
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func requestsWhatYouSay() {
    let recorder = source.record(demand: .max(2), demandPerValue: .max(3), on: clock)
    #expect(source.send(1) == .max(3))
    recorder.request(4)
    recorder.request(.unlimited)
    #expect(source.calls == [.request(.max(2)), .request(.max(4)), .request(.unlimited)])
  }

  @Test func requestsNothingWithoutDemand() {
    let recorder = source.record(demand: .none, on: clock)
    #expect(source.calls == [])
    #expect(recorder.completion == nil)
  }

  @Test func cancelsOnce() {
    let recorder = source.record(demand: .none, on: clock)
    clock.advance(to: .seconds(1))
    recorder.cancel()
    recorder.cancel()
    recorder.request(1)
    #expect(recorder.events == [.subscription(at: .zero), .cancelled(at: .seconds(1))])
    #expect(source.calls == [.cancel])
  }

  @Test func cancelsBeforeOtherWorkOfTheMoment() {
    clock.schedule(after: .seconds(1)) { [source] in source.send(1) }
    let recorder = source.record(demand: .none, on: clock)
    recorder.cancel(at: .seconds(1))
    clock.run()
    #expect(
      recorder.events == [
        .subscription(at: .zero), .cancelled(at: .seconds(1)), .value(1, at: .seconds(1)),
      ])
  }

  @Test func aCancellationInThePastIsAnIssue() {
    clock.advance(to: .seconds(2))
    let recorder = source.record(demand: .none, on: clock)
    #expect(
      issues { recorder.cancel(at: .seconds(1)) } == ["can't cancel at 1s: the clock is at 2s"])
    #expect(source.calls == [])
  }

  @Test func theEndRemovesAScheduledCancellation() {
    let recorder = source.record(demand: .none, on: clock)
    recorder.cancel(at: .seconds(1))
    source.finish()
    #expect(clock.pendingWork.isEmpty)
    recorder.cancel(at: .seconds(2))
    recorder.cancel()
    #expect(clock.pendingWork.isEmpty)
    #expect(recorder.events == [.subscription(at: .zero), .finished(at: .zero)])
    #expect(source.calls == [])
  }

  @Test func aCancellationRemovesAScheduledOne() {
    let recorder = source.record(demand: .none, on: clock)
    recorder.cancel(at: .seconds(1))
    recorder.cancel()
    #expect(clock.pendingWork.isEmpty)
  }

  @Test func aCancellationBeforeTheSubscriptionCancelsItThen() {
    let recorder = Recorder<Int, TestError>(on: clock)
    recorder.cancel()
    source.subscribe(recorder)
    #expect(recorder.events == [.subscription(at: .zero), .cancelled(at: .zero)])
    #expect(source.calls == [.cancel])
  }

  @Test func recordsEventsThatBreakTheRules() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let recorder = source.record(demand: .max(1), on: clock)
    source.send(1)
    source.sendSubscription()
    source.sendSubscription()
    source.finish()
    source.send(2)
    source.fail("no more")
    #expect(
      recorder.events == [
        .value(1, at: .zero), .subscription(at: .zero), .subscription(at: .zero),
        .finished(at: .zero), .value(2, at: .zero), .failure("no more", at: .zero),
      ])
    #expect(recorder.completion == .finished)
    #expect(source.calls == [.request(.max(1)), .cancel])
  }

  @Test func nextLooksAtOneEventAtATime() {
    let recorder = source.record(on: clock)
    source.send(1)
    clock.advance(to: .milliseconds(7))
    source.send(2)
    source.finish()
    #expect(recorder.next() == .value(1, at: .zero))
    #expect(recorder.next() == .value(2, at: .milliseconds(7)))
    #expect(recorder.unreadEvents == [.finished(at: .milliseconds(7))])
    #expect(recorder.next() == .finished(at: .milliseconds(7)))
    #expect(recorder.next() == nil)
    #expect(recorder.events.count == 4)
  }

  @Test func anyReadLooksAtEverythingSoFar() {
    let reads: [(Recorder<Int, TestError>) -> Void] = [
      { _ = $0.events }, { _ = $0.values }, { _ = $0.times }, { _ = $0.completion },
    ]
    for read in reads {
      let source = ScriptedPublisher<Int, TestError>()
      let recorder = source.record(on: clock)
      source.send(1)
      #expect(recorder.unreadEvents == [.value(1, at: .zero)])
      read(recorder)
      #expect(recorder.unreadEvents == [])
      #expect(recorder.next() == nil)
      source.send(2)
      #expect(recorder.next() == .value(2, at: .zero))
    }
  }

  @Test func subscriptionsAndCancellationsAreNotUnread() {
    let recorder = source.record(on: clock)
    recorder.cancel()
    #expect(recorder.unreadEvents == [])
    #expect(recorder.unreadMessage == nil)
  }

  @Test func moreEventsThanExpectedAreAnIssue() {
    let recorder = source.record(on: clock)
    source.send(1)
    source.finish()
    #expect(recorder.next() == .value(1, at: .zero))
    #expect(
      issues { recorder.expectNoMoreEvents() } == ["expected no more events, got finished at 0"])
    #expect(issues { recorder.expectNoMoreEvents() } == [])
  }

  @Test func unreadEventsNameTheRecorder() {
    let recorder = source.record(on: clock)
    let place = "StreamsTestingTests/RecorderTests.swift:\(#line - 1)"
    source.send(1)
    #expect(
      recorder.unreadMessage
        == "the test didn't look at 1 event of the recorder made at \(place): value 1 at 0")
    for number in 2...8 { source.send(number) }
    #expect(
      recorder.unreadMessage
        == "the test didn't look at 8 events of the recorder made at \(place): value 1 at 0, "
        + "value 2 at 0, value 3 at 0, value 4 at 0, value 5 at 0 and 3 more")
  }

  @Test func manyThreadsMayDeliver() {
    let recorder = source.record(on: clock)
    let source = source
    onThreads(4) { _ in for number in 0..<500 { source.send(number) } }
    #expect(recorder.values.sorted() == (0..<2_000).map { $0 / 4 })
  }
}
