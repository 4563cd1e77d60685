import Streams
import TestSupport
import Testing

@Suite struct ShareTests {
  @Test func oneSubscriptionServesAll() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let shared = source.share()
    let first = History<Int, TestError>(name: "first", log: log)
    let second = History<Int, TestError>(demand: .max(1), name: "second", log: log)
    shared.subscribe(first)
    shared.subscribe(second)
    source.send(1)
    source.send(2)
    source.finish()
    #expect(
      log.lines == [
        "first: subscription Multicast",
        "upstream: subscribe",
        "upstream: request unlimited",
        "second: subscription Multicast",
        "first: value 1",
        "second: value 1",
        "first: value 2",
        "first: finished",
        "second: finished",
      ])
  }

  @Test func whoComesAfterTheEndGetsOnlyTheEnd() {
    let source = ScriptedPublisher<Int, TestError>()
    let shared = source.share()
    let first = shared.history()
    source.send(1)
    source.fail("over")
    let late = shared.history()
    #expect(first.events == [.subscription("Multicast"), .value(1), .failure("over")])
    #expect(late.events == [.subscription("Multicast"), .failure("over")])
    #expect(source.subscriberCount == 1)
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1)])
  func whoComesAfterTheEndGetsItWhateverItRequests(demand: Subscribers.Demand) {
    let source = ScriptedPublisher<Int, TestError>()
    let shared = source.share()
    let multicast = source.multicast(subject: CurrentValueSubject(0))
    let connection = multicast.connect()
    defer { connection.cancel() }
    _ = shared.history()
    source.finish(to: 0)
    source.finish(to: 1)
    for publisher in [shared.eraseToAnyPublisher(), multicast.eraseToAnyPublisher()] {
      let late = History<Int, TestError>()
      late.onSubscription = { $0.request(demand) }
      publisher.subscribe(late)
      #expect(late.events == [.subscription("Multicast"), .finished])
      let silent = publisher.history(demand: .none)
      #expect(silent.events == [.subscription("Multicast"), .finished])
    }
  }

  @Test func requestingNothingOfALiveOneIsAProgrammingError() async {
    await #expect(processExitsWith: .failure) {
      PassthroughSubject<Int, Never>().share().history(demand: .none).request(.none)
    }
  }

  @Test func forgetsFormerConnections() {
    let witness = LatestSubscriber()
    let shared = WitnessedPublisher(witness: witness).share()
    let history = shared.history()
    #expect(witness.subscriber != nil)
    history.cancel()
    #expect(witness.subscriber == nil)
  }

  @Test func theLastToCancelEndsTheSubscriptionAndTheNextBeginsAnew() {
    let source = ScriptedPublisher<Int, Never>()
    let shared = source.share()
    let first = shared.history()
    let second = shared.history()
    first.cancel()
    first.cancel()
    source.send(1)
    #expect(source.calls == [.request(.unlimited)])
    second.cancel()
    #expect(source.calls == [.request(.unlimited), .cancel])
    let third = shared.history()
    source.send(2)
    #expect(source.subscriberCount == 2)
    #expect(first.values == [])
    #expect(second.values == [1])
    #expect(third.values == [2])
  }

  @Test func aCompletionDoesNotCountAsACancellation() {
    let source = ScriptedPublisher<Int, Never>()
    let shared = source.share()
    let history = shared.history()
    source.finish()
    history.cancel()
    #expect(source.calls == [.request(.unlimited)])
    _ = shared.history()
    #expect(source.subscriberCount == 2)
  }

  @Test func goesOnWithoutAnyoneHoldingThePublisher() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.share().history()
    source.send(1)
    #expect(history.values == [1])
  }

  @Test func letsGoOfEverythingAtTheEnd() {
    weak var released: History<Int, Never>?
    let source = ScriptedPublisher<Int, Never>()
    do {
      let history = source.share().history()
      released = history
      source.finish()
      history.releaseSubscription()
      source.releaseSubscribers()
    }
    #expect(released == nil)
  }

  @Test func isEqualToItselfOnly() {
    let source = ScriptedPublisher<Int, Never>()
    let shared = source.share()
    #expect(shared == shared)
    #expect(shared != source.share())
  }
}

@Suite struct MulticastTests {
  @Test func makesItsSubjectOnceAndOnlyWhenNeeded() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(log: log)
    let multicast = source.multicast { () -> PassthroughSubject<Int, Never> in
      log.append("subject")
      return PassthroughSubject()
    }
    #expect(log.lines == [])
    let history = History<Int, Never>(log: log)
    multicast.subscribe(history)
    let connection = multicast.connect()
    source.send(1)
    connection.cancel()
    source.send(2)
    #expect(
      log.lines == [
        "subject", "downstream: subscription Multicast", "upstream: subscribe",
        "upstream: request unlimited", "downstream: value 1", "upstream: cancel",
      ])
  }

  @Test func eachConnectSubscribesAgain() {
    let source = ScriptedPublisher<Int, Never>()
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history()
    let connections = [multicast.connect(), multicast.connect()]
    source.send(1, to: 0)
    source.send(2, to: 1)
    connections[0].cancel()
    source.send(3, to: 1)
    #expect(history.values == [1, 2, 3])
    #expect(
      source.subscriptions.map(\.calls) == [
        [.request(.unlimited), .cancel], [.request(.unlimited)],
      ])
  }

  @Test func droppingTheConnectionCancelsIt() {
    let source = ScriptedPublisher<Int, Never>()
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history()
    _ = multicast.connect()
    #expect(history.values == [])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func asksOnlyWhenASubscriberDoes() {
    let source = ScriptedPublisher<Int, Never>()
    let multicast = source.multicast(subject: PassthroughSubject())
    let history = multicast.history(demand: .none)
    let connection = multicast.connect()
    #expect(source.calls == [])
    history.request(1)
    #expect(source.calls == [.request(.unlimited)])
    connection.cancel()
  }

  @Test func aCancelledSubscriberGetsNothingMore() {
    let source = ScriptedPublisher<Int, Never>()
    let multicast = source.multicast(subject: CurrentValueSubject(0))
    let first = multicast.history()
    let second = multicast.history()
    let connection = multicast.connect()
    first.cancel()
    source.send(1)
    #expect(first.values == [0])
    #expect(second.values == [0, 1])
    connection.cancel()
  }
}

@Suite struct MakeConnectableTests {
  @Test func waitsForConnect() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(log: log)
    let connectable = source.makeConnectable()
    let first = connectable.history()
    let second = connectable.history()
    #expect(log.lines == [])
    let connection = connectable.connect()
    source.send(1)
    #expect(first.values == [1])
    #expect(second.values == [1])
    connection.cancel()
    #expect(
      log.lines == ["upstream: subscribe", "upstream: request unlimited", "upstream: cancel"])
  }

  @Test func autoconnectDoesNotWait() {
    let source = ScriptedPublisher<Int, Never>()
    let automatic = source.makeConnectable().autoconnect()
    let first = automatic.history()
    source.send(1)
    let second = automatic.history()
    source.send(2)
    #expect(first.values == [1, 2])
    #expect(second.values == [2])
    #expect(source.subscriberCount == 1)
  }
}

@Suite struct AutoconnectTests {
  @Test func aSubscriberThatSubscribesAnotherWhileAttachingConnectsTwice() {
    let source = ScriptedPublisher<Int, Never>()
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let inner = History<Int, Never>()
    let outer = History<Int, Never>()
    outer.onSubscription = { subscription in
      automatic.subscribe(inner)
      subscription.request(.unlimited)
    }
    automatic.subscribe(outer)
    #expect(source.subscriberCount == 2)
    // Both count: the connection lasts until both have left.
    inner.cancel()
    source.send(1)
    #expect(outer.values == [1])
    outer.cancel()
    #expect(inner.values == [])
    #expect(source.subscriptions.map(\.isCancelled) == [true, true])
  }

  @Test func aNestedConnectionIsCountedAndTakenOver() {
    let source = ScriptedPublisher<Int, Never>()
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let inner = History<Int, Never>()
    let outer = History<Int, Never>()
    outer.onSubscription = { subscription in
      automatic.subscribe(inner)
      subscription.request(.unlimited)
    }
    automatic.subscribe(outer)
    #expect(source.subscriptions.map(\.isCancelled) == [true, false])
    outer.cancel()
    #expect(source.subscriptions.map(\.isCancelled) == [true, false])
    inner.cancel()
    #expect(source.subscriptions.map(\.isCancelled) == [true, true])
    outer.onSubscription = nil
  }

  @Test func whoLeavesBeforeTheConnectionStandsTakesItDown() {
    let source = ScriptedPublisher<Int, Never>()
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let history = History<Int, Never>()
    history.onSubscription = { $0.cancel() }
    automatic.subscribe(history)
    #expect(source.calls == [.cancel])
  }

  @Test func cancelsTheConnectionBeforeTheSubscription() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(name: "source", log: log)
    let subject = ScriptedSubject<Int, Never>(log: log)
    let history = source.multicast(subject: subject).autoconnect().history()
    history.cancel()
    #expect(
      log.lines == [
        "subject: subscribe", "subject: request unlimited", "source: subscribe", "source: cancel",
        "subject: cancel",
      ])
  }

  @Test func whoComesFromAnotherThreadWhileOneConnectsJoins() {
    let source = ScriptedPublisher<Int, Never>()
    nonisolated(unsafe) let automatic = source.multicast(subject: PassthroughSubject())
      .autoconnect()
    let second = History<Int, Never>()
    source.onSubscribe = {
      source.onSubscribe = nil
      onAnotherThread { automatic.subscribe(second) }
    }
    let first = automatic.history()
    source.send(1)
    #expect(source.subscriberCount == 1)
    #expect(first.values == [1])
    #expect(second.values == [1])
  }

  @Test func threadsShareOneConnection() async {
    for _ in 0..<200 {
      let source = ScriptedPublisher<Int, Never>()
      nonisolated(unsafe) let automatic = source.multicast(subject: PassthroughSubject())
        .autoconnect()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            let history = automatic.history()
            history.cancel()
          }
        }
      }
      let cancelled = source.subscriptions.filter(\.isCancelled).count
      #expect(cancelled == source.subscriberCount)
    }
  }
}

/// Sees the latest subscriber of a publisher, without keeping it.
private final class LatestSubscriber {
  weak var subscriber: AnyObject?
}

/// A publisher without values that shows who has subscribed.
private struct WitnessedPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let witness: LatestSubscriber

  func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Int {
    witness.subscriber = subscriber as AnyObject
    subscriber.receive(subscription: ScriptedSubscription())
  }
}

/// A subject that writes down what its subscribers ask of it.
private final class ScriptedSubject<Output, Failure: Error>: Subject {
  let source: ScriptedPublisher<Output, Failure>

  init(log: CallLog) { source = ScriptedPublisher(name: "subject", log: log) }

  func send(_ value: Output) { source.send(value) }
  func send(completion: Subscribers.Completion<Failure>) { source.send(completion: completion) }
  func send(subscription: any Subscription) {}
  func receive<S>(subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    source.receive(subscriber: subscriber)
  }
}
