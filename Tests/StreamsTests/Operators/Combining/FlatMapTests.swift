import Dispatch
import Streams
import TestSupport
import Testing

private typealias Child = ScriptedPublisher<Int, TestError>
private typealias Source = ScriptedPublisher<Child, TestError>

/// Tests the values and the demand of `flatMap`. `MergingJunctionTests` tests cancellation,
/// re-entrancy, lifetime and threads.
struct FlatMapTests {
  let log = CallLog()
  private let source = Source()
  private let child = Child()
  let gate = PassthroughSubject<Int, Never>()

  // MARK: Values and demand

  @Test func publishesTheValuesOfAllItsPublishers() {
    let (first, second) = (Child(), Child())
    let history = source.flatMap { $0 }.history()
    source.send(first)
    source.send(second)
    first.send(1)
    second.send(2)
    first.send(3)
    first.finish()
    source.finish()
    second.send(4)
    expectEqual(history.text, "FlatMap: 1 2 3 4")
    second.finish()
    expectEqual(history.text, "FlatMap: 1 2 3 4 |")
    for calls in [source.calls, first.calls] { expectEqual(calls, [.request(.unlimited)]) }
  }

  @Test func sendsItsSubscriptionBeforeItSubscribesAndRequestsDownstreamsDemand() {
    let source = Source(log: log)
    let child = Child(name: "child", log: log)
    source.flatMap(maxPublishers: .max(2)) { child in
      log.append("transform")
      return child
    }.subscribe(History(demand: .max(5), log: log))
    expectEqual(source.send(child), .none)
    log.expect([
      "downstream: subscription FlatMap", "upstream: subscribe", "upstream: request max(2)",
      "transform", "child: subscribe", "child: request max(1)",
    ])
  }

  @Test func withALimitTheNextIsRequestedWhenOneHasFinished() {
    let source = Source(log: log)
    let children = (0..<2).map { Child(name: "child \($0)", log: log) }
    let history = source.flatMap(maxPublishers: .max(1)) { $0 }.history()
    source.send(children[0])
    children[0].finish()
    source.send(children[1])
    source.finish()
    children[1].finish()
    log.expect([
      "upstream: subscribe", "upstream: request max(1)", "child 0: subscribe",
      "child 0: request unlimited", "upstream: request max(1)", "child 1: subscribe",
      "child 1: request unlimited",
    ])
    expectEqual(history.text, "FlatMap: |")
  }

  @Test func valuesWithoutDemandWaitAndTheirPublishersPause() {
    let (first, second) = (Child(), Child())
    let history = source.flatMap { $0 }.history(demand: .max(2))
    source.send(first)
    source.send(second)
    expectEqual((1...3).map { first.send($0) }, [.max(1), .max(1), .none])
    expectEqual(second.send(4), .none)
    expectEqual(first.send(5), .none)
    expectEqual(history.text, "FlatMap: 1 2")
    expectEqual(first.calls, [.request(.max(1))])

    history.request(2)
    expectEqual(history.text, "FlatMap: 1 2 3 4")
    for child in [first, second] {
      expectEqual(child.calls, [.request(.max(1)), .request(.max(1))])
    }

    history.request(2)
    expectEqual(history.text, "FlatMap: 1 2 3 4 5")
    expectEqual(first.send(6), .max(1))
    expectEqual(second.send(7), .none)
  }

  @Test func eachWaitingValueIsFollowedByARequestUntilAllAreRequested() {
    let child = Child(name: "child", log: log)
    let history = source.flatMap { $0 }.history(demand: .none, log: log)
    source.send(child)
    for value in 1...4 { child.send(value) }
    log.removeAll()
    history.request(2)
    history.request(.unlimited)
    history.request(.unlimited)
    expectEqual(child.send(5), .none)
    log.expect([
      "downstream: value 1", "child: request max(1)", "downstream: value 2",
      "child: request max(1)", "downstream: value 3", "downstream: value 4",
      "child: request unlimited", "downstream: value 5",
    ])
  }

  @Test func demandReturnedForAValueAddsToDemandRequestedMeanwhile() {
    let history = History<Int, TestError>(demand: .max(1))
    history.onValue = { value in
      guard value == 0 else { return .none }
      history.request(1)
      return .max(2)
    }
    source.flatMap { $0 }.subscribe(history)
    source.send(child)
    expectEqual((0..<6).map { child.send($0) }, [.max(1), .max(1), .max(1), .max(1), .none, .none])
    expectEqual(history.values, [0, 1, 2, 3])
  }

  @Test func demandReturnedForAValueThatWaitedFlushesTheRest() {
    let history = source.flatMap { $0 }.history(demand: .none, perValue: .max(1))
    source.send(child)
    for value in 1...3 { child.send(value) }
    source.finish()
    child.finish()
    history.request(1)
    expectEqual(history.text, "FlatMap: 1 2 3 |")
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      Source().flatMap { $0 }.history(demand: .none).request(.none)
    }
  }

  // MARK: Completion

  @Test func finishesAfterAllWaitingValues() {
    let history = source.flatMap { $0 }.history(demand: .max(1))
    source.send(child)
    child.send(1)
    child.send(2)
    source.finish()
    child.finish()
    expectEqual(history.text, "FlatMap: 1")
    history.request(1)
    expectEqual(history.text, "FlatMap: 1 2 |")
    // A finished publisher gets no more requests.
    expectEqual(child.calls, [.request(.max(1))])
  }

  @Test func anUpstreamWithoutValuesFinishes() {
    let empty = Empty<Int, Never>().flatMap { Just($0) }
    expectEqual(empty.history().text, "FlatMap: |")
    let history = source.flatMap { $0 }.history()
    source.finish()
    source.finish()
    expectEqual(history.text, "FlatMap: |")
  }

  @Test func upstreamsFailureCancelsThePublishersAndDropsWhatWaits() {
    let source = Source(log: log)
    let children = (0..<2).map { Child(name: "child \($0)", log: log) }
    let history = source.flatMap { $0 }.history(demand: .max(1), log: log)
    for child in children { source.send(child) }
    children[0].send(1)
    children[1].send(2)
    log.removeAll()
    source.fail("no more")
    history.request(5)
    history.cancel()
    log.expect(["child 0: cancel", "child 1: cancel", "downstream: failure no more"])
  }

  @Test func aPublishersFailureCancelsTheOthersAndDropsWaitingValues() {
    let source = Source(log: log)
    let children = (0..<3).map { Child(name: "child \($0)", log: log) }
    let history = source.flatMap { $0 }.history(demand: .max(1), log: log)
    for child in children { source.send(child) }
    children[0].send(1)
    children[1].send(2)
    log.removeAll()
    children[1].fail("no more")
    children[2].fail("late")
    source.fail("late")
    history.request(5)
    history.cancel()
    expectEqual(Set(log.lines.prefix(2)), ["child 0: cancel", "child 2: cancel"])
    expectEqual(log.lines.dropFirst(2), ["upstream: cancel", "downstream: failure no more"])
  }

  // MARK: Values that come too early

  @Test func aValueThatWasNotRequestedWaitsForAPlace() {
    let children = [Child(), Child(), Child(), Child(), Child()]
    let history = source.flatMap(maxPublishers: .max(2)) { $0 }.history()
    for child in children.prefix(4) { source.send(child) }
    expectEqual(children.map(\.subscriberCount), [1, 1, 0, 0, 0])
    children[1].finish()
    expectEqual(children.map(\.subscriberCount), [1, 1, 1, 0, 0])
    children[2].send(2)
    children[2].finish()
    expectEqual(children.map(\.subscriberCount), [1, 1, 1, 1, 0])
    // The values that came too early took the places, so upstream hasn't been asked again.
    expectEqual(source.calls, [.request(.max(2))])
    children[0].finish()
    expectEqual(source.calls, [.request(.max(2)), .request(.max(1))])
    source.send(children[4])
    children[4].send(4)
    source.finish()
    children[4].finish()
    children[3].send(3)
    children[3].finish()
    expectEqual(history.text, "FlatMap: 2 4 3 |")
  }

  @Test(arguments: [true, false]) func theEndDropsValuesThatWait(isCancelled: Bool) {
    let source = ScriptedPublisher<Token, TestError>()
    var made = 0
    let history = source.flatMap(maxPublishers: .max(1)) { _ in
      made += 1
      return child
    }.history()
    for value in 1...3 { source.send(Token { log.append("released \(value)") }) }
    log.expect(["released 1"])
    if isCancelled { history.cancel() } else { source.fail("no more") }
    log.expect(["released 1", "released 2", "released 3"])
    child.finish()
    expectEqual(made, 1)
    expectEqual(history.text, "FlatMap:" + (isCancelled ? "" : " x(no more)"))
  }

  @Test func manyThatWaitNeedNoStack() {
    let source = ScriptedPublisher<Int, Never>()
    let count = 100_000
    let sum = Locked(0)
    let sink = source.flatMap(maxPublishers: .max(1)) { value in
      value == 0 ? gate.eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
    }.sink { value in sum.withLock { $0 += value } }
    for value in 0...count { source.send(value) }
    source.finish()
    expectEqual(sum.withLock { $0 }, 0)
    gate.send(completion: .finished)
    expectEqual(sum.withLock { $0 }, count * (count + 1) / 2)
    sink.cancel()
  }

  /// Signals of one level in 64 go through the trampoline.
  @Test(arguments: 61...65) func valuesThatComeTooEarlyWaitAtAnyDepth(depth: Int) {
    let source = ScriptedPublisher<Int, Never>()
    var nested = source.flatMap(maxPublishers: .max(1)) { value in
      value == 0 ? gate.eraseToAnyPublisher() : [value, -value].publisher.eraseToAnyPublisher()
    }.eraseToAnyPublisher()
    for _ in 0..<depth {
      let inner = nested
      nested = Just(0).flatMap { _ in inner }.eraseToAnyPublisher()
    }
    let history = nested.history(demand: .max(3))
    for value in 0...3 { source.send(value) }
    gate.send(7)
    expectEqual(history.values, [7])
    source.finish()
    gate.send(completion: .finished)
    expectEqual(history.values, [7, 1, -1])
    history.request(.unlimited)
    expectEqual(history.values, [7, 1, -1, 2, -2, 3, -3])
    #expect(history.completion != nil)
  }

  @Test func aValueSentWhileItsPublisherIsMadeComesTooEarly() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.flatMap(maxPublishers: .max(1)) { value in
      log.append("make \(value)")
      if value < 4 { source.send(value + 1) }
      log.append("made \(value)")
      return Just(value)
    }.history()
    source.send(1)
    source.finish()
    log.expect((1...4).flatMap { ["make \($0)", "made \($0)"] })
    expectEqual(history.text, "FlatMap: 1 2 3 4 |")
  }

  /// A place is free, but a thread is inside the closure for an early value.
  @Test(arguments: [2, 3]) func aValueWaitsUntilThePublisherOfAnEarlyOneIsMade(limit: Int) {
    let source = ScriptedPublisher<Int, Never>()
    let gates = (0..<limit).map { _ in PassthroughSubject<Int, Never>() }
    let history = source.flatMap(maxPublishers: .max(limit)) { value -> AnyPublisher<Int, Never> in
      log.append("make \(value)")
      if value == limit {
        for next in 1..<limit {
          gates[next].send(completion: .finished)
          source.send(limit + next)
        }
      }
      log.append("made \(value)")
      return value < limit
        ? gates[value].eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
    }.history()
    for value in 0...limit { source.send(value) }
    gates[0].send(completion: .finished)
    let sent = 0..<limit * 2
    log.expect(sent.flatMap { ["make \($0)", "made \($0)"] })
    expectEqual(history.values, Array(sent.dropFirst(limit)))
    // Each publisher that finishes asks for one. Only the first gives its place to the early value.
    expectEqual(source.calls.first, .request(.max(limit)))
    #expect(source.calls.dropFirst().allSatisfy { $0 == .request(.max(1)) })
    expectEqual(source.calls.count, sent.count)
    #expect(history.completion == nil)
    source.finish()
    expectEqual(history.events.last, .finished)
  }

  @Test func valuesThatAreSentOnRequestWhileEarlyOnesBeginNeedNoStack() {
    let source = ScriptedPublisher<Int, Never>()
    let count = 100_000
    let (sum, last) = (Locked(0), Locked(1))
    let sink = source.flatMap(maxPublishers: .max(1)) { value in
      value == 0 ? gate.eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
    }.sink { value in sum.withLock { $0 += value } }
    for value in 0...1 { source.send(value) }
    source.onRequest = { [unowned source] _ in
      let next = last.withLock { last -> Int in
        last += 1
        return last
      }
      if next <= count { source.send(next) }
    }
    gate.send(completion: .finished)
    expectEqual(sum.withLock { $0 }, count * (count + 1) / 2)
    sink.cancel()
  }

  @Test func aCancellationWithinAnEarlyValueDropsTheOthers() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.flatMap(maxPublishers: .max(1)) { value in
      value == 0 ? gate.eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
    }.history { history, value in if value == 2 { history.cancel() } }
    for value in 0...4 { source.send(value) }
    gate.send(completion: .finished)
    expectEqual(history.text, "FlatMap: 1 2")
    expectEqual(source.calls, [.request(.max(1)), .cancel])
  }

  /// One thread sends without being asked, and another one ends the publishers.
  @Test func theLimitHoldsOnSeveralThreads() {
    for _ in 0..<50 {
      let source = ScriptedPublisher<Int, Never>()
      let live = Locked<[PassthroughSubject<Int, Never>]>([])
      let largest = Locked(0)
      let made = DispatchSemaphore(value: 0)
      let history = source.flatMap(maxPublishers: .max(2)) { value in
        let child = PassthroughSubject<Int, Never>()
        let count = live.withLock { live in
          live.append(child)
          return live.count
        }
        largest.withLock { $0 = max($0, count) }
        made.signal()
        return child.prepend(value)
      }.history()
      let total = 40
      onThreads(2) { thread in
        if thread == 0 {
          for value in 1...total { source.send(value) }
          return source.finish()
        }
        for _ in 0..<total {
          made.wait()
          let child = live.withLock { $0.removeFirst() }
          child.send(completion: .finished)
        }
      }
      expectEqual(history.values.sorted(), Array(1...total))
      #expect(history.completion != nil)
      #expect(largest.withLock { $0 } <= 2)
    }
  }

  @Test func withNoPublishersAtATimeValuesThatWereNotRequestedTakeTurns() {
    let children = [Child(), Child()]
    let history = source.flatMap(maxPublishers: .none) { $0 }.history()
    for child in children { source.send(child) }
    expectEqual(children.map(\.subscriberCount), [1, 0])
    children[0].finish()
    children[1].send(1)
    children[1].finish()
    expectEqual(source.calls, [])
    source.finish()
    expectEqual(history.text, "FlatMap: 1 |")
  }

  @Test func withNoPublishersAtATimeNothingIsRequested() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.flatMap(maxPublishers: .none) { Just($0) }.history()
    expectEqual(source.calls, [])
    source.finish()
    expectEqual(history.text, "FlatMap: |")
    // `Just` would trap.
    let idle = Just(1).flatMap(maxPublishers: .none) { Just($0) }.history()
    expectEqual(idle.text, "FlatMap:")
    idle.cancel()
  }

  @Test func aSecondEndOfAPublisherHasNoEffect() {
    let children = [Child(), Child()]
    let history = source.flatMap(maxPublishers: .max(2)) { $0 }.history()
    for child in children { source.send(child) }
    children[0].finish()
    children[0].finish()
    children[0].fail("late")
    expectEqual(children[0].send(1), .none)
    children[1].send(2)
    source.finish()
    source.fail("late")
    children[1].finish()
    expectEqual(history.text, "FlatMap: 2 |")
    expectEqual(source.calls, [.request(.max(2)), .request(.max(1))])
    expectEqual(children[1].calls, [.request(.unlimited)])
  }

  // MARK: Overloads

  @Test func eitherSideOrNoneMayFail() {
    let bothFail: Publishers.FlatMap<Child, Source> = Source().flatMap { $0 }
    expectEqual(bothFail.maxPublishers, .unlimited)

    let failing = ScriptedPublisher<Int, TestError>()
    let upstreamFails = failing.flatMap(maxPublishers: .max(2)) { Just($0) }
    expectEqual(upstreamFails.maxPublishers, .max(2))
    let first = upstreamFails.history()
    failing.send(1)
    failing.fail("no more")
    expectEqual(first.text, "FlatMap: 1 x(no more)")

    let publishersFail = Just(2).flatMap { Fail<Int, TestError>(error: TestError("\($0)")) }
    expectEqual(publishersFail.history().text, "FlatMap: x(2)")

    let noneFails: AnyPublisher<Int, Never> = Just(3).flatMap { Just($0) }.eraseToAnyPublisher()
    expectEqual(noneFails.history().text, "FlatMap: 3 |")
  }
}
