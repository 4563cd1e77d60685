import Streams
import TestSupport
import Testing
import VirtualTime

// The tests run on the main actor, and so do their tasks. So when a test sees a request, the task
// that made it has suspended: it gives up the actor in no other way.
@Suite(.hangLimit) @MainActor struct AsyncPublisherTests {
  typealias Script = ScriptedPublisher<Int, Never>
  typealias Iterator = AsyncPublisher<Script>.Iterator

  let source = Script()

  /// Calls `next()` in a new task, and waits until the value has been requested.
  private func call(_ iterator: Iterator) async -> Task<Int?, Never> {
    let before = source.calls.count
    let task = Task {
      var iterator = iterator
      return await iterator.next()
    }
    while source.calls.count == before { await Task.yield() }
    return task
  }

  @Test func aLoopReceivesTheValuesInOrder() async {
    var received: [Int] = []
    for await value in (1...5).publisher.map({ $0 * 10 }).values { received.append(value) }
    expectEqual(received, [10, 20, 30, 40, 50])
  }

  @Test func anEmptyStreamEndsTheLoop() async {
    for await value in Empty<Int, Never>().values { Issue.record("received \(value)") }
  }

  @Test func makingAnIteratorSubscribesAndMakingASequenceDoesNot() {
    let values = source.values
    expectEqual(source.subscriberCount, 0)
    let first = values.makeAsyncIterator()
    expectEqual(source.subscriberCount, 1)
    let second = values.makeAsyncIterator()
    expectEqual(source.subscriberCount, 2)
    expectEqual(source.calls, [])
    withExtendedLifetime((first, second)) {}
  }

  @Test func twoIteratorsShareNothing() async {
    var first = source.values.makeAsyncIterator()
    var second = source.values.makeAsyncIterator()
    source.onRequest = { [source] _ in
      let index = source.calls.count - 1
      source.send(index + 1, to: index)
    }
    let values = (await first.next(), await second.next())
    #expect(values == (1, 2))
    expectEqual(source.subscriptions.map(\.calls), [[.request(.max(1))], [.request(.max(1))]])
  }

  @Test func eachCallRequestsOneValue() async {
    let iterator = source.values.makeAsyncIterator()
    for value in 1...3 {
      let task = await call(iterator)
      expectEqual(source.send(value), .none)
      expectEqual(await task.value, value)
    }
    expectEqual(source.calls, Array(repeating: .request(.max(1)), count: 3))
  }

  @Test func aValueThatArrivesDuringTheRequestIsReceived() async {
    var iterator = source.values.makeAsyncIterator()
    source.onRequest = { [source] _ in source.send(7) }
    expectEqual(await iterator.next(), 7)
    expectEqual(await iterator.next(), 7)
    expectEqual(source.calls, [.request(.max(1)), .request(.max(1))])
  }

  @Test func valuesThatNoCallWaitsForAreDropped() async {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values.makeAsyncIterator()
    subject.send(1)
    Task { subject.send(2) }
    expectEqual(await iterator.next(), 2)
    subject.send(3)
    Task { subject.send(4) }
    expectEqual(await iterator.next(), 4)
  }

  @Test func valuesThatWereNotRequestedWaitForTheNextCalls() async {
    var iterator = source.values.makeAsyncIterator()
    expectEqual(source.send(1), .none)
    expectEqual(await iterator.next(), 1)
    let task = await call(iterator)
    for value in 2...4 { expectEqual(source.send(value), .none) }
    source.finish()
    expectEqual(await task.value, 2)
    expectEqual(await iterator.next(), 3)
    expectEqual(await iterator.next(), 4)
    #expect(await iterator.next() == nil)
    // Only the call that had to wait has requested a value.
    expectEqual(source.calls, [.request(.max(1))])
  }

  @Test(arguments: Surplus.allCases) func aLoopGetsEveryValue(of surplus: Surplus) async {
    let clock = VirtualTimeScheduler { Issue.record("\($0)") }
    let source = ScriptedPublisher<Int, TestError>()
    let subject = PassthroughSubject<Int, TestError>()
    let log = CallLog()
    let publisher = surplus.publisher(source, subject, clock).catch { _ in Just(-1) }
      .handleEvents(receiveRequest: { log.append("\($0)") })
    let task = Task {
      var values: [Int] = []
      for await value in publisher.values { values.append(value) }
      return values
    }
    while log.lines.isEmpty { await Task.yield() }
    // Meanwhile, the loop can't go on.
    for value in 1...surplus.values {
      if surplus == .ownPublisher { source.send(value) } else { subject.send(value) }
      if value < surplus.values { clock.advance(by: .seconds(2)) }
    }
    if surplus == .ownPublisher { source.finish() } else { subject.send(completion: .finished) }
    clock.advance(by: .seconds(2))
    expectEqual(await task.value, Array(1...surplus.values))
    expectEqual(log.lines, ["max(1)"])
  }

  @Test func aSubjectWithAValueGivesTheNewestOne() async {
    let subject = CurrentValueSubject<Int, Never>(1)
    var iterator = subject.values.makeAsyncIterator()
    expectEqual(await iterator.next(), 1)
    subject.send(2)
    subject.send(3)
    expectEqual(await iterator.next(), 3)
  }

  @Test func callsAtTheSameTimeAreServedInTheirOrder() async {
    let iterator = source.values.makeAsyncIterator()
    let tasks = [await call(iterator), await call(iterator), await call(iterator)]
    expectEqual(source.calls, Array(repeating: .request(.max(1)), count: 3))
    for value in 1...3 { source.send(value) }
    for (task, value) in zip(tasks, 1...3) { expectEqual(await task.value, value) }
  }

  @Test func aFinishEndsAllWaitingAndAllLaterCalls() async {
    var iterator = source.values.makeAsyncIterator()
    let tasks = [await call(iterator), await call(iterator)]
    source.finish()
    for task in tasks { #expect(await task.value == nil) }
    #expect(await iterator.next() == nil)
    expectEqual(source.calls, [.request(.max(1)), .request(.max(1))])
  }

  @Test func aFinishIsKeptForTheNextCallAndNothingFollows() async {
    var iterator = source.values.makeAsyncIterator()
    source.finish()
    source.send(1)
    source.finish()
    let values = [await iterator.next(), await iterator.next()]
    expectEqual(values, [nil, nil])
    expectEqual(source.calls, [])
  }

  /// Begins calls of `next()`, and returns once they wait, although there's no subscription.
  private func begin(_ count: Int, of iterator: Iterator) async -> [Task<Int?, Never>] {
    var begun = 0
    let tasks = (0..<count).map { _ in
      Task {
        var iterator = iterator
        begun += 1
        return await iterator.next()
      }
    }
    while begun < count { await Task.yield() }
    return tasks
  }

  @Test func aFinishWithoutASubscriptionEndsAllWaitingAndAllLaterCalls() async {
    let source = Script(sendsSubscription: false)
    var iterator = source.values.makeAsyncIterator()
    let tasks = await begin(2, of: iterator)
    source.finish()
    for task in tasks { #expect(await task.value == nil) }
    #expect(await iterator.next() == nil)
    expectEqual(source.sendSubscription().calls, [.cancel])
  }

  @Test func aValueAndAFinishWithoutASubscriptionAreKeptForTheNextCalls() async {
    let source = Script(sendsSubscription: false)
    var iterator = source.values.makeAsyncIterator()
    source.send(1)
    source.finish()
    expectEqual(await iterator.next(), 1)
    #expect(await iterator.next() == nil)
  }

  @Test func valuesWithoutASubscriptionGoToWaitingCallsAndThenToLaterOnes() async {
    let source = Script(sendsSubscription: false)
    var iterator = source.values.makeAsyncIterator()
    let tasks = await begin(2, of: iterator)
    for value in 1...3 { source.send(value) }
    var received: Set<Int?> = []
    for task in tasks { received.insert(await task.value) }
    expectEqual(received, [1, 2])
    expectEqual(await iterator.next(), 3)
  }

  @Test func itsSubscriberIsCancellable() async {
    let source = Interceptor()
    var iterator = source.values.makeAsyncIterator()
    let subscriber = source.subscriber as? any Cancellable
    #expect(subscriber != nil)
    subscriber?.cancel()
    #expect(await iterator.next() == nil)
  }

  /// A publisher that keeps its subscriber and sends nothing.
  private final class Interceptor: Publisher {
    typealias Output = Int
    typealias Failure = Never

    private(set) var subscriber: Any?

    func receive<S: Subscriber<Int, Never>>(subscriber: S) { self.subscriber = subscriber }
  }

  @Test func callsBeforeTheSubscriptionAreRequestedTogether() async {
    let source = Script(sendsSubscription: false)
    let tasks = await begin(3, of: source.values.makeAsyncIterator())
    source.sendSubscription()
    expectEqual(source.calls, [.request(.max(3))])
    for value in 1...3 { source.send(value) }
    var received: Set<Int?> = []
    for task in tasks { received.insert(await task.value) }
    expectEqual(received, [1, 2, 3])
  }

  @Test func aSecondSubscriptionIsCancelled() async {
    let iterator = source.values.makeAsyncIterator()
    expectEqual(source.sendSubscription().calls, [.cancel])
    let task = await call(iterator)
    source.send(1)
    expectEqual(await task.value, 1)
    expectEqual(source.subscriptions[0].calls, [.request(.max(1))])
  }

  // MARK: Isolation

  /// Its closure runs at each request, and traps anywhere but on the main actor. A sequence's own
  /// `map` would run it right away.
  private func numbersOfTheMainActor() -> some Publisher<Int, Never> {
    [1, 2].publisher.eraseToAnyPublisher().map { value in MainActor.assumeIsolated { value } }
  }

  @Test func aLoopOnTheMainActorRequestsThere() async {
    var received: [Int] = []
    for await value in numbersOfTheMainActor().values { received.append(value) }
    expectEqual(received, [1, 2])
  }

  @Test func aCallOnTheMainActorRequestsThere() async {
    var iterator = numbersOfTheMainActor().values.makeAsyncIterator()
    expectEqual(await iterator.next(), 1)
    expectEqual(await iterator.next(isolation: MainActor.shared), 2)
  }

  @Test func valuesNeedNotBeSendable() async {
    final class Box {
      var number = 0
    }
    let subject = PassthroughSubject<Box, Never>()
    let box = Box()
    var iterator = subject.values.makeAsyncIterator()
    Task { subject.send(box) }
    #expect(await iterator.next() === box)
  }
}
