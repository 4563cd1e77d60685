import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct ReplaceEmptyTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test func anEmptyStreamBecomesTheReplacement() {
    let source = Source()
    let history = source.replaceEmpty(with: 42).history(demand: .max(1), perValue: .max(1))
    source.finish()
    source.finish()
    #expect(source.send(1) == .none)
    history.request(1)
    history.cancel()
    #expect(history.events == [.subscription("ReplaceEmpty"), .value(42), .finished])
    #expect(source.calls == [.request(.max(1)), .request(.unlimited)])
  }

  @Test func theReplacementWaitsUntilItIsRequested() {
    let source = Source()
    let history = source.replaceEmpty(with: 42).history(demand: .none)
    source.finish()
    #expect(history.events == [.subscription("ReplaceEmpty")])
    history.request(1)
    history.request(1)
    #expect(history.events == [.subscription("ReplaceEmpty"), .value(42), .finished])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test(arguments: [0, 1])
  func aFailureNeedsNoDemandAndIsNotReplaced(values: Int) {
    let source = Source()
    let history = source.replaceEmpty(with: 42).history(demand: .none)
    for value in 0..<values { source.send(value) }
    source.fail("no more")
    history.request(1)
    #expect(
      history.events == [.subscription("ReplaceEmpty")] + (0..<values).map { .value($0) } + [
        .failure(TestError("no more"))
      ])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func aFinishAfterAValueNeedsNoDemand() {
    let source = Source()
    let history = source.replaceEmpty(with: 42).history(demand: .none)
    source.send(1)
    source.finish()
    #expect(history.events == [.subscription("ReplaceEmpty"), .value(1), .finished])
  }

  @Test func downstreamsRequestsComeFirstThenAllValuesAreRequested() {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<Int, TestError>(demand: .max(3), perValue: .max(4), log: log)
    source.replaceEmpty(with: 42).subscribe(history)
    #expect(source.send(1) == .max(4))
    history.request(95)
    history.request(.unlimited)
    history.cancel()
    history.request(1)
    history.cancel()
    #expect(source.send(2) == .none)
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription ReplaceEmpty",
        "upstream: request max(3)", "upstream: request unlimited", "downstream: value 1",
        "upstream: request max(95)", "upstream: request unlimited", "upstream: cancel",
      ])
  }

  @Test func aValuePassesEvenIfItWasNotRequested() {
    let history = Lazy([1, 2, 3].publisher).replaceEmpty(with: 42).history(demand: .none)
    #expect(
      history.events == [
        .subscription("ReplaceEmpty"), .value(1), .value(2), .value(3), .finished,
      ])
  }

  @Test func valuesArriveDuringTheRequestIfDownstreamDependsOnIt() {
    let log = CallLog()
    let history = History<Int, Never>()
    history.onSubscription = { subscription in
      subscription.request(.max(1))
      log.append("\(history.values)")
    }
    Lazy([1, 2, 3].publisher).replaceEmpty(with: 42).subscribe(history)
    #expect(log.lines == ["[1]"])
    #expect(history.values == [1, 2, 3])
    history.onSubscription = nil
  }

  @Test func aCancellationDropsTheWaitingReplacement() {
    let source = Source()
    let history = source.replaceEmpty(with: 42).history(demand: .none)
    source.finish()
    history.cancel()
    history.request(1)
    #expect(history.events == [.subscription("ReplaceEmpty")])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func aCancellationWhileAttachingEndsTheStream() {
    let source = Source()
    let history = History<Int, TestError>()
    history.onSubscription = { $0.cancel() }
    source.replaceEmpty(with: 42).subscribe(history)
    source.finish()
    #expect(history.events == [.subscription("ReplaceEmpty")])
    #expect(source.calls == [.cancel])
  }

  @Test func eachSubscriberHasItsOwnReplacement() {
    let source = Source()
    let publisher = source.replaceEmpty(with: 42)
    let first = publisher.history()
    let second = publisher.history()
    source.send(1, to: 0)
    source.finish(to: 0)
    source.finish(to: 1)
    #expect(first.values == [1])
    #expect(second.values == [42])
  }

  @Test(arguments: [true, false])
  func bothSidesAreReleasedAtTheEnd(byCancelling: Bool) {
    weak var upstream: ScriptedSubscription?
    weak var downstream: History<Int, TestError>?
    var subscription: (any Subscription)?
    do {
      let source = Source()
      let history = History<Int, TestError>()
      history.onSubscription = { subscription = $0 }
      source.replaceEmpty(with: 42).subscribe(history)
      upstream = source.subscriptions.last
      downstream = history
      source.finish()
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    // The replacement waits for downstream's demand.
    #expect(downstream != nil)
    if byCancelling { subscription?.cancel() } else { subscription?.request(.max(1)) }
    #expect(downstream == nil)
  }

  @Test func theReplacementIsReleasedAtTheEnd() {
    weak var token: Token?
    let source = ScriptedPublisher<Token, TestError>()
    do {
      let value = Token()
      token = value
      source.replaceEmpty(with: value).history().cancel()
    }
    source.releaseSubscribers()
    #expect(token == nil)
  }

  @Test func aRequestFromAnotherThreadGetsTheReplacementOnce() {
    for _ in 0..<200 {
      let source = Source()
      let history = source.replaceEmpty(with: 42).history(demand: .none)
      onThreads(2) { thread in
        if thread == 0 {
          source.finish()
        } else {
          for _ in 0..<3 { history.request(1) }
        }
      }
      #expect(history.events == [.subscription("ReplaceEmpty"), .value(42), .finished])
    }
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      Source().replaceEmpty(with: 42).history(demand: .none).request(.none)
    }
  }
}

/// A publisher that the compiler doesn't know as a sequence, so operators aren't eager.
private struct Lazy<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    upstream.receive(subscriber: subscriber)
  }
}
