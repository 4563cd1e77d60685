import Streams
import TestSupport
import Testing

@Suite struct FutureTests {
  typealias IntFuture = Future<Int, TestError>

  /// Makes futures and keeps the promise for the test.
  final class Work: Sendable {
    private let state = Locked<IntFuture.Promise?>(nil)

    func future() -> IntFuture {
      IntFuture { promise in self.state.withLock { $0 = promise } }
    }

    func fulfill(_ result: Result<Int, TestError>) { state.withLock { $0 }?(result) }

    func forget() { _ = state.withLock { $0.take() } }
  }

  let log = CallLog()
  let work = Work()

  @Test func runsItsClosureOnceAndAtOnce() {
    let future = IntFuture { [log] promise in
      log.append("work")
      promise(.success(7))
    }
    expectEqual(log.lines, ["work"])
    expectEqual(future.history().events, [.subscription("Future"), .value(7), .finished])
    expectEqual(future.history().events, [.subscription("Future"), .value(7), .finished])
    expectEqual(log.lines, ["work"])
  }

  @Test func aValueWaitsForARequest() {
    let future = work.future()
    let early = future.history(demand: .none)
    work.fulfill(.success(7))
    let late = future.history(demand: .none)
    for history in [early, late] {
      expectEqual(history.events, [.subscription("Future")])
      history.request(1)
      history.request(1)
      expectEqual(history.events, [.subscription("Future"), .value(7), .finished])
    }
  }

  @Test func aRequestWaitsForTheValue() {
    let future = work.future()
    let history = future.history(demand: .max(1))
    history.request(1)
    expectEqual(history.events, [.subscription("Future")])
    work.fulfill(.success(7))
    expectEqual(history.events, [.subscription("Future"), .value(7), .finished])
  }

  @Test func aFailureNeedsNoDemand() {
    let future = work.future()
    let early = future.history(demand: .none)
    work.fulfill(.failure("over"))
    expectEqual(early.events, [.subscription("Future"), .failure("over")])
    let late = future.history(demand: .none)
    expectEqual(late.events, [.subscription("Future"), .failure("over")])
    late.request(1)
    expectEqual(late.events, [.subscription("Future"), .failure("over")])
  }

  @Test func onlyTheFirstResultCounts() {
    let future = IntFuture { promise in
      promise(.success(1))
      promise(.success(2))
      promise(.failure("over"))
    }
    expectEqual(future.history().events, [.subscription("Future"), .value(1), .finished])
  }

  @Test func aResultInsideADeliveryIsIgnored() {
    let future = work.future()
    let history = future.history()
    history.onValue = { [work] _ in
      work.fulfill(.success(2))
      history.request(1)
      return .max(1)
    }
    work.fulfill(.success(1))
    expectEqual(history.events, [.subscription("Future"), .value(1), .finished])
    expectEqual(future.history().values, [1])
  }

  @Test func aCancellationStopsNeitherTheWorkNorOtherSubscribers() {
    let future = work.future()
    let cancelled = future.history()
    let other = future.history()
    cancelled.cancel()
    cancelled.request(1)
    work.fulfill(.success(7))
    expectEqual(cancelled.events, [.subscription("Future")])
    expectEqual(other.events, [.subscription("Future"), .value(7), .finished])
    expectEqual(future.history().events, [.subscription("Future"), .value(7), .finished])
  }

  @Test func aSubscriberOfTheFirstDeliveryGetsTheValueToo() {
    let future = work.future()
    let first = future.history()
    let second = History<Int, TestError>()
    first.onValue = { _ in
      future.subscribe(second)
      return .none
    }
    work.fulfill(.success(7))
    expectEqual(first.events, [.subscription("Future"), .value(7), .finished])
    expectEqual(second.events, [.subscription("Future"), .value(7), .finished])
  }

  @Test func thePromiseKeepsTheFuture() {
    weak var released: IntFuture?
    let history: History<Int, TestError>
    do {
      let future = work.future()
      released = future
      history = future.history()
    }
    #expect(released != nil)
    work.fulfill(.success(7))
    expectEqual(history.events, [.subscription("Future"), .value(7), .finished])
    work.forget()
    #expect(released == nil)
  }

  enum Ending: CaseIterable { case success, failure, cancellation }

  @Test(arguments: Ending.allCases) func releasesTheSubscriberAtTheEnd(ending: Ending) {
    let future = work.future()
    var subscription: (any Subscription)?
    weak var released: History<Int, TestError>?
    do {
      let history = History<Int, TestError>()
      released = history
      history.onSubscription = {
        subscription = $0
        $0.request(.max(1))
      }
      future.subscribe(history)
      history.releaseSubscription()
    }
    #expect(released != nil)
    switch ending {
    case .success: work.fulfill(.success(7))
    case .failure: work.fulfill(.failure("over"))
    case .cancellation: subscription?.cancel()
    }
    withExtendedLifetime(subscription) { #expect(released == nil) }
  }

  @Test func forgetsASubscriptionThatIsCancelled() {
    let future = work.future()
    let others = (0..<4).map { _ in future.history() }
    weak var released: AnyObject?
    do {
      let history = History<Int, TestError>()
      history.onSubscription = { released = $0 as AnyObject }
      future.subscribe(history)
    }
    // The subscription keeps itself alive until it ends.
    #expect(released != nil)
    (released as? any Subscription)?.cancel()
    #expect(released == nil)
    work.fulfill(.success(7))
    expectEqual(others.map(\.values), Array(repeating: [7], count: 4))
  }

  @Test func forgetsASubscriptionThatIsCancelledOnAttaching() {
    let future = work.future()
    weak var released: AnyObject?
    let history = History<Int, TestError>()
    history.onSubscription = {
      released = $0 as AnyObject
      $0.cancel()
    }
    future.subscribe(history)
    #expect(released != nil)
    history.releaseSubscription()
    #expect(released == nil)
    work.fulfill(.success(7))
    expectEqual(history.values, [])
  }

  @Test func keepsTheOrderOfWaitingSubscribers() {
    let future = work.future()
    let histories = (0..<12).map { index in
      let history = History<Int, TestError>(name: "\(index)", log: log)
      future.subscribe(history)
      return history
    }
    for index in 0..<12 where !index.isMultiple(of: 3) { histories[index].cancel() }
    future.subscribe(histories[1])
    log.removeAll()
    work.fulfill(.success(7))
    expectEqual(
      log.lines, [0, 3, 6, 9, 1].flatMap { ["\($0): value 7", "\($0): finished"] })
  }

  @Test func withoutItsPromiseAFutureReleasesItsWaitingSubscribers() {
    weak var released: History<Int, TestError>?
    do {
      let future = work.future()
      let history = future.history()
      released = history
    }
    #expect(released != nil)
    work.forget()
    #expect(released == nil)
  }

  /// A value released by a cancellation may call the subscription in its `deinit`, because no lock
  /// is held then.
  @Test func anUnrequestedValueMayCancelDuringItsRelease() {
    nonisolated(unsafe) var subscription: (any Subscription)?
    func makeValue() -> Token {
      Token { [log] in
        subscription?.cancel()
        log.append("released")
      }
    }
    let history = History<Token, Never>()
    history.onSubscription = { subscription = $0 }
    Future<Token, Never> { $0(.success(makeValue())) }.subscribe(history)
    expectEqual(log.lines, [])
    subscription?.cancel()
    expectEqual(log.lines, ["released"])
  }

  @Test func isCalledFuture() {
    let history = History<Int, TestError>()
    history.onSubscription = { [log] in
      log.append("\(Mirror(reflecting: $0).children.count)")
    }
    work.future().subscribe(history)
    expectEqual(history.events, [.subscription("Future")])
    expectEqual(log.lines, ["0"])
  }

  @Test func oneThreadMayFulfillWhileOthersSubscribeRequestAndCancel() {
    for _ in 0..<100 {
      let work = Work()
      let future = work.future()
      let requesting = future.history(demand: .none)
      let cancelling = future.history()
      let late = History<Int, TestError>()
      onThreads(4) { thread in
        switch thread {
        case 0: work.fulfill(.success(7))
        case 1: requesting.request(1)
        case 2: cancelling.cancel()
        default: future.subscribe(late)
        }
      }
      let all: [History<Int, TestError>.Event] = [.subscription("Future"), .value(7), .finished]
      expectEqual(requesting.events, all)
      expectEqual(late.events, all)
      expectEqual(cancelling.events, Array(all.prefix(cancelling.events.count)))
    }
  }
}
