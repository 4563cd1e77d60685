import Streams
import TestSupport
import Testing

struct BufferTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  // MARK: Demand

  @Test(arguments: Prefetch.allCases)
  func upstreamIsAskedBeforeDownstreamGetsItsSubscription(_ prefetch: Prefetch) {
    let log = CallLog()
    let source = Source(log: log)
    source.buffer(size: 3, prefetch: prefetch.strategy, whenFull: .dropNewest)
      .subscribe(History<Int, TestError>(demand: .none, log: log))
    #expect(
      log.lines == [
        "upstream: subscribe",
        "upstream: request \(prefetch == .keepFull ? "max(3)" : "unlimited")",
        "downstream: subscription Buffer",
      ])
  }

  @Test func keepFullReplacesEachDeliveredValue() {
    let source = Source()
    let history = source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest)
      .history(demand: .max(2))
    #expect([1, 2, 3, 4, 5].map { source.send($0) } == [.max(1), .max(1), .none, .none, .none])
    #expect(source.calls == [.request(.max(3))])
    history.request(2)
    #expect(source.calls == [.request(.max(3)), .request(.max(2))])
    history.request(4)
    #expect(source.calls == [.request(.max(3)), .request(.max(2)), .request(.max(1))])
    #expect(source.send(6) == .max(1))
    #expect(
      history.events == [.subscription("Buffer")] + (1...6).map { .value($0) })
  }

  @Test func byRequestNeverAsksAgain() {
    let source = Source()
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: .max(1), perValue: .max(1))
    for value in 1...3 { #expect(source.send(value) == .none) }
    history.request(5)
    history.request(.unlimited)
    #expect(source.calls == [.request(.unlimited)])
    #expect(history.values == [1, 2, 3])
  }

  @Test(arguments: Prefetch.allCases)
  func returnedDemandAndRequestsInsideAddUp(_ prefetch: Prefetch) {
    let source = Source()
    let history = History<Int, TestError>(demand: .none)
    history.onValue = { value in
      guard value == 1 else { return .none }
      history.request(1)
      history.request(.none)
      return .max(1)
    }
    source.buffer(size: 9, prefetch: prefetch.strategy, whenFull: .dropNewest).subscribe(history)
    for value in 1...5 { source.send(value) }
    history.request(.none)
    #expect(history.values == [])
    history.request(1)
    #expect(history.values == [1, 2, 3])
    #expect(
      source.calls
        == (prefetch == .keepFull
          ? [.request(.max(9)), .request(.max(3))] : [.request(.unlimited)]))
    history.onValue = nil
  }

  // MARK: Completion

  @Test func aFinishWaitsForTheQueueAndForOneMoreRequest() {
    let source = Source()
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: .none)
    for value in 1...2 { source.send(value) }
    source.finish()
    source.fail("late")
    #expect(source.send(3) == .none)
    history.request(2)
    #expect(history.events == [.subscription("Buffer"), .value(1), .value(2)])
    history.request(1)
    #expect(history.events == [.subscription("Buffer"), .value(1), .value(2), .finished])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test(arguments: [Subscribers.Demand.max(1), .unlimited])
  func aFinishWithDemandIsDeliveredAtOnce(_ demand: Subscribers.Demand) {
    let source = Source()
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: demand)
    source.finish()
    #expect(history.events == [.subscription("Buffer"), .finished])
  }

  @Test func aFailureWithoutDemandDropsTheQueue() {
    let source = Source()
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: .none)
    source.send(1)
    source.fail("no more")
    #expect(history.events == [.subscription("Buffer"), .failure("no more")])
    history.request(3)
    source.send(2)
    #expect(history.events == [.subscription("Buffer"), .failure("no more")])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func aFailureWithinADeliveryComesAfterTheRequestedValues() {
    let source = Source()
    let history = History<Int, TestError>(demand: .none)
    history.onValue = { _ in
      source.fail("no more")
      return .none
    }
    source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest).subscribe(history)
    for value in 1...5 { source.send(value) }
    history.request(3)
    #expect(
      history.events
        == [.subscription("Buffer"), .value(1), .value(2), .value(3), .failure("no more")])
    history.onValue = nil
  }

  /// Upstream fails while it's asked, before downstream has its subscription.
  @Test func aFailureDuringTheFirstRequestComesAfterTheSubscription() {
    let source = Source()
    source.onRequest = { _ in
      source.send(1)
      source.fail("no more")
    }
    let history = source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest)
      .history(demand: .max(1))
    #expect(history.events == [.subscription("Buffer"), .value(1), .failure("no more")])
    source.onRequest = nil
  }

  @Test func valuesThatArriveBeforeTheSubscriptionWaitInTheQueue() {
    let history = (1...9).publisher.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest)
      .history()
    #expect(
      history.events == [.subscription("Buffer")] + (5...9).map { .value($0) } + [.finished])
  }

  // MARK: Re-entrancy

  @Test(arguments: [Subscribers.Demand.max(9), .unlimited])
  func valuesSentWithinADeliveryComeAfterTheQueue(_ demand: Subscribers.Demand) {
    let log = CallLog()
    let source = Source()
    let history = History<Int, TestError>(demand: .none)
    history.onValue = { value in
      log.append("\(value)")
      if value == 1 { for value in 4...5 { #expect(source.send(value) == .none) } }
      log.append("end of \(value)")
      return .none
    }
    source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(history)
    for value in 1...3 { source.send(value) }
    history.request(demand)
    #expect(log.lines == (1...5).flatMap { ["\($0)", "end of \($0)"] })
    #expect(source.calls == [.request(.max(3)), .request(.max(5))])
    history.onValue = nil
  }

  /// A batch has left the queue before it's delivered, as in Combine.
  @Test func valuesThatAreBeingDeliveredTakeNoPlaceInTheQueue() {
    let source = Source()
    let history = History<Int, TestError>(demand: .none)
    history.onValue = { value in
      if value == 1 { for value in 3...5 { source.send(value) } }
      return .none
    }
    source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).subscribe(history)
    for value in 1...2 { source.send(value) }
    history.request(.unlimited)
    #expect(history.values == [1, 2, 3, 4])
    history.onValue = nil
  }

  @Test(arguments: Prefetch.allCases)
  func requestsFromWithinDeliveriesDoNotRecurse(_ prefetch: Prefetch) {
    let count = 100_000
    var depth = 0
    var deepest = 0
    let history = History<Int, Never>(demand: .max(1))
    history.onValue = { _ in
      depth += 1
      deepest = max(deepest, depth)
      history.request(1)
      depth -= 1
      return .none
    }
    (0..<count).publisher.buffer(
      size: prefetch == .keepFull ? 2 : count, prefetch: prefetch.strategy, whenFull: .dropNewest
    ).subscribe(history)
    #expect(history.values == Array(0..<count))
    #expect(history.completion == .finished)
    #expect(deepest == 1)
    history.onValue = nil
  }

  @Test func aRequestWithinADeliveryKeepsTheBufferFull() {
    let source = Source()
    let history = History<Int, TestError>()
    history.onValue = { _ in
      history.request(1)
      return .none
    }
    source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(history)
    for value in 1...3 { #expect(source.send(value) == .max(1)) }
    #expect(history.values == [1, 2, 3])
    history.onValue = nil
  }

  // MARK: Cancellation

  @Test(arguments: Prefetch.allCases)
  func aCancellationWithinADeliveryDropsTheRest(_ prefetch: Prefetch) {
    let source = Source()
    let history = History<Int, TestError>(demand: .none, perValue: .max(1))
    history.onValue = { value in
      if value == 2 { history.cancel() }
      return .none
    }
    source.buffer(size: 3, prefetch: prefetch.strategy, whenFull: .dropNewest).subscribe(history)
    for value in 1...3 { source.send(value) }
    history.request(3)
    #expect(history.events == [.subscription("Buffer"), .value(1), .value(2)])
    #expect(
      source.calls == [.request(prefetch == .keepFull ? .max(3) : .unlimited), .cancel])
    history.onValue = nil
  }

  @Test func aCancellationWithinTheDirectDeliveryReturnsNoDemand() {
    let source = Source()
    let history = History<Int, TestError>(demand: .unlimited)
    history.onValue = { _ in
      history.cancel()
      return .none
    }
    source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(history)
    #expect(source.send(1) == .none)
    #expect(source.send(2) == .none)
    #expect(history.values == [1])
    history.onValue = nil
  }

  @Test func aCancellationOnAttachingDropsWhatHasArrived() {
    let source = Source()
    source.onRequest = { _ in source.send(1) }
    let history = History<Int, TestError>()
    history.onSubscription = {
      $0.request(.unlimited)
      $0.cancel()
    }
    source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(history)
    source.send(2)
    #expect(history.events == [.subscription("Buffer")])
    #expect(source.calls == [.request(.max(3)), .cancel])
    source.onRequest = nil
    history.onSubscription = nil
  }

  // MARK: Two subscribers, and parameters

  @Test func eachSubscriberHasItsOwnQueue() {
    let source = PassthroughSubject<Int, TestError>()
    let publisher = source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
    let first = publisher.history(demand: .none)
    source.send(1)
    let second = publisher.history(demand: .none)
    source.send(2)
    source.send(3)
    first.request(1)
    second.request(9)
    first.cancel()
    source.send(4)
    #expect(first.values == [2])
    #expect(second.values == [2, 3, 4])
  }

  @Test func keepsItsParameters() {
    let publisher = Fail<Int, TestError>(error: "no more")
      .buffer(size: 4, prefetch: .keepFull, whenFull: .customError { "full" })
    #expect(publisher.upstream == Fail(error: "no more"))
    #expect(publisher.size == 4)
    #expect(publisher.prefetch == .keepFull)
    #expect(Set([publisher.prefetch, .byRequest, .keepFull]).count == 2)
    guard case .customError(let makeError) = publisher.whenFull else {
      Issue.record("not a custom error")
      return
    }
    #expect(makeError() == "full")
  }
}

extension BufferTests {
  enum Prefetch: CaseIterable, Sendable {
    case keepFull, byRequest

    var strategy: Publishers.PrefetchStrategy { self == .keepFull ? .keepFull : .byRequest }
  }
}
