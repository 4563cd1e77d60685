import Streams
import TestSupport
import Testing

@testable import StreamsExtras

// In docs/async.md.
// region: back
func tens(of numbers: AsyncStream<Int>) -> some Publisher<Int, Never> {
  AsyncSequencePublisher(numbers).map { $0 * 10 }
}
// endregion

@Suite(.hangLimit) struct AsyncSequencePublisherTests {
  typealias Elements = ScriptedSequence<TestError>

  let elements = Elements()

  private func history(
    demand: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none
  ) -> History<Int, TestError> {
    AsyncSequencePublisher(elements).history(demand: demand, perValue: perValue)
  }

  @Test func publishesTheElementsAndFinishes() async {
    let history = history()
    for element in 1...3 { await elements.answer(.success(element)) }
    await elements.answer(.success(nil))
    await elements.waitForRelease()
    expectEqual(
      history.events,
      [
        .subscription("AsyncSequence"), .value(1), .value(2), .value(3), .finished,
      ])
  }

  @Test func failsWithTheErrorThatTheSequenceThrows() async {
    let history = history()
    await elements.answer(.success(1))
    await elements.answer(.failure("over"))
    await elements.waitForRelease()
    expectEqual(
      history.events, [.subscription("AsyncSequence"), .value(1), .failure("over")])
  }

  @Test func makesTheIteratorWhenASubscriberAttaches() {
    let publisher = AsyncSequencePublisher(elements)
    expectEqual(elements.lines, [])
    let first = publisher.history(demand: .none)
    expectEqual(elements.lines, ["iterator"])
    let second = publisher.history(demand: .none)
    expectEqual(elements.lines, ["iterator", "iterator"])
    first.cancel()
    second.cancel()
  }

  @Test func asksForOneElementPerRequestedValue() async {
    let history = history(demand: .none)
    history.request(2)
    await elements.answer(.success(1))
    await elements.answer(.success(2))
    history.request(1)
    await elements.answer(.success(3))
    history.request(1)
    await elements.answer(.success(nil))
    await elements.waitForRelease()
    expectEqual(
      history.events,
      [
        .subscription("AsyncSequence"), .value(1), .value(2), .value(3), .finished,
      ])
    expectEqual(
      elements.lines,
      [
        "iterator", "next", "return 1", "next", "return 2", "next", "return 3", "next",
        "return nil", "released",
      ])
  }

  typealias Subscriber = History<Int, TestError>

  /// A subscriber that requests nothing, and a closure that waits until the task waits for it.
  private func idleHistory() -> (Subscriber, waitForTask: () async -> Void) {
    let history = Subscriber(demand: .none)
    var feed: ElementFeed<Int, TestError>?
    history.onSubscription = { feed = ($0 as? ElementSubscription)?.feed }
    AsyncSequencePublisher(elements).subscribe(history)
    history.onSubscription = nil
    return (
      history, { [feed] in while feed?.isWaiting != true { await Task.yield() } }
    )
  }

  @Test func aRequestWakesTheTask() async {
    let (history, waitForTask) = idleHistory()
    for element in 1...3 {
      await waitForTask()
      history.request(1)
      await elements.answer(.success(element))
    }
    await waitForTask()
    history.cancel()
    await elements.waitForRelease()
    expectEqual(
      history.events, [.subscription("AsyncSequence"), .value(1), .value(2), .value(3)])
  }

  /// The task may be waiting for demand, or be about to.
  @Test(arguments: [false, true], [false, true])
  func aCancellationOrAReleaseWithoutDemandEndsTheTask(isWaiting: Bool, isCancelled: Bool) async {
    let (history, waitForTask) = idleHistory()
    if isWaiting { await waitForTask() }
    expectEqual(elements.lines, ["iterator"])
    if isCancelled { history.cancel() } else { history.releaseSubscription() }
    await elements.waitForRelease()
    expectEqual(elements.lines, ["iterator", "released"])
    expectEqual(history.events, [.subscription("AsyncSequence")])
  }

  @Test(arguments: [false, true])
  func demandFromWithinAValueCounts(isReturned: Bool) async {
    let history = history(demand: .max(1))
    history.onValue = { [unowned history] _ in
      if isReturned { return .max(1) }
      history.request(1)
      return .none
    }
    for element in 1...3 { await elements.answer(.success(element)) }
    await elements.answer(.success(nil))
    await elements.waitForRelease()
    expectEqual(
      history.events,
      [.subscription("AsyncSequence"), .value(1), .value(2), .value(3), .finished])
  }

  @Test(arguments: [Result<Int?, TestError>.success(1), .success(nil), .failure("late")])
  func aCancellationCancelsTheTaskAndDropsWhatItBrings(_ late: Result<Int?, TestError>) async {
    let history = history()
    await elements.waitForCall()
    history.cancel()
    await elements.answer(late, isCancelled: true)
    await elements.waitForRelease()
    expectEqual(history.events, [.subscription("AsyncSequence")])
  }

  @Test func aCancellationFromWithinAValueIsTheEnd() async {
    let history = history()
    history.onValue = { [unowned history] _ in
      history.cancel()
      return .max(1)
    }
    await elements.answer(.success(1))
    await elements.waitForRelease()
    expectEqual(history.events, [.subscription("AsyncSequence"), .value(1)])
    expectEqual(elements.lines, ["iterator", "next", "return 1", "released"])
  }

  @Test func aCancellationFromWithinTheSubscriptionAsksForNothing() async {
    let history = History<Int, TestError>()
    history.onSubscription = { subscription in
      subscription.request(.unlimited)
      subscription.cancel()
    }
    AsyncSequencePublisher(elements).subscribe(history)
    await elements.waitForRelease()
    expectEqual(elements.lines, ["iterator", "released"])
    expectEqual(history.events, [.subscription("AsyncSequence")])
  }

  @Test func aRequestAfterTheEndDoesNothing() async {
    let history = history()
    await elements.answer(.success(nil))
    await elements.waitForRelease()
    history.request(1)
    history.cancel()
    expectEqual(history.events, [.subscription("AsyncSequence"), .finished])
  }

  @Test func aCancellationReleasesTheSubscriberWhileTheSequenceWaits() async {
    weak var subscriber: History<Int, TestError>?
    do {
      let history = history()
      subscriber = history
      await elements.waitForCall()
      history.cancel()
      history.releaseSubscription()
    }
    #expect(subscriber == nil)
    await elements.answer(.success(nil), isCancelled: true)
  }

  @Test func aReleasedSubscriptionStillDeliversWhatWasRequested() async {
    let history = history(demand: .max(2))
    history.releaseSubscription()
    await elements.answer(.success(1))
    await elements.answer(.success(2))
    await elements.waitForRelease()
    expectEqual(history.events, [.subscription("AsyncSequence"), .value(1), .value(2)])
  }

  @Test func theTaskInheritsTaskLocalValues() async {
    enum Local {
      @TaskLocal static var name = "none"
    }
    let (names, found) = AsyncStream<String>.makeStream()
    let cancellable = Local.$name.withValue("mine") {
      AsyncSequencePublisher(elements).sink(
        receiveCompletion: { _ in found.yield(Local.name) }, receiveValue: { _ in })
    }
    await elements.answer(.success(nil))
    var iterator = names.makeAsyncIterator()
    expectEqual(await iterator.next(), "mine")
    cancellable.cancel()
  }

  @Test func theFailureIsTheSequencesOwn() {
    let stream = AsyncStream<Int> { $0.finish() }
    let throwing = AsyncThrowingStream<Int, any Error> { $0.finish() }
    let first: any Publisher<Int, Never> = AsyncSequencePublisher(stream)
    let second: any Publisher<Int, any Error> = AsyncSequencePublisher(
      throwing, priority: .low)
    _ = (first, second)
  }

  @Test func operatorsFollowAsAfterAnyPublisher() async {
    let numbers = AsyncStream<Int> { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    var received: [Int] = []
    for await number in tens(of: numbers).values { received.append(number) }
    expectEqual(received, [10, 20, 30])
  }

  /// There and back: the values of a publisher, as a publisher.
  @Test func everyValueSurvivesTheWayThereAndBack() async {
    let values = AsyncSequencePublisher((1...100).publisher.values).values
    var received: [Int] = []
    for await value in values { received.append(value) }
    expectEqual(received, Array(1...100))
  }

  @Test func requestsAndACancellationFromSeveralThreadsLeaveNothingBehind() async {
    for _ in 0..<100 {
      let room = Room()
      let (ends, ended) = AsyncStream<Void>.makeStream()
      let token = OnRelease { ended.finish() }
      let history = History<Int, Never>(demand: .none)
      history.onValue = { _ in
        room.visit()
        return .none
      }
      AsyncSequencePublisher(Endless(token: token)).subscribe(history)
      onThreads(4) { index in
        for _ in 0..<20 { history.request(1) }
        if index == 3 { history.cancel() }
      }
      history.cancel()
      // The publisher's task may still deliver what it had begun, so this waits for its end before
      // it looks.
      _ = consume token
      for await _ in ends {}
      expectEqual(room.encounters, 0)
      expectEqual(history.values, Array(0..<history.values.count))
      expectEqual(history.completion, nil)
    }
  }
}

/// Counts from zero, and keeps a token in its iterator.
private struct Endless: AsyncSequence {
  struct Iterator: AsyncIteratorProtocol {
    let token: OnRelease
    var count = 0

    mutating func next() async -> Int? {
      defer { count += 1 }
      return count
    }
  }

  typealias Failure = Never

  let token: OnRelease

  func makeAsyncIterator() -> Iterator { Iterator(token: token) }
}
