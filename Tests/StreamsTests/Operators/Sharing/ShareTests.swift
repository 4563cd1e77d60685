import Streams
import TestSupport
import Testing

@Suite struct ShareTests {
  let source = ScriptedPublisher<Int, TestError>()
  let log = CallLog()

  @Test func oneSubscriptionServesAll() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let shared = source.share()
    let first = History<Int, TestError>(name: "first", log: log)
    let second = History<Int, TestError>(demand: .max(1), name: "second", log: log)
    shared.subscribe(first)
    shared.subscribe(second)
    source.send(1)
    source.send(2)
    source.finish()
    log.expect([
      "first: subscription Multicast", "upstream: subscribe", "upstream: request unlimited",
      "second: subscription Multicast", "first: value 1", "second: value 1", "first: value 2",
      "first: finished", "second: finished",
    ])
  }

  @Test func aLateSubscriberGetsOnlyTheCompletion() {
    let shared = source.share()
    let first = shared.history()
    source.send(1)
    source.fail("over")
    let late = shared.history()
    expectEqual(first.text, "Multicast: 1 x(over)")
    expectEqual(late.text, "Multicast: x(over)")
    expectEqual(source.subscriberCount, 1)
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1)])
  func aLateSubscriberGetsTheCompletionForAnyDemand(demand: Subscribers.Demand) {
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
      expectEqual(late.text, "Multicast: |")
      let silent = publisher.history(demand: .none)
      expectEqual(silent.text, "Multicast: |")
    }
  }

  @Test func requestingZeroValuesFromALiveSubscriptionIsAProgrammingError() async {
    await #expect(processExitsWith: .failure) {
      PassthroughSubject<Int, Never>().share().history(demand: .none).request(.none)
    }
  }

  @Test func releasesEndedConnections() {
    let witness = LatestSubscriber()
    let shared = WitnessedPublisher(witness: witness).share()
    let history = shared.history()
    #expect(witness.subscriber != nil)
    history.cancel()
    #expect(witness.subscriber == nil)
  }

  @Test func theLastCancellationEndsTheSubscriptionAndTheNextSubscriberStartsANewOne() {
    let source = ScriptedPublisher<Int, Never>()
    let shared = source.share()
    let first = shared.history()
    let second = shared.history()
    first.cancel()
    first.cancel()
    source.send(1)
    expectEqual(source.calls, [.request(.unlimited)])
    second.cancel()
    expectEqual(source.calls, [.request(.unlimited), .cancel])
    let third = shared.history()
    source.send(2)
    expectEqual(source.subscriberCount, 2)
    expectEqual(first.values, [])
    expectEqual(second.values, [1])
    expectEqual(third.values, [2])
  }

  @Test func aCompletionDoesNotCountAsACancellation() {
    let source = ScriptedPublisher<Int, Never>()
    let shared = source.share()
    let history = shared.history()
    source.finish()
    history.cancel()
    expectEqual(source.calls, [.request(.unlimited)])
    _ = shared.history()
    expectEqual(source.subscriberCount, 2)
  }

  @Test func aFirstSubscriberThatLeavesWhileConnectingStartsUpstreamOnce() {
    let source = Deferred {
      log.append("load")
      return Just(42)
    }
    let forms: [AnyPublisher<Int, Never>] = [
      source.share().eraseToAnyPublisher(),
      source.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher(),
      source.makeConnectable().autoconnect().eraseToAnyPublisher(),
      source.share().share().eraseToAnyPublisher(),
    ]
    for shared in forms {
      for number in 1...3 {
        shared.first().sink {
          log.append("\(number): \($0)")
        } receiveValue: {
          log.append("\(number): \($0)")
        }.cancel()
      }
    }
    log.expect(
      Array(
        repeating: ["load", "1: 42", "1: finished", "2: finished", "3: finished"],
        count: forms.count
      ).flatMap(\.self))
  }

  @Test func afterALeaveWhileConnectingTheConnectionStays() {
    let state = CurrentValueSubject<Int, Never>(1)
    let cancellations = Locked(0)
    do {
      let shared =
        state
        .handleEvents(receiveCancel: { cancellations.withLock { $0 += 1 } }).share()
      let first = shared.first().history()
      expectEqual(first.text, "First: 1 |")
      // It comes to a connection that exists, so the current value isn't sent again.
      let second = shared.history()
      state.send(2)
      second.cancel()
      let third = shared.history()
      state.send(3)
      third.cancel()
      expectEqual(second.text, "Multicast: 2")
      expectEqual(third.text, "Multicast: 3")
      expectEqual(cancellations.withLock { $0 }, 0)
    }
    // The connection ends with the publisher.
    expectEqual(cancellations.withLock { $0 }, 1)
  }

  @Test func isEqualToItselfOnly() {
    let source = ScriptedPublisher<Int, Never>()
    let shared = source.share()
    expectEqual(shared, shared)
    #expect(shared != source.share())
  }
}

/// A weak reference to the latest subscriber of a publisher.
private final class LatestSubscriber {
  weak var subscriber: AnyObject?
}

/// A publisher without values that shows its latest subscriber.
private struct WitnessedPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let witness: LatestSubscriber

  func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Int {
    witness.subscriber = subscriber as AnyObject
    subscriber.receive(subscription: ScriptedSubscription())
  }
}
