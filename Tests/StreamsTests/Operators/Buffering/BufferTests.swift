import Streams
import TestSupport
import Testing

struct BufferTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  let source = ScriptedPublisher<Int, TestError>()
  let log = CallLog()

  // MARK: Demand

  @Test(arguments: Prefetch.allCases)
  func upstreamIsAskedBeforeDownstreamGetsItsSubscription(_ prefetch: Prefetch) {
    let source = Source(log: log)
    source.buffer(size: 3, prefetch: prefetch.strategy, whenFull: .dropNewest)
      .subscribe(History<Int, TestError>(demand: .none, log: log))
    log.expect([
      "upstream: subscribe", "upstream: request \(prefetch == .keepFull ? "max(3)" : "unlimited")",
      "downstream: subscription Buffer",
    ])
  }

  @Test func keepFullReplacesEachDeliveredValue() {
    let history = source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest)
      .history(demand: .max(2))
    expectEqual([1, 2, 3, 4, 5].map { source.send($0) }, [.max(1), .max(1), .none, .none, .none])
    expectEqual(source.calls, [.request(.max(3))])
    history.request(2)
    expectEqual(source.calls, [.request(.max(3)), .request(.max(2))])
    history.request(4)
    expectEqual(source.calls, [.request(.max(3)), .request(.max(2)), .request(.max(1))])
    expectEqual(source.send(6), .max(1))
    expectEqual(history.text, "Buffer: 1 2 3 4 5 6")
  }

  @Test func byRequestNeverAsksAgain() {
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: .max(1), perValue: .max(1))
    for value in 1...3 { expectEqual(source.send(value), .none) }
    history.request(5)
    history.request(.unlimited)
    expectEqual(source.calls, [.request(.unlimited)])
    expectEqual(history.values, [1, 2, 3])
  }

  @Test(arguments: Prefetch.allCases)
  func returnedDemandAndRequestsInsideAddUp(_ prefetch: Prefetch) {
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
    expectEqual(history.values, [])
    history.request(1)
    expectEqual(history.values, [1, 2, 3])
    expectEqual(
      source.calls,
      (prefetch == .keepFull ? [.request(.max(9)), .request(.max(3))] : [.request(.unlimited)]))
  }

  // MARK: Completion

  @Test func aFinishWaitsForTheQueueAndForOneMoreRequest() {
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: .none)
    for value in 1...2 { source.send(value) }
    source.finish()
    source.fail("late")
    expectEqual(source.send(3), .none)
    history.request(2)
    expectEqual(history.text, "Buffer: 1 2")
    history.request(1)
    expectEqual(history.text, "Buffer: 1 2 |")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func aFailureWithoutDemandDropsTheQueue() {
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: .none)
    source.send(1)
    source.fail("no more")
    expectEqual(history.text, "Buffer: x(no more)")
    history.request(3)
    source.send(2)
    expectEqual(history.text, "Buffer: x(no more)")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func aFailureWithinADeliveryComesAfterTheRequestedValues() {
    let history = source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest).history(
      demand: .none
    ) { _, _ in
      source.fail("no more")
    }
    for value in 1...5 { source.send(value) }
    history.request(3)
    expectEqual(history.text, "Buffer: 1 2 3 x(no more)")
  }

  /// Upstream fails while it's asked, before downstream has its subscription.
  @Test func aFailureDuringTheFirstRequestComesAfterTheSubscription() {
    source.onRequest = { _ in
      source.send(1)
      source.fail("no more")
    }
    let history = source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest)
      .history(demand: .max(1))
    expectEqual(history.text, "Buffer: 1 x(no more)")
  }

  @Test func valuesThatArriveBeforeTheSubscriptionWaitInTheQueue() {
    let history = (1...9).publisher.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest)
      .history()
    expectEqual(history.text, "Buffer: 5 6 7 8 9 |")
  }

  // MARK: Re-entrancy

  @Test(arguments: [Subscribers.Demand.max(9), .unlimited])
  func valuesSentWithinADeliveryComeAfterTheQueue(_ demand: Subscribers.Demand) {
    let history = source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).history(
      demand: .none
    ) { _, value in
      log.append("\(value)")
      if value == 1 { for value in 4...5 { expectEqual(source.send(value), .none) } }
      log.append("end of \(value)")
    }
    for value in 1...3 { source.send(value) }
    history.request(demand)
    log.expect((1...5).flatMap { ["\($0)", "end of \($0)"] })
    expectEqual(source.calls, [.request(.max(3)), .request(.max(5))])
  }

  /// A batch has left the queue before it's delivered, as in Combine.
  @Test func valuesThatAreBeingDeliveredTakeNoPlaceInTheQueue() {
    let history = source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).history(
      demand: .none
    ) { _, value in
      if value == 1 { for value in 3...5 { source.send(value) } }
    }
    for value in 1...2 { source.send(value) }
    history.request(.unlimited)
    expectEqual(history.values, [1, 2, 3, 4])
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
    expectEqual(history.values, Array(0..<count))
    expectEqual(history.completion, .finished)
    expectEqual(deepest, 1)
  }

  @Test func aRequestWithinADeliveryKeepsTheBufferFull() {
    let history = source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).history {
      history, _ in
      history.request(1)
    }
    for value in 1...3 { expectEqual(source.send(value), .max(1)) }
    expectEqual(history.values, [1, 2, 3])
  }

  // MARK: Cancellation

  @Test(arguments: Prefetch.allCases)
  func aCancellationWithinADeliveryDropsTheRest(_ prefetch: Prefetch) {
    let history = source.buffer(size: 3, prefetch: prefetch.strategy, whenFull: .dropNewest)
      .history(demand: .none, perValue: .max(1)) { history, value in
        if value == 2 { history.cancel() }
      }
    for value in 1...3 { source.send(value) }
    history.request(3)
    expectEqual(history.text, "Buffer: 1 2")
    expectEqual(source.calls, [.request(prefetch == .keepFull ? .max(3) : .unlimited), .cancel])
  }

  @Test func aCancellationWithinTheDirectDeliveryReturnsNoDemand() {
    let history = source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).history(
      demand: .unlimited
    ) { history, _ in
      history.cancel()
    }
    expectEqual(source.send(1), .none)
    expectEqual(source.send(2), .none)
    expectEqual(history.values, [1])
  }

  @Test func aCancellationOnAttachingDropsWhatHasArrived() {
    source.onRequest = { _ in source.send(1) }
    let history = History<Int, TestError>()
    history.onSubscription = {
      $0.request(.unlimited)
      $0.cancel()
    }
    source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(history)
    source.send(2)
    expectEqual(history.text, "Buffer:")
    expectEqual(source.calls, [.request(.max(3)), .cancel])
  }

  // MARK: Parameters

  @Test func keepsItsParameters() {
    let publisher = Fail<Int, TestError>(error: "no more")
      .buffer(size: 4, prefetch: .keepFull, whenFull: .customError { "full" })
    expectEqual(publisher.upstream, Fail(error: "no more"))
    expectEqual(publisher.size, 4)
    expectEqual(publisher.prefetch, .keepFull)
    expectEqual(Set([publisher.prefetch, .byRequest, .keepFull]).count, 2)
    guard case .customError(let makeError) = publisher.whenFull else {
      Issue.record("not a custom error")
      return
    }
    expectEqual(makeError(), "full")
  }
}

extension BufferTests {
  enum Prefetch: CaseIterable, Sendable {
    case keepFull, byRequest

    var strategy: Publishers.PrefetchStrategy { self == .keepFull ? .keepFull : .byRequest }
  }
}
