import Streams
import StreamsTesting
import TestSupport
import Testing

struct HotPublisherTests {
  private let clock = VirtualTimeScheduler()

  @Test func sendsAtFixedTimesWithAndWithoutSubscribers() {
    let source = clock.hot("-a-b-c|", ["a": 1, "b": 2, "c": 3])
    let first = source.record(on: clock)
    first.cancel(at: .milliseconds(4))
    clock.advance(by: .milliseconds(2))
    let second = source.record(on: clock)
    clock.run()
    #expect(
      first.events == [
        .subscription(at: .zero), .value(1, at: .milliseconds(1)),
        .value(2, at: .milliseconds(3)), .cancelled(at: .milliseconds(4)),
      ])
    #expect(
      second.events == [
        .subscription(at: .milliseconds(2)), .value(2, at: .milliseconds(3)),
        .value(3, at: .milliseconds(5)), .finished(at: .milliseconds(6)),
      ])
    expectSubscriptions(source, ["^---!", "--^---|"])
  }

  @Test func sendsAList() {
    let source: HotPublisher<Int, TestError> = clock.hot(
      [.failure("no more", at: .seconds(2)), .value(1, at: .seconds(1))])
    let recorder = source.record(on: clock)
    clock.run()
    #expect(
      recorder.events == [
        .subscription(at: .zero), .value(1, at: .seconds(1)), .failure("no more", at: .seconds(2)),
      ])
  }

  @Test func theCaretIsThePresentMoment() {
    clock.advance(to: .milliseconds(100))
    let source = clock.hot("-a-^-b-#", failure: TestError("no more"))
    let recorder = source.record(on: clock)
    clock.run()
    #expect(
      recorder.events == [
        .subscription(at: .milliseconds(100)), .value("b", at: .milliseconds(102)),
        .failure("no more", at: .milliseconds(104)),
      ])
  }

  @Test func aValueWithoutDemandIsDropped() {
    let source = clock.hot("-abcd|")
    let eager = source.record(on: clock)
    let slow = source.record(demand: .max(1), on: clock)
    clock.advance(by: .milliseconds(3))
    slow.request(1)
    clock.run()
    expectMarbles(eager, "-abcd|")
    expectMarbles(slow, "-a--d|")
    #expect(
      source.droppedValues == [
        [], [.value("b", at: .milliseconds(2)), .value("c", at: .milliseconds(3))],
      ])
  }

  @Test func aLateSubscriberGetsOnlyTheCompletion() {
    let source = clock.hot("-a|")
    clock.run()
    let late = source.record(demand: .none, on: clock)
    #expect(
      late.events == [.subscription(at: .milliseconds(2)), .finished(at: .milliseconds(2))])
    expectSubscriptions(source, ["--(^|)"])
  }

  @Test func itSendsWithoutBeingKept() {
    let recorder = clock.hot("-a|").map { $0 + $0 }.record(on: clock)
    clock.run()
    #expect(recorder.values == ["aa"])
  }

  @Test func aSubscriberCancelledByAnotherGetsNothing() {
    let source = clock.hot("-a-b")
    let second = Recorder<String, Never>(on: clock)
    let first = source.sink { if $0 == "b" { second.cancel() } }
    source.subscribe(second)
    clock.run()
    #expect(
      second.events == [
        .subscription(at: .zero), .value("a", at: .milliseconds(1)),
        .cancelled(at: .milliseconds(3)),
      ])
    first.cancel()
  }

  @Test func eventsInThePastAreAnIssue() {
    clock.advance(to: .milliseconds(2))
    #expect(
      issues {
        _ = clock.hot("-a-b")
        let _: HotPublisher<Int, Never> = clock.hot([.finished(at: .milliseconds(1))])
      } == [
        "a source can't send value \"a\" at 1ms: it starts at 2ms",
        "a source can't send finished at 1ms: it starts at 2ms",
      ])
    #expect(clock.pendingWork.isEmpty)
  }

  @Test func aCancellationIsAnIssue() {
    #expect(
      issues { _ = clock.hot("^-a!") } == [
        "a source doesn't cancel: use Recorder.cancel(at:) instead of cancelled at 3ms (`!`)"
      ])
  }
}
