import Streams
import StreamsTesting
import TestSupport
import Testing

struct CheckingContractTests {
  private let clock = VirtualTimeScheduler()
  private let source = ScriptedPublisher<Int, TestError>()
  private let history = History<Int, TestError>(demand: .max(2))
  private let log = CallLog()

  /// The rules that were broken, and how.
  private var violations: [String] { log.lines }

  private func check(_ source: ScriptedPublisher<Int, TestError>) {
    source.checkingContract(into: log.append).subscribe(history)
  }

  @Test func aCorrectStreamPassesUnchanged() {
    history.onValue = { $0 == 2 ? .max(2) : .none }
    check(source)
    source.send(1)
    #expect(source.send(2) == .max(2))
    source.send(3)
    history.request(1)
    source.send(4)
    source.send(5)
    source.fail("no more")
    #expect(
      history.events == [
        .subscription("upstream"), .value(1), .value(2), .value(3), .value(4), .value(5),
        .failure("no more"),
      ])
    #expect(source.calls == [.request(.max(2)), .request(.max(1))])
    #expect(violations == [])
  }

  @Test func aValueWithoutDemandIsAViolation() {
    check(source)
    source.send(1)
    source.send(2)
    source.send(3)
    history.request(1)
    source.send(4)
    #expect(violations == ["value without demand: value 3, but only 2 were requested"])
    #expect(history.values == [1, 2, 3, 4])
  }

  @Test func signalsBeforeTheSubscriptionAreViolations() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    check(source)
    source.send(1)
    source.finish()
    #expect(
      violations == [
        "signal before the subscription: value 1", "signal before the subscription: finished",
      ])
    #expect(history.events == [.value(1), .finished])
  }

  @Test func aSecondSubscriptionIsAViolation() {
    check(source)
    source.sendSubscription()
    #expect(violations == ["second subscription: upstream"])
    #expect(history.events == [.subscription("upstream"), .subscription("upstream")])
  }

  @Test func signalsAfterTheCompletionAreViolations() {
    check(source)
    source.finish()
    source.send(1)
    source.fail("no more")
    #expect(
      violations == [
        "value after the completion: value 1", "second completion: failure no more",
      ])
    #expect(
      history.events == [
        .subscription("upstream"), .finished, .value(1), .failure("no more"),
      ])
  }

  @Test func signalsAfterACancellationAreViolations() {
    check(source)
    source.send(1)
    history.cancel()
    source.send(2)
    source.finish()
    #expect(
      violations == [
        "signal after the cancellation: value 2", "signal after the cancellation: finished",
      ])
    #expect(
      history.events == [
        .subscription("upstream"), .value(1), .value(2), .finished,
      ])
  }

  @Test func aSignalOfAnotherThreadAfterACancellationIsAllowed() {
    check(source)
    history.cancel()
    let source = source
    onAnotherThread { source.send(1) }
    #expect(violations == [])
  }

  @Test func aSignalDuringTheCancellationIsAllowed() {
    source.onCancel = { [source] in source.send(1) }
    check(source)
    history.cancel()
    #expect(violations == [])
    #expect(history.values == [1])
  }

  @Test func requestsAndCancellationsAfterTheEndAreAllowed() {
    check(source)
    source.finish()
    history.request(1)
    history.cancel()
    #expect(violations == [])
    #expect(source.calls == [.request(.max(2)), .request(.max(1)), .cancel])
  }

  @Test func requestsAndCancellationsAfterACancellationAreAllowed() {
    check(source)
    history.cancel()
    history.cancel()
    history.request(1)
    #expect(violations == [])
    #expect(source.calls == [.request(.max(2)), .cancel, .cancel, .request(.max(1))])
  }

  @Test func aRequestOfNothingIsAViolation() {
    check(source)
    history.request(.none)
    #expect(violations == ["request of nothing: request(.none)"])
    #expect(source.calls == [.request(.max(2)), .request(.none)])
  }

  @Test func concurrentSignalsAreAViolation() {
    history.onValue = { [source] value in
      if value == 1 { onAnotherThread { source.send(2) } }
      return .none
    }
    check(source)
    source.send(1)
    #expect(violations == ["concurrent signals: value 2 came while another thread delivered"])
    #expect(history.values == [1, 2])
  }

  @Test func aNestedSignalIsAllowed() {
    history.onValue = { [source] value in
      if value == 1 {
        source.send(2)
        source.finish()
      }
      return .none
    }
    check(source)
    source.send(1)
    #expect(violations == [])
    #expect(history.events == [.subscription("upstream"), .value(1), .value(2), .finished])
  }

  @Test func deliveriesOfSeveralThreadsInTurnAreAllowed() {
    check(source)
    let source = source
    onAnotherThread { source.send(1) }
    onAnotherThread { source.send(2) }
    source.finish()
    #expect(violations == [])
  }

  @Test func eachSubscriptionIsCheckedForItself() {
    let checked = source.checkingContract(into: log.append)
    checked.subscribe(history)
    let other = checked.history(demand: .max(1))
    source.send(1, to: 0)
    source.send(1, to: 1)
    source.send(2, to: 1)
    source.send(2, to: 0)
    #expect(violations == ["value without demand: value 2, but only 1 was requested"])
    #expect(other.values == [1, 2])
  }

  @Test func anIssueHasTheRuleTheNameTheTimeAndThePlace() {
    clock.advance(to: .milliseconds(300))
    let checked = source.checkingContract(as: "search", on: clock)
    let line = #line - 1
    checked.subscribe(history)
    #expect(
      issues {
        source.finish()
        source.finish()
      } == [
        "second completion in \"search\" at 300ms: finished, checked at "
          + "StreamsTestingTests/CheckingContractTests.swift:\(line)"
      ])
  }

  @Test func anIssueWithoutNameAndClockHasTheRuleAndThePlace() {
    source.checkingContract().subscribe(history)
    let line = #line - 1
    #expect(
      issues { history.request(.none) } == [
        "request of nothing: request(.none), checked at "
          + "StreamsTestingTests/CheckingContractTests.swift:\(line)"
      ])
  }

  @Test func timedSourcesFollowTheContract() {
    let cold = clock.cold("-a-(bc)|")
    let hot = clock.hot("-a-(bc)|")
    let recorders = [
      check(cold).record(demand: .max(1), demandPerValue: .max(1), on: clock),
      check(hot).record(demand: .max(1), demandPerValue: .max(1), on: clock),
      check(cold).record(demand: .max(1), on: clock),
      check(hot).record(demand: .max(1), on: clock),
    ]
    recorders[0].cancel(at: .milliseconds(3))
    clock.run()
    recorders[2].request(5)
    #expect(recorders.map(\.values) == [["a"], ["a", "b", "c"], ["a", "b", "c"], ["a"]])
    #expect(violations == [])
  }

  private func check<P: Publisher>(_ publisher: P) -> Publishers.CheckingContract<P> {
    publisher.checkingContract(into: log.append)
  }
}
