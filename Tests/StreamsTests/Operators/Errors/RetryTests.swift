import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Behaviour shared with `catch` is tested in
/// `SuccessionTests`.
struct RetryTests {
  let source = ScriptedPublisher<Int, TestError>()
  let log = CallLog()

  @Test func subscribesAgainAsOftenAsItMay() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.retry(2).history(demand: .max(5), log: log)
    for attempt in 1...3 {
      expectEqual(source.send(attempt), .none)
      source.fail(TestError("failure \(attempt)"))
    }
    expectEqual(source.send(4), .none)
    source.fail("late")
    history.request(112)
    log.expect([
      "upstream: subscribe", "downstream: subscription Retry", "upstream: request max(5)",
      "downstream: value 1", "upstream: subscribe", "upstream: request max(4)",
      "downstream: value 2", "upstream: subscribe", "upstream: request max(3)",
      "downstream: value 3", "downstream: failure failure 3",
    ])
  }

  @Test func finishesWithTheAttemptThatFinishes() {
    let history = source.retry(3).history(demand: .max(4))
    source.send(1)
    source.fail("once")
    source.send(2)
    source.finish()
    source.fail("late")
    expectEqual(history.text, "Retry: 1 2 |")
    expectEqual(source.calls, [.request(.max(4)), .request(.max(3))])
  }

  @Test(arguments: [nil, -1, -2])
  func withoutACountTheAttemptsAreUnlimited(retries: Int?) {
    let history = Publishers.Retry(upstream: source, retries: retries).history(demand: .max(1))
    for _ in 0..<1000 { source.fail("again") }
    source.send(1)
    expectEqual(history.text, "Retry: 1")
    expectEqual(source.subscriberCount, 1001)
  }

  @Test func anUpstreamThatFailsAtOnceIsRetriedWithoutRecursion() {
    let attempts = CallLog()
    let failing = FailingAtOnce(attempts: attempts)
    let history = failing.retry(100_000).history()
    expectEqual(history.text, "Retry: x(attempt 100001)")
  }

  @Test func anUpstreamThatFailsInsideARequestIsRetriedWithoutRecursion() {
    source.onRequest = { [weak source] _ in source?.fail("no more") }
    let history = source.retry(10_000).history(demand: .none)
    history.request(1)
    expectEqual(history.text, "Retry: x(no more)")
    expectEqual(source.subscriberCount, 10_001)
  }

  @Test func aFailureDuringTheSubscriptionStartsTheNextAttemptAfterIt() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    source.onSubscribe = { [weak source] in
      guard let source else { return }
      if source.subscriberCount < 3 { source.fail("again") } else { source.finish() }
      log.append("subscribed")
    }
    source.retry(5).subscribe(History(demand: .max(1), log: log))
    log.expect([
      "upstream: subscribe", "downstream: subscription Retry", "upstream: request max(1)",
      "subscribed", "upstream: subscribe", "upstream: request max(1)", "subscribed",
      "upstream: subscribe", "upstream: request max(1)", "downstream: finished", "subscribed",
    ])
  }

  @Test func aCancellationBetweenTwoAttemptsIsPassedToTheNextOne() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.retry(2).history()
    source.sendSubscription()
    source.fail("no more")
    history.cancel()
    let subscription = source.sendSubscription()
    expectEqual(subscription.calls, [.cancel])
    source.fail("late")
    expectEqual(source.subscriberCount, 2)
    expectEqual(history.text, "Retry:")
  }

  @Test func aCancellationEndsTheAttempts() {
    let history = History<Int, TestError>()
    source.onSubscribe = { [weak source] in
      guard let source else { return }
      if source.subscriberCount == 10 { history.cancel() }
      source.fail("again")
    }
    Publishers.Retry(upstream: source, retries: nil).subscribe(history)
    expectEqual(source.subscriberCount, 10)
    expectEqual(history.text, "Retry:")
  }

  @Test func aCancellationWhileTheNextAttemptIsPendingEndsTheAttempts() {
    let history = History<Int, TestError>()
    source.onSubscribe = { [weak source] in
      source?.fail("again")
      history.cancel()
    }
    source.retry(2).subscribe(history)
    expectEqual(source.subscriberCount, 1)
    expectEqual(history.text, "Retry:")
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
