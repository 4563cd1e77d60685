import Dispatch
import Streams
import TestSupport
import Testing

private typealias Child = ScriptedPublisher<Int, TestError>
private typealias Source = ScriptedPublisher<Child, TestError>

/// Tests the promises of `flatMap` to its callers: at any time, and from any thread.
struct MergingJunctionTests {
  // MARK: Cancellation

  @Test func aCancellationGoesToThePublishersAndThenUpstream() {
    let log = CallLog()
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
    #expect(children[0].send(3) == .none)
    children[1].finish()
    source.finish()
    #expect(log.lines == ["child 0: cancel", "child 1: cancel", "upstream: cancel"])
    #expect(history.events == [.subscription("FlatMap"), .value(1)])
  }

  @Test func aCancellationOnAttachingLeavesNothingBehind() {
    let source = Source()
    let history = History<Int, TestError>()
    history.onSubscription = { $0.cancel() }
    source.flatMap { $0 }.subscribe(history)
    #expect(source.send(Child()) == .none)
    source.finish()
    #expect(source.calls == [.cancel])
    #expect(history.events == [.subscription("FlatMap")])
  }

  @Test func aCancellationFromWithinADeliveryDropsTheRest() {
    let source = Source()
    let child = Child()
    let history = History<Int, TestError>(demand: .none)
    history.onValue = { _ in
      history.cancel()
      return .max(1)
    }
    source.flatMap { $0 }.subscribe(history)
    source.send(child)
    #expect(child.send(1) == .none)
    child.send(2)
    history.request(5)
    #expect(history.events == [.subscription("FlatMap"), .value(1)])
    #expect(child.calls == [.request(.max(1)), .cancel])
    history.onValue = nil
  }

  @Test(arguments: [false, true])
  func aCancellationWhileAnotherIsCancelledPreventsTheFailure(_ isInADelivery: Bool) {
    let (source, child) = (Source(), Child())
    let history = source.flatMap { $0 }.history()
    source.send(child)
    child.onCancel = { history.cancel() }
    if isInADelivery {
      history.onValue = { _ in
        source.fail("no more")
        return .none
      }
      child.send(1)
    } else {
      source.fail("no more")
    }
    let values: [History<Int, TestError>.Event] = isInADelivery ? [.value(1)] : []
    #expect(history.events == [.subscription("FlatMap")] + values)
    #expect(child.calls == [.request(.unlimited), .cancel])
    child.onCancel = nil
    history.onValue = nil
    history.releaseSubscription()
  }

  @Test func aCancellationInTheTransformCancelsTheReturnedPublisher() {
    let source = Source()
    let child = Child()
    let history = History<Int, TestError>()
    source.flatMap { child in
      history.cancel()
      return child
    }.subscribe(history)
    source.send(child)
    #expect(child.calls == [.cancel])
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.releaseSubscription()
  }

  // MARK: Callers that break the rules

  @Test func extraSubscriptionsAreCancelled() {
    let source = Source()
    let child = Child()
    let history = source.flatMap { $0 }.history()
    #expect(source.sendSubscription().calls == [.cancel])
    source.send(child)
    #expect(child.sendSubscription().calls == [.cancel])
    child.finish()
    #expect(child.sendSubscription().calls == [.cancel])
    source.finish()
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(history.events == [.subscription("FlatMap"), .finished])
    #expect(source.subscriptions[0].calls == [.request(.unlimited)])
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func upstreamNeedsNoSubscription(completion: Subscribers.Completion<TestError>) {
    let source = Source(sendsSubscription: false)
    let child = Child()
    let history = source.flatMap { $0 }.history()
    #expect(source.send(child) == .none)
    child.send(1)
    source.send(completion: completion)
    #expect(source.send(Child()) == .none)
    #expect(source.sendSubscription().calls == [.cancel])
    child.finish()
    #expect(history.events == [.subscription("FlatMap"), .value(1), .completion(completion)])
    #expect(child.calls.last == (completion == .finished ? .request(.unlimited) : .cancel))
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func aChildNeedsNoSubscription(completion: Subscribers.Completion<TestError>) {
    let source = Source()
    let child = Child(sendsSubscription: false)
    let history = source.flatMap { $0 }.history()
    source.send(child)
    source.finish()
    #expect(child.send(1) == .none)
    child.send(completion: completion)
    #expect(child.send(2) == .none)
    child.finish()
    #expect(child.sendSubscription().calls == [.cancel])
    #expect(history.events == [.subscription("FlatMap"), .value(1), .completion(completion)])
  }

  @Test func aValueThatWaitsNeedsNoSubscription() {
    let child = Child(sendsSubscription: false)
    let history = Just(child).setFailureType(to: TestError.self).flatMap { $0 }
      .history(demand: .none)
    #expect(child.send(1) == .none)
    child.finish()
    #expect(history.events == [.subscription("FlatMap")])
    history.request(1)
    #expect(history.events == [.subscription("FlatMap"), .value(1), .finished])
  }

  // MARK: Re-entrancy

  @Test func aValueSentFromWithinADeliveryNests() {
    let log = CallLog()
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let source = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let history = History<Int, Never>(log: log)
    history.onValue = { value in
      if value == 1 {
        second.send(2)
        second.send(completion: .finished)
        source.send(completion: .finished)
        first.send(completion: .finished)
      }
      log.append("end of \(value)")
      return .none
    }
    source.flatMap { $0 }.subscribe(history)
    source.send(first)
    source.send(second)
    first.send(1)
    #expect(
      log.lines == [
        "downstream: subscription FlatMap", "downstream: value 1", "downstream: value 2",
        "end of 2", "downstream: finished", "end of 1",
      ])
    history.onValue = nil
  }

  @Test func aValueSentWhileOthersWaitIsQueuedAfterThem() {
    let source = Source()
    let child = Child()
    let history = History<Int, TestError>(demand: .none)
    history.onValue = { value in
      if value < 10 { child.send(value * 10) }
      return .none
    }
    source.flatMap { $0 }.subscribe(history)
    source.send(child)
    child.send(1)
    child.send(2)
    history.request(10)
    #expect(history.values == [1, 2, 10, 20])
    history.onValue = nil
  }

  @Test func aPublisherMaySendInsideTheNextRequest() {
    let history = [3, 2].publisher.flatMap { (0..<$0).publisher }
      .history(demand: .none)
    for _ in 0..<5 { history.request(1) }
    #expect(
      history.events == [
        .subscription("FlatMap"), .value(0), .value(0), .value(1), .value(1), .value(2),
        .finished,
      ])
  }

  @Test func aHundredThousandPublishersOneByOneDoNotDeepenTheStack() {
    var sum = 0
    let sink = (0..<100_000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }
      .sink { sum += $0 }
    #expect(sum == 4_999_950_000)
    sink.cancel()

    let history = (0..<100_000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }
      .history(demand: .max(1), perValue: .max(1))
    #expect(history.values == Array(0..<100_000))
    #expect(history.events.last == .finished)
  }

  @Test func demandThatOverflowsIsStillCounted() {
    let child = Child()
    let history = child.merge(with: Child()).history(demand: .none)
    history.request(.max(.max - 1))
    history.request(.max(5))
    #expect(child.send(1) == .max(1))
    history.request(.unlimited)
    #expect(child.send(2) == .none)
    #expect(child.calls == [.request(.max(1)), .request(.unlimited)])

    let sequences = [0, 10].publisher.flatMap { ($0..<($0 + 3)).publisher }
      .history(demand: .none)
    sequences.request(.max(.max))
    #expect(sequences.values == [0, 10, 1, 11, 2, 12])
    #expect(sequences.events.last == .finished)
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
    let log = CallLog()
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
    #expect(log.lines == ["released", "released"])
    #expect(history.events == [.subscription("FlatMap"), .finished])
  }

  // MARK: Threads

  @Test(arguments: [Subscribers.Demand.unlimited, .max(1)])
  func publishersOnSeveralThreadsAreSerialised(_ demand: Subscribers.Demand) {
    for _ in 0..<10 {
      let children = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
      let room = Room()
      let history = History<Int, Never>(demand: demand)
      history.onValue = { _ in
        room.visit()
        return .max(1)
      }
      children.publisher.flatMap { $0 }.subscribe(history)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for value in 0..<200 { children[thread].send(thread * 1000 + value) }
        children[thread].send(completion: .finished)
      }
      #expect(room.encounters == 0)
      for thread in 0..<4 {
        #expect(
          history.values.filter { $0 / 1000 == thread } == (0..<200).map { thread * 1000 + $0 })
      }
      #expect(history.events.count == 802)
      #expect(history.events.last == .finished)
      history.onValue = nil
    }
  }

  @Test func aRequestOnAnotherThreadDuringADeliveryIsServedAfterIt() {
    let log = CallLog()
    let (source, child) = (Source(), Child())
    let history = History<Int, TestError>(demand: .max(1), log: log)
    history.onValue = { [unowned history] value in
      if value == 1 {
        child.send(2)
        onAnotherThread { history.request(2) }
        log.append("end of 1")
      }
      return .none
    }
    source.flatMap { $0 }.subscribe(history)
    source.send(child)
    child.send(1)
    child.send(3)
    #expect(
      log.lines == [
        "downstream: subscription FlatMap", "downstream: value 1", "end of 1",
        "downstream: value 2", "downstream: value 3",
      ])
  }

  @Test func aFinishOnAnotherThreadDuringADeliveryArrivesAfterIt() {
    let log = CallLog()
    let (source, child) = (Source(), Child())
    let history = History<Int, TestError>(log: log)
    history.onValue = { _ in
      onAnotherThread {
        child.finish()
        source.finish()
      }
      log.append("end of 1")
      return .none
    }
    source.flatMap { $0 }.subscribe(history)
    source.send(child)
    child.send(1)
    #expect(
      log.lines == [
        "downstream: subscription FlatMap", "downstream: value 1", "end of 1",
        "downstream: finished",
      ])
    history.onValue = nil
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
      #expect(history.values.count == 200)
      #expect(history.events.last == .finished)
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
      #expect(history.events == [])
      #expect(source.calls == [.request(.unlimited), .cancel])
      for child in children { #expect(child.calls == [.request(.unlimited), .cancel]) }
    }
  }
}
