import Streams
import TestSupport
import Testing

struct ReplaceErrorTests {
  @Test func publishesTheReplacementAndFinishes() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.replaceError(with: 42).history(demand: .max(1), perValue: .max(1))
    #expect(source.send(41) == .max(1))
    source.fail("no more")
    #expect(source.send(43) == .none)
    #expect(
      history.events == [.subscription("ReplaceError"), .value(41), .value(42), .finished])
    #expect(source.calls == [.request(.max(1))])
  }

  @Test func theReplacementIsNotUsedWithoutAFailure() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.replaceError(with: 42).history()
    source.send(1)
    source.finish()
    history.request(1)
    #expect(history.events == [.subscription("ReplaceError"), .value(1), .finished])
  }

  @Test func theReplacementWaitsUntilItIsRequested() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.replaceError(with: 42).history(demand: .max(1))
    source.send(9)
    source.fail("no more")
    #expect(history.events == [.subscription("ReplaceError"), .value(9)])
    history.request(1)
    history.request(1)
    #expect(history.events == [.subscription("ReplaceError"), .value(9), .value(42), .finished])
  }

  @Test func aCancellationDropsTheWaitingReplacement() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.replaceError(with: 42).history(demand: .none)
    source.fail("no more")
    history.cancel()
    history.request(1)
    #expect(history.events == [.subscription("ReplaceError")])
    #expect(source.calls == [])
  }

  @Test func signalsAfterTheFailureAreDropped() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.replaceError(with: 42).history(demand: .max(1))
    source.send(9)
    source.fail("no more")
    #expect(source.send(10) == .none)
    source.finish()
    history.request(2)
    #expect(history.events == [.subscription("ReplaceError"), .value(9), .value(42), .finished])
  }

  @Test func cancellingWhenTheReplacementArrivesPreventsTheCompletion() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, Never>()
    history.onValue = { [weak history] _ in
      history?.cancel()
      return .none
    }
    source.replaceError(with: 42).subscribe(history)
    source.fail("no more")
    #expect(history.events == [.subscription("ReplaceError"), .value(42)])
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("too early"))])
  func signalsBeforeTheSubscriptionAreDropped(completion: Subscribers.Completion<TestError>) {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.replaceError(with: 42).history()
    #expect(source.send(1) == .none)
    source.send(completion: completion)
    #expect(history.events == [])
    source.sendSubscription()
    source.send(2)
    source.finish()
    #expect(history.events == [.subscription("ReplaceError"), .value(2), .finished])
  }

  @Test func releasesTheReplacementAtTheEnd() {
    final class Token {}
    weak var token: Token?
    let source = ScriptedPublisher<Token, TestError>()
    do {
      let value = Token()
      token = value
      source.replaceError(with: value).history().cancel()
    }
    source.releaseSubscribers()
    #expect(token == nil)
  }

  @Test func isEqualIfThePartsAre() {
    let upstream = Publishers.SetFailureType<_, TestError>(upstream: Single(value: 1))
    #expect(upstream.replaceError(with: 1) == upstream.replaceError(with: 1))
    #expect(upstream.replaceError(with: 1) != upstream.replaceError(with: 2))
  }
}

/// The simplest publisher that is `Equatable`.
struct Single: Publisher, Equatable {
  typealias Output = Int
  typealias Failure = Never

  let value: Int

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
    [value].publisher.receive(subscriber: subscriber)
  }
}
