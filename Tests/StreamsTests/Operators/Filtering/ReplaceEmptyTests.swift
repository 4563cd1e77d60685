import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct ReplaceEmptyTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  let source = ScriptedPublisher<Int, TestError>()
  let log = CallLog()

  @Test func anEmptyStreamBecomesTheReplacement() {
    let history = source.replaceEmpty(with: 42).history(demand: .max(1), perValue: .max(1))
    source.finish()
    source.finish()
    expectEqual(source.send(1), .none)
    history.request(1)
    history.cancel()
    expectEqual(history.text, "ReplaceEmpty: 42 |")
    expectEqual(source.calls, [.request(.max(1)), .request(.unlimited)])
  }

  @Test func theReplacementWaitsUntilItIsRequested() {
    let history = source.replaceEmpty(with: 42).history(demand: .none)
    source.finish()
    expectEqual(history.text, "ReplaceEmpty:")
    history.request(1)
    history.request(1)
    expectEqual(history.text, "ReplaceEmpty: 42 |")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test(arguments: [(0, End.failure), (1, .failure), (1, .finish)])
  func otherEndsNeedNoDemandAndAreNotReplaced(values: Int, end: End) {
    let history = source.replaceEmpty(with: 42).history(demand: .none)
    for value in 0..<values { source.send(value) }
    source.send(completion: end.completion)
    history.request(1)
    expectEqual(history.text, "ReplaceEmpty: " + (values == 0 ? "" : "0 ") + end.mark)
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func downstreamsRequestsComeFirstThenAllValuesAreRequested() {
    let source = Source(log: log)
    let history = source.replaceEmpty(with: 42).history(
      demand: .max(3), perValue: .max(4), log: log)
    expectEqual(source.send(1), .max(4))
    history.request(95)
    history.request(.unlimited)
    history.cancel()
    history.request(1)
    history.cancel()
    expectEqual(source.send(2), .none)
    log.expect([
      "upstream: subscribe", "downstream: subscription ReplaceEmpty", "upstream: request max(3)",
      "upstream: request unlimited", "downstream: value 1", "upstream: request max(95)",
      "upstream: request unlimited", "upstream: cancel",
    ])
  }

  @Test func aValuePassesEvenIfItWasNotRequested() {
    let history = Lazy([1, 2, 3].publisher).replaceEmpty(with: 42).history(demand: .none)
    expectEqual(history.text, "ReplaceEmpty: 1 2 3 |")
  }

  @Test func valuesArriveDuringTheRequestIfDownstreamDependsOnIt() {
    let history = History<Int, Never>()
    history.onSubscription = { subscription in
      subscription.request(.max(1))
      log.append("\(history.values)")
    }
    Lazy([1, 2, 3].publisher).replaceEmpty(with: 42).subscribe(history)
    log.expect(["[1]"])
    expectEqual(history.values, [1, 2, 3])
  }

  @Test func aCancellationDropsTheWaitingReplacement() {
    let history = source.replaceEmpty(with: 42).history(demand: .none)
    source.finish()
    history.cancel()
    history.request(1)
    expectEqual(history.text, "ReplaceEmpty:")
    expectEqual(source.calls, [.request(.unlimited)])
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
      expectEqual(history.text, "ReplaceEmpty: 42 |")
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
