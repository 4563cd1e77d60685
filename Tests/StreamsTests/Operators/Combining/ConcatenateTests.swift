import Streams
import TestSupport
import Testing

struct ConcatenateTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  let log = CallLog()
  let first = Source()
  let second = Source()

  @Test func theSuffixIsSubscribedToOnTheFinishAndGetsTheDemandThatIsLeft() {
    let first = Source(name: "first", log: log)
    let second = Source(name: "second", log: log)
    let history = History<Int, TestError>(demand: .max(10), perValue: .max(2), log: log)
    first.append(second).subscribe(history)
    expectEqual((1...2).map { first.send($0) }, [.max(2), .max(2)])
    first.finish()
    expectEqual(second.send(3), .max(2))
    history.request(5)
    expectEqual(first.send(4), .none)
    second.finish()
    second.finish()
    expectEqual(second.send(5), .none)
    log.expect([
      "first: subscribe", "downstream: subscription Concatenate", "first: request max(10)",
      "downstream: value 1", "downstream: value 2", "second: subscribe", "second: request max(12)",
      "downstream: value 3", "second: request max(5)", "downstream: finished",
    ])
  }

  @Test func prependIsAppendTheOtherWayRound() {
    let history = second.prepend(first).history(demand: .max(3))
    first.send(1)
    first.finish()
    second.send(2)
    second.fail("no more")
    expectEqual(history.text, "Concatenate: 1 2 x(no more)")
    expectEqual(first.calls, [.request(.max(3))])
    expectEqual(second.calls, [.request(.max(2))])
  }

  @Test(arguments: [
    (Subscribers.Demand.none, [ScriptedSubscription.Call]()), (.max(1), []),
    (.max(2), [.request(.max(1))]), (.unlimited, [.request(.unlimited)]),
  ])
  func theSuffixGetsExactlyTheDemandThatIsLeft(
    demand: Subscribers.Demand, calls: [ScriptedSubscription.Call]
  ) {
    let history = first.append(second).history(demand: demand)
    if demand > 0 { first.send(1) }
    first.finish()
    expectEqual(second.calls, calls)
    expectEqual(history.values, (demand > 0 ? [1] : []))
  }

  @Test func aSecondEndOfThePrefixIsDropped() {
    let history = first.append(second).history()
    first.finish()
    first.finish()
    first.fail("late")
    expectEqual(second.subscriberCount, 1)
    expectEqual(history.text, "Concatenate:")
  }

  @Test func valuesThatWereNotRequestedAreDeliveredAndTheSuffixIsOwedNothing() {
    let source = first
    let history = source.append(second).history(demand: .max(3)) { _, value in
      if value < 9 { source.send(value + 1) }
    }
    source.send(1)
    source.finish()
    expectEqual(history.values, Array(1...9))
    expectEqual(second.calls, [])
    history.request(1)
    expectEqual(second.calls, [.request(.max(1))])
  }

  @Test func aValueWithinAFinishGoesToTheSuffixesTurn() {
    let (first, second) = (first, second)
    let history = History<Int, TestError>(demand: .max(2))
    history.onValue = { value in
      guard value == 1 else { return .none }
      first.finish()
      history.request(3)
      return .max(4)
    }
    first.append(second).subscribe(history)
    expectEqual(first.send(1), .none)
    expectEqual(second.calls, [.request(.max(1)), .request(.max(3)), .request(.max(4))])
  }

  @Test(arguments: [false, true])
  func anEndDuringThePrefixReleasesTheSuffixUnsubscribed(fails: Bool) {
    weak var suffix: Source?
    let history = History<Int, TestError>()
    do {
      let second = Source(log: log)
      suffix = second
      first.append(second).subscribe(history)
    }
    #expect(suffix != nil)
    if fails { first.fail("no more") } else { history.cancel() }
    #expect(suffix == nil)
    first.finish()
    log.expect([])
    expectEqual(first.calls, [.request(.unlimited)] + (fails ? [] : [.cancel]))
    expectEqual(history.text, "Concatenate:" + (fails ? " x(no more)" : ""))
  }

  @Test func aCancellationDuringTheSuffixCancelsThatOnce() {
    let history = first.append(second).history()
    first.finish()
    second.send(1)
    history.cancel()
    history.cancel()
    history.request(1)
    expectEqual(second.send(2), .none)
    second.finish()
    expectEqual(history.text, "Concatenate: 1")
    expectEqual(first.calls, [.request(.unlimited)])
    expectEqual(second.calls, [.request(.unlimited), .cancel])
  }

  @Test func requestsBeforeTheSuffixesSubscriptionCountForThat() {
    let second = Source(sendsSubscription: false)
    let history = first.append(second).history(demand: .max(1))
    first.finish()
    history.request(3)
    expectEqual(second.sendSubscription().calls, [.request(.max(4))])
  }

  @Test func aSecondSubscriptionOfEitherIsCancelled() {
    let history = first.append(second).history()
    expectEqual(first.sendSubscription(to: 0).calls, [.cancel])
    first.finish()
    expectEqual(first.sendSubscription(to: 0).calls, [.cancel])
    expectEqual(second.sendSubscription().calls, [.cancel])
    expectEqual(history.text, "Concatenate:")
    expectEqual(second.subscriptions[0].calls, [.request(.unlimited)])
  }

  @Test func aPrefixThatFinishesWhileItIsAttachedIsLeftBeforeTheSuffixBegins() {
    let prefix = Just(1).handleEvents(
      receiveCompletion: { [log] _ in log.append("prefix: finished") })
    let suffix = Deferred { [log] in
      log.append("suffix: subscribe")
      return [2, 3].publisher
    }
    Leaving(upstream: prefix) { [log] in log.append("prefix: attached") }
      .append(suffix).subscribe(History(log: log))
    log.expect([
      "downstream: subscription Concatenate", "downstream: value 1", "prefix: finished",
      "prefix: attached", "suffix: subscribe", "downstream: value 2", "downstream: value 3",
      "downstream: finished",
    ])
  }

  @Test(arguments: [Subscribers.Demand.max(1), .max(3), .max(4), .max(5), .unlimited])
  func twoSequencesMakeOne(demand: Subscribers.Demand) {
    let history = (1...2).publisher.append(3...5).history(demand: demand)
    let values = Array((1...5).prefix(demand.max ?? 5))
    expectEqual(history.values, values)
    expectEqual(history.completion, (values.count == 5 ? .finished : nil))
    for _ in values.count..<5 { history.request(1) }
    let lines = (1...5).map { "value \($0)" }
    expectEqual(history.lines, ["subscription Concatenate"] + lines + ["finished"])
  }

  @Test func aRequestForZeroValuesIsPassedOn() {
    let history = first.append(second).history(demand: .none)
    history.request(.none)
    first.finish()
    history.request(.none)
    expectEqual(first.calls, [.request(.none)])
    expectEqual(second.calls, [.request(.none)])
  }

  @Test func overloadsMakeTheTypesOfCombine() {
    typealias Elements = Publishers.Sequence<[Int], TestError>
    let appended: Publishers.Concatenate<Source, Elements> = first.append(1, 2)
    let prepended: Publishers.Concatenate<Elements, Source> = first.prepend(1, 2)
    let after:
      Publishers.Concatenate<
        Source, Publishers.Sequence<ClosedRange<Int>, TestError>
      > = first.append(1...2)
    let before:
      Publishers.Concatenate<
        Publishers.Sequence<ClosedRange<Int>, TestError>, Source
      > = first.prepend(1...2)
    expectEqual(appended.suffix, Elements(sequence: [1, 2]))
    expectEqual(prepended.prefix, Elements(sequence: [1, 2]))
    expectEqual(after.suffix.sequence, 1...2)
    expectEqual(before.prefix.sequence, 1...2)
    #expect(after.prefix === first)
    #expect(before.suffix === first)
  }

  @Test(arguments: ["append", "prepend"])
  func aThousandInAChainDeliverInOrder(kind: String) {
    let count = 1_000
    var publisher = Just(0).eraseToAnyPublisher()
    for number in 1..<count {
      let next = Just(number)
      publisher =
        kind == "append"
        ? publisher.append(next).eraseToAnyPublisher()
        : publisher.prepend(next).eraseToAnyPublisher()
    }
    let order = kind == "append" ? Array(0..<count) : Array((0..<count).reversed())
    expectEqual(publisher.history().values, order)
    expectEqual(publisher.history(demand: .max(1), perValue: .max(1)).values, order)
  }

  @Test func requestsOfAnotherThreadReachThePrefixOrTheSuffix() {
    for _ in 0..<300 {
      let first = Source()
      let second = Source()
      let history = first.append(second).history(demand: .max(5))
      onThreads(2) { thread in
        if thread == 0 {
          first.send(1)
          first.send(2)
          first.finish()
        } else {
          for _ in 0..<10 { history.request(1) }
        }
      }
      // All fifteen, without the two that the first publisher has served.
      expectEqual(second.requestedCount, 13)
      expectEqual(history.text, "Concatenate: 1 2")
    }
  }

  @Test func aFinishMayComeFromAnotherThreadWhileThePrefixIsAttached() {
    for _ in 0..<300 {
      let first = Source()
      let second = Source()
      let started = Locked(false)
      first.onRequest = { _ in started.withLock { $0 = true } }
      let history = History<Int, TestError>()
      onThreads(2) { thread in
        if thread == 0 { return first.append(second).subscribe(history) }
        while !started.withLock({ $0 }) {}
        first.finish()
      }
      second.send(1)
      expectEqual(history.text, "Concatenate: 1")
      expectEqual(second.calls, [.request(.unlimited)])
    }
  }

  @Test func aCancellationFromAnotherThreadIsSafeAtAnyMoment() {
    for _ in 0..<300 {
      let first = Source()
      let second = Source()
      let history = first.append(second).history()
      onThreads(2) { thread in
        if thread == 1 { return history.cancel() }
        first.send(1)
        first.finish()
        if second.subscriberCount > 0 { second.send(2) }
      }
      #expect((first.calls + second.calls).count { $0 == .cancel } <= 1)
      for subscription in second.subscriptions { #expect(subscription.isCancelled) }
      #expect(history.completion == nil)
    }
  }
}

/// A publisher that runs a closure once its upstream has been attached.
private struct Leaving<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let onAttached: () -> Void

  func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: subscriber)
    onAttached()
  }
}
