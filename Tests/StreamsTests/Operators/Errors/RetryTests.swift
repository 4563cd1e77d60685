import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Behaviour shared with `catch` is tested in
/// `SuccessionTests`.
struct RetryTests {
  @Test func subscribesAgainAsOftenAsItMay() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, TestError>(demand: .max(5), log: log)
    source.retry(2).subscribe(history)
    for attempt in 1...3 {
      #expect(source.send(attempt) == .none)
      source.fail(TestError("failure \(attempt)"))
    }
    #expect(source.send(4) == .none)
    source.fail("late")
    history.request(112)
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription Retry", "upstream: request max(5)",
        "downstream: value 1",
        "upstream: subscribe", "upstream: request max(4)", "downstream: value 2",
        "upstream: subscribe", "upstream: request max(3)", "downstream: value 3",
        "downstream: failure failure 3",
      ])
  }

  @Test func finishesWithTheAttemptThatFinishes() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.retry(3).history(demand: .max(4))
    source.send(1)
    source.fail("once")
    source.send(2)
    source.finish()
    source.fail("late")
    #expect(history.events == [.subscription("Retry"), .value(1), .value(2), .finished])
    #expect(source.calls == [.request(.max(4)), .request(.max(3))])
  }

  @Test(arguments: [nil, -1, -2])
  func withoutACountTheAttemptsAreUnlimited(retries: Int?) {
    let source = ScriptedPublisher<Int, TestError>()
    let history = Publishers.Retry(upstream: source, retries: retries).history(demand: .max(1))
    for _ in 0..<1000 { source.fail("again") }
    source.send(1)
    #expect(history.events == [.subscription("Retry"), .value(1)])
    #expect(source.subscriberCount == 1001)
  }

  @Test func anUpstreamThatFailsAtOnceIsRetriedWithoutRecursion() {
    let attempts = CallLog()
    let failing = FailingAtOnce(attempts: attempts)
    let history = failing.retry(100_000).history()
    #expect(history.events == [.subscription("Retry"), .failure("attempt 100001")])
  }

  @Test func anUpstreamThatFailsInsideARequestIsRetriedWithoutRecursion() {
    let source = ScriptedPublisher<Int, TestError>()
    source.onRequest = { [weak source] _ in source?.fail("no more") }
    let history = source.retry(10_000).history(demand: .none)
    history.request(1)
    #expect(history.events == [.subscription("Retry"), .failure("no more")])
    #expect(source.subscriberCount == 10_001)
  }

  @Test func aFailureDuringTheSubscriptionStartsTheNextAttemptAfterIt() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    source.onSubscribe = { [weak source] in
      guard let source else { return }
      if source.subscriberCount < 3 { source.fail("again") } else { source.finish() }
      log.append("subscribed")
    }
    let history = History<Int, TestError>(demand: .max(1), log: log)
    source.retry(5).subscribe(history)
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription Retry", "upstream: request max(1)",
        "subscribed", "upstream: subscribe", "upstream: request max(1)", "subscribed",
        "upstream: subscribe", "upstream: request max(1)", "downstream: finished", "subscribed",
      ])
  }

  @Test func demandReturnedForAValueDuringWhichTheAttemptFailsGoesToTheNext() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, TestError>(demand: .max(2))
    history.onValue = { _ in
      source.fail("no more")
      return .max(5)
    }
    source.retry(1).subscribe(history)
    #expect(source.send(1) == .none)
    #expect(source.calls == [.request(.max(2)), .request(.max(1)), .request(.max(5))])
    history.onValue = nil
  }

  @Test func aCancellationBetweenTwoAttemptsIsPassedToTheNextOne() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.retry(2).history()
    source.sendSubscription()
    source.fail("no more")
    history.cancel()
    let subscription = source.sendSubscription()
    #expect(subscription.calls == [.cancel])
    source.fail("late")
    #expect(source.subscriberCount == 2)
    #expect(history.events == [.subscription("Retry")])
  }

  @Test func aCancellationEndsTheAttempts() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, TestError>()
    source.onSubscribe = { [weak source] in
      guard let source else { return }
      if source.subscriberCount == 10 { history.cancel() }
      source.fail("again")
    }
    Publishers.Retry(upstream: source, retries: nil).subscribe(history)
    #expect(source.subscriberCount == 10)
    #expect(history.events == [.subscription("Retry")])
  }

  @Test func aCancellationWhileTheNextAttemptIsPendingEndsTheAttempts() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, TestError>()
    source.onSubscribe = { [weak source] in
      source?.fail("again")
      history.cancel()
    }
    source.retry(2).subscribe(history)
    #expect(source.subscriberCount == 1)
    #expect(history.events == [.subscription("Retry")])
  }

  @Test func aLateValueOfAnEarlierAttemptIsDropped() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.retry(1).history()
    source.fail("no more")
    #expect(source.send(1, to: 0) == .none)
    source.finish(to: 0)
    source.send(2)
    #expect(history.events == [.subscription("Retry"), .value(2)])
  }

  private struct FailingAtOnce: Publisher {
    typealias Output = Int
    typealias Failure = TestError

    let attempts: CallLog

    func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Int, S.Failure == TestError {
      attempts.append("")
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: .failure(TestError("attempt \(attempts.lines.count)")))
    }
  }
}
