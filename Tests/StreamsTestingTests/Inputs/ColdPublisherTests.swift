import Streams
import StreamsTesting
import TestSupport
import Testing

struct ColdPublisherTests {
  private let clock = VirtualTimeScheduler()

  @Test func playsItsEventsFromEachSubscription() {
    let source = clock.cold("-a-b|", ["a": 1, "b": 2])
    let first = source.record(on: clock)
    clock.advance(by: .milliseconds(2))
    let second = source.record(on: clock)
    clock.run()
    #expect(
      first.events == [
        .subscription(at: .zero), .value(1, at: .milliseconds(1)),
        .value(2, at: .milliseconds(3)), .finished(at: .milliseconds(4)),
      ])
    #expect(
      second.events == [
        .subscription(at: .milliseconds(2)), .value(1, at: .milliseconds(3)),
        .value(2, at: .milliseconds(5)), .finished(at: .milliseconds(6)),
      ])
    expectSubscriptions(source, ["^---|", "--^---|"])
  }

  @Test func playsAListInOrderOfTime() {
    let source: ColdPublisher<String, TestError> = clock.cold(
      [
        .failure("no more", at: .seconds(3)), .value("x", at: .milliseconds(300)),
        .value("y", at: .milliseconds(300)),
      ])
    let recorder = source.record(on: clock)
    clock.run()
    #expect(
      recorder.events == [
        .subscription(at: .zero), .value("x", at: .milliseconds(300)),
        .value("y", at: .milliseconds(300)), .failure("no more", at: .seconds(3)),
      ])
    expectSubscriptions(source, ["^ 2999ms |"])
  }

  @Test func lettersAreValuesThemselves() {
    let recorder = clock.cold("(ab)-c|").record(on: clock)
    clock.run()
    #expect(recorder.values == ["a", "b", "c"])
    #expect(recorder.times == [.zero, .zero, .milliseconds(5)])
  }

  @Test func aFailureIsTheErrorOfTheHash() {
    let source = clock.cold("-a#", ["a": 1], failure: TestError("boom"))
    let recorder = source.record(on: clock)
    clock.run()
    #expect(
      recorder.events == [
        .subscription(at: .zero), .value(1, at: .milliseconds(1)),
        .failure("boom", at: .milliseconds(2)),
      ])
  }

  @Test func anEventAtZeroWaitsForTheClock() {
    let recorder = clock.cold("(a|)").record(on: clock)
    #expect(recorder.events == [.subscription(at: .zero)])
    clock.advance()
    #expect(
      recorder.events == [.subscription(at: .zero), .value("a", at: .zero), .finished(at: .zero)])
  }

  @Test func aValueWithoutDemandWaitsForIt() {
    let source = clock.cold("-abc|")
    let recorder = source.record(demand: .max(1), on: clock)
    clock.run()
    #expect(source.waitingValues == [["b", "c"]])
    clock.advance(to: .milliseconds(10))
    recorder.request(1)
    clock.advance(to: .milliseconds(20))
    recorder.request(5)
    #expect(
      recorder.events == [
        .subscription(at: .zero), .value("a", at: .milliseconds(1)),
        .value("b", at: .milliseconds(10)), .value("c", at: .milliseconds(20)),
        .finished(at: .milliseconds(20)),
      ])
    #expect(source.waitingValues == [[]])
    expectSubscriptions(source, ["^ 19ms |"])
  }

  @Test func aCompletionNeedsNoDemand() {
    let recorder = clock.cold("--|").record(demand: .none, on: clock)
    clock.run()
    #expect(recorder.events == [.subscription(at: .zero), .finished(at: .milliseconds(2))])
  }

  @Test func demandPerValueKeepsValuesComing() {
    let source = clock.cold("-abc|")
    let recorder = source.record(demand: .max(1), demandPerValue: .max(1), on: clock)
    clock.run()
    expectMarbles(recorder, "-abc|")
  }

  @Test func aCancelledSubscriptionLeavesNoWork() {
    let source = clock.cold("-a-b|")
    let recorder = source.record(on: clock)
    recorder.cancel(at: .milliseconds(2))
    clock.run()
    #expect(
      recorder.events == [
        .subscription(at: .zero), .value("a", at: .milliseconds(1)),
        .cancelled(at: .milliseconds(2)),
      ])
    #expect(clock.now == .milliseconds(2))
    #expect(clock.pendingWork.isEmpty)
    expectSubscriptions(source, ["^-!"])
  }

  @Test func aStreamThatEndedLeavesNoWork() {
    let recorder = clock.cold("-a|").record(on: clock)
    clock.run()
    #expect(recorder.values == ["a"])
    #expect(clock.pendingWork.isEmpty)
  }

  @Test func nothingComesAfterACancellationInADelivery() {
    let source = clock.cold("(abc|)")
    let history = History<String, Never>()
    history.onValue = { value in
      if value == "b" { history.cancel() }
      return .none
    }
    source.subscribe(history)
    clock.run()
    #expect(history.events == [.subscription("ColdPublisher"), .value("a"), .value("b")])
    expectSubscriptions(source, ["(^!)"])
  }

  @Test func aRequestInADeliveryDoesNotNest() {
    let source = clock.cold("(abc|)")
    let log = CallLog()
    let history = History<String, Never>(demand: .none)
    source.subscribe(history)
    clock.run()
    history.onValue = { value in
      log.append("begin \(value)")
      history.request(1)
      log.append("end \(value)")
      return .none
    }
    history.request(1)
    #expect(
      log.lines == ["begin a", "end a", "begin b", "end b", "begin c", "end c"])
    #expect(history.completion == .finished)
  }

  @Test func subscriptionsOfOneInstantPlayInTheirOrder() {
    let log = CallLog()
    let slow = clock.cold("a-b")
    let fast = clock.cold("--c")
    let first = slow.sink { log.append($0) }
    let second = fast.sink { log.append($0) }
    clock.run()
    #expect(log.lines == ["a", "b", "c"])
    first.cancel()
    second.cancel()
  }

  @Test func workOnTheClockNamesTheSource() {
    let source = clock.cold("-a")
    let line = #line - 1
    let recorder = source.record(on: clock)
    #expect(
      clock.pendingWork.map { "\($0)" } == [
        "1ms #1 ColdPublisher, scheduled at StreamsTestingTests/ColdPublisherTests.swift:\(line)"
      ])
    recorder.cancel()
  }

  @Test func aRequestOfNothingIsAnIssue() {
    #expect(
      issues {
        let recorder = clock.cold("-a|").record(demand: .none, on: clock)
        recorder.request(0)
      } == ["a subscriber requested no values: request at least one"])
  }

  @Test(
    arguments: [
      ([.value(1, at: .seconds(-1))], "a source can't send value 1 at -1s: it starts at 0"),
      (
        [.value(1, at: .seconds(3)), .finished(at: .seconds(2))],
        "a source can't send value 1 at 3s: its stream ends with finished at 2s"
      ),
      (
        [.finished(at: .seconds(2)), .finished(at: .seconds(2))],
        "a source can't send finished at 2s: its stream ends with finished at 2s"
      ),
      (
        [.subscription(at: .zero)],
        "a source doesn't subscribe, so leave out subscription at 0 (`^`)"
      ),
      (
        [.cancelled(at: .seconds(2))],
        "a source doesn't cancel: use Recorder.cancel(at:) instead of cancelled at 2s (`!`)"
      ),
    ] as [([TimedEvent<Int, Never>], String)])
  func anImpossibleEventIsAnIssue(events: [TimedEvent<Int, Never>], message: String) {
    var recorded: [TimedEvent<Int, Never>] = []
    #expect(
      issues {
        let recorder = clock.cold(events).record(on: clock)
        clock.run()
        recorded = recorder.events
      } == [message])
    #expect(recorded == [.subscription(at: .zero)])
  }

  @Test func unreadableMarblesAreAnIssueAtTheLineOfTheSource() {
    #expect(
      issueLines { _ = clock.cold("-(a") } == [#line])
    #expect(
      issues { _ = clock.cold("-b", ["a": 1]) } == [
        """
        can't read the marbles: `b` stands for no value, so add it: ["b": …]
          -b
           ^
        """
      ])
    #expect(
      issues { _ = clock.cold("-a-#") } == [
        """
        can't read the marbles: `#` is a failure, but the stream can't fail
          -a-#
             ^
        """
      ])
    #expect(
      issues { _ = clock.cold("-a", ["a": 1, "\u{301}": 2]) } == [
        """
        can't read the marbles: `\u{301}` can't stand for a value, so choose another letter
          -a
          ^
        """
      ])
    #expect(
      issues { _ = clock.cold("-🇩", ["🇩": 3]) } == [
        """
        can't read the marbles: `🇩` can't stand for a value, so choose another letter
          -🇩
           ^
        """
      ])
    #expect(
      issues { _ = clock.cold("-a-|", ["a": 1, "|": 2]) } == [
        """
        can't read the marbles: `|` can't stand for a value, so choose another letter
          -a-|
             ^
        """
      ])
  }

  @Test func onlyOneThreadDeliversAtATime() {
    let source = clock.cold(
      (0..<1_000).map { .value($0, at: .zero) } + [.finished(at: .zero)])
    let violations = Locked<[ContractViolation]>([])
    let recorder =
      source
      .checkingContract(reportingTo: { violation in violations.withLock { $0.append(violation) } })
      .record(demand: .none, on: clock)
    clock.run()
    onThreads(4) { _ in for _ in 0..<250 { recorder.request(1) } }
    #expect(recorder.values == Array(0..<1_000))
    #expect(recorder.completion == .finished)
    #expect(violations.withLock { $0 } == [])
  }
}
