import Dispatch
import Streams
import TestSupport
import Testing

private typealias Child = ScriptedPublisher<Int, TestError>
private typealias Source = ScriptedPublisher<Child, TestError>

/// Tests the promises of `flatMap` to its callers: at any time, and from any thread.
struct MergingJunctionTests {
  let log = CallLog()
  private let source = Source()
  private let child = Child()

  // MARK: Cancellation

  @Test func aCancellationGoesToThePublishersAndThenUpstream() {
    let source = Source(log: log)
    let children = (0..<2).map { Child(name: "child \($0)", log: log) }
    let history = source.flatMap { $0 }.history(demand: .max(1))
    for child in children { source.send(child) }
    children[0].send(1)
    children[1].send(2)
    log.removeAll()
    history.cancel()
    history.cancel()
    history.request(1)
    expectEqual(children[0].send(3), .none)
    children[1].finish()
    source.finish()
    log.expect(["child 0: cancel", "child 1: cancel", "upstream: cancel"])
    expectEqual(history.text, "FlatMap: 1")
  }

  @Test func aCancellationInTheTransformCancelsTheReturnedPublisher() {
    let history = History<Int, TestError>()
    source.flatMap { child in
      history.cancel()
      return child
    }.subscribe(history)
    source.send(child)
    expectEqual(child.calls, [.cancel])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  /// A failure cancels the others before it's delivered. `zip` delivers it first.
  @Test(arguments: ["flatMap", "switchToLatest", "combineLatest"], [false, true])
  func aCancellationWhileAnotherIsCancelledPreventsTheFailure(name: String, isInADelivery: Bool) {
    let failing = ScriptedPublisher<Int, TestError>()
    let operation =
      switch name {
      case "flatMap": source.flatMap { $0 }.eraseToAnyPublisher()
      case "switchToLatest": source.switchToLatest().eraseToAnyPublisher()
      default: failing.combineLatest(child) { $1 }.eraseToAnyPublisher()
      }
    let isNested = name != "combineLatest"
    let fail = { if isNested { source.fail("no more") } else { failing.fail("no more") } }
    let history = operation.history { _, _ in fail() }
    if isNested { source.send(child) } else { failing.send(0) }
    child.onCancel = { history.cancel() }
    if isInADelivery { child.send(1) } else { fail() }
    expectEqual(history.values, isInADelivery ? [1] : [])
    #expect(history.completion == nil)
    expectEqual(child.calls, [.request(.unlimited), .cancel])
  }

  /// `zip` and `combineLatest` wait for the other publisher.
  @Test(arguments: [false, true])
  func aSubscriptionAfterTheEndOfItsPublisherOrACancellationIsCancelled(zips: Bool) {
    let (a, b) = (Child(), Child())
    let history = zips ? a.zip(b) { $1 }.history() : a.combineLatest(b) { $1 }.history()
    a.send(1)
    a.finish()
    expectEqual(a.sendSubscription().calls, [.cancel])
    history.cancel()
    expectEqual(b.sendSubscription().calls, [.cancel])
    expectEqual(history.events.count, 1)
  }

  // MARK: Callers that break the rules

  @Test func aValueThatWaitsNeedsNoSubscription() {
    let child = Child(sendsSubscription: false)
    let history = Just(child).setFailureType(to: TestError.self).flatMap { $0 }
      .history(demand: .none)
    expectEqual(child.send(1), .none)
    child.finish()
    expectEqual(history.text, "FlatMap:")
    history.request(1)
    expectEqual(history.text, "FlatMap: 1 |")
  }

  // MARK: Re-entrancy

  @Test func aValueSentFromWithinADeliveryNests() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let source = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    source.flatMap { $0 }.history(log: log) { _, value in
      if value == 1 {
        second.send(2)
        second.send(completion: .finished)
        source.send(completion: .finished)
        first.send(completion: .finished)
      }
      log.append("end of \(value)")
    }
    source.send(first)
    source.send(second)
    first.send(1)
    log.expect([
      "downstream: subscription FlatMap", "downstream: value 1", "downstream: value 2", "end of 2",
      "downstream: finished", "end of 1",
    ])
  }

  @Test func aValueSentWhileOthersWaitIsQueuedAfterThem() {
    let history = source.flatMap { $0 }.history(demand: .none) { _, value in
      if value < 10 { child.send(value * 10) }
    }
    source.send(child)
    child.send(1)
    child.send(2)
    history.request(10)
    expectEqual(history.values, [1, 2, 10, 20])
  }

  @Test func aPublisherMaySendInsideTheNextRequest() {
    let history = [3, 2].publisher.flatMap { (0..<$0).publisher }
      .history(demand: .none)
    for _ in 0..<5 { history.request(1) }
    expectEqual(history.text, "FlatMap: 0 0 1 1 2 |")
  }

  @Test func aHundredThousandPublishersOneByOneDoNotDeepenTheStack() {
    var sum = 0
    let sink = (0..<100_000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }
      .sink { sum += $0 }
    expectEqual(sum, 4_999_950_000)
    sink.cancel()

    let history = (0..<100_000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }
      .history(demand: .max(1), perValue: .max(1))
    expectEqual(history.values, Array(0..<100_000))
    expectEqual(history.events.last, .finished)
  }

  @Test func demandThatOverflowsIsStillCounted() {
    let history = child.merge(with: Child()).history(demand: .none)
    history.request(.max(.max - 1))
    history.request(.max(5))
    expectEqual(child.send(1), .max(1))
    history.request(.unlimited)
    expectEqual(child.send(2), .none)
    expectEqual(child.calls, [.request(.max(1)), .request(.unlimited)])

    let sequences = [0, 10].publisher.flatMap { ($0..<($0 + 3)).publisher }
      .history(demand: .none)
    sequences.request(.max(.max))
    expectEqual(sequences.values, [0, 10, 1, 11, 2, 12])
    expectEqual(sequences.events.last, .finished)
  }

  // MARK: Lifetime

  /// A subscription that calls back in its `deinit`, as one that owns an `AnyCancellable` may do.
  private final class LastWords: Subscription {
    let onDeinit: () -> Void
    init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
    deinit { onDeinit() }
  }

  private struct Scripted<Output>: Publisher {
    typealias Failure = TestError
    let script: (AnySubscriber<Output, TestError>) -> Void
    func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == TestError {
      script(AnySubscriber(subscriber))
    }
  }

  @Test func subscriptionsAreReleasedOutsideTheLock() {
    let history = History<Int, TestError>(demand: .none)
    let lastWords = {
      log.append("released")
      history.request(1)
    }
    let children = Scripted<Int> { subscriber in
      subscriber.receive(subscription: LastWords(lastWords))
      subscriber.receive(completion: .finished)
    }
    Scripted<Scripted<Int>> { subscriber in
      subscriber.receive(subscription: LastWords(lastWords))
      _ = subscriber.receive(children)
      subscriber.receive(completion: .finished)
    }.flatMap { $0 }.subscribe(history)
    log.expect(["released", "released"])
    expectEqual(history.text, "FlatMap: |")
  }

  // MARK: Threads

  @Test(arguments: [Subscribers.Demand.unlimited, .max(1)])
  func publishersOnSeveralThreadsAreSerialised(_ demand: Subscribers.Demand) {
    for _ in 0..<10 {
      let children = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
      let room = Room()
      let history = children.publisher.flatMap { $0 }.history(demand: demand, perValue: .max(1)) {
        _, _ in
        room.visit()
      }
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for value in 0..<200 { children[thread].send(thread * 1000 + value) }
        children[thread].send(completion: .finished)
      }
      expectEqual(room.encounters, 0)
      for thread in 0..<4 {
        expectEqual(
          history.values.filter { $0 / 1000 == thread }, (0..<200).map { thread * 1000 + $0 })
      }
      expectEqual(history.events.count, 802)
      expectEqual(history.events.last, .finished)
    }
  }

  @Test func aRequestOnAnotherThreadDuringADeliveryIsServedAfterIt() {
    let (source, child) = (Source(), Child())
    source.flatMap { $0 }.history(demand: .max(1), log: log) { history, value in
      if value == 1 {
        child.send(2)
        onAnotherThread { history.request(2) }
        log.append("end of 1")
      }
    }
    source.send(child)
    child.send(1)
    child.send(3)
    log.expect([
      "downstream: subscription FlatMap", "downstream: value 1", "end of 1", "downstream: value 2",
      "downstream: value 3",
    ])
  }

  @Test func aFinishOnAnotherThreadDuringADeliveryArrivesAfterIt() {
    let (source, child) = (Source(), Child())
    source.flatMap { $0 }.history(log: log) { _, _ in
      onAnotherThread {
        child.finish()
        source.finish()
      }
      log.append("end of 1")
    }
    source.send(child)
    child.send(1)
    log.expect([
      "downstream: subscription FlatMap", "downstream: value 1", "end of 1", "downstream: finished",
    ])
  }

  @Test func demandFromAnotherThreadLosesNothing() {
    for _ in 0..<50 {
      let children = [Child(), Child()]
      let history = children.publisher.setFailureType(to: TestError.self).flatMap { $0 }
        .history(demand: .none)
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        for value in 0..<100 {
          if thread < 2 { children[thread].send(value) } else { history.request(2) }
        }
        if thread < 2 { children[thread].finish() }
      }
      expectEqual(history.values.count, 200)
      expectEqual(history.events.last, .finished)
    }
  }

  @Test func aCancellationFromAnotherThreadReachesAllSides() {
    for round in 0..<200 {
      let source = Source()
      let children = [Child(), Child()]
      let history = source.flatMap { $0 }.history(perValue: .max(1))
      for child in children { source.send(child) }
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        if thread < 2 {
          for value in 0..<20 { children[thread].send(value) }
        } else {
          for _ in 0..<(round % 20) { history.request(1) }
          history.cancel()
        }
      }
      history.removeAll()
      children[0].send(1)
      expectEqual(history.text, "")
      expectEqual(source.calls, [.request(.unlimited), .cancel])
      for child in children { expectEqual(child.calls, [.request(.unlimited), .cancel]) }
    }
  }
}
