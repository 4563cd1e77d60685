import Streams
import TestSupport
import Testing

struct BufferTests {
  typealias Source = ScriptedPublisher<Int, TestError>
  typealias Strategy = Publishers.BufferingStrategy<TestError>

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

  @Test func aReturnedDemandOfTheDirectDeliveryCounts() {
    let source = Source()
    let history = source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: .max(1), perValue: .max(1))
    for value in 1...5 { source.send(value) }
    #expect(history.values == [1, 2, 3, 4, 5])
  }

  // MARK: Overflow

  @Test(arguments: Prefetch.allCases, [Subscribers.Demand.max(3), .unlimited])
  func dropNewestKeepsTheFirstValues(_ prefetch: Prefetch, _ demand: Subscribers.Demand) {
    let source = Source()
    let history = source.buffer(size: 3, prefetch: prefetch.strategy, whenFull: .dropNewest)
      .history(demand: .none)
    for value in 1...5 { #expect(source.send(value) == .none) }
    history.request(demand)
    #expect(history.events == [.subscription("Buffer"), .value(1), .value(2), .value(3)])
  }

  @Test(arguments: Prefetch.allCases, [Subscribers.Demand.max(3), .unlimited])
  func dropOldestKeepsTheLastValues(_ prefetch: Prefetch, _ demand: Subscribers.Demand) {
    let source = Source()
    let history = source.buffer(size: 3, prefetch: prefetch.strategy, whenFull: .dropOldest)
      .history(demand: .none)
    for value in 1...5 { #expect(source.send(value) == .none) }
    history.request(demand)
    #expect(history.events == [.subscription("Buffer"), .value(3), .value(4), .value(5)])
  }

  @Test func anOverflowCancelsUpstreamAndFailsAfterTheRequestedValues() {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<Int, TestError>(demand: .none, log: log)
    source.buffer(
      size: 2, prefetch: .keepFull,
      whenFull: .customError {
        log.append("error")
        return "full"
      }
    ).subscribe(history)
    for value in 1...5 { #expect(source.send(value) == .none) }
    source.fail("late")
    #expect(
      log.lines.suffix(3) == ["downstream: subscription Buffer", "error", "upstream: cancel"])
    history.request(.none)
    #expect(history.events == [.subscription("Buffer")])
    history.request(3)
    history.request(1)
    history.cancel()
    #expect(
      history.events == [.subscription("Buffer"), .value(1), .value(2), .failure("full")])
    #expect(source.calls == [.request(.max(2)), .cancel])
  }

  @Test func theFailureOfAnOverflowDropsValuesThatAreNotRequested() {
    let source = Source()
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .customError { "full" })
      .history(demand: .none)
    for value in 1...4 { source.send(value) }
    history.request(2)
    #expect(
      history.events == [.subscription("Buffer"), .value(1), .value(2), .failure("full")])
  }

  @Test func anOverflowInsideADeliveryWaitsForTheNextRequest() {
    let source = Source()
    let history = History<Int, TestError>(demand: .max(1))
    history.onValue = { value in
      if value == 1 { for value in 2...3 { source.send(value) } }
      return .none
    }
    source.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { "full" })
      .subscribe(history)
    source.send(1)
    #expect(history.events == [.subscription("Buffer"), .value(1)])
    history.request(1)
    #expect(
      history.events == [.subscription("Buffer"), .value(1), .value(2), .failure("full")])
    history.onValue = nil
  }

  @Test func anOverflowInsideADeliveryWithUnlimitedDemandFailsAfterTheQueue() {
    let source = Source()
    let history = History<Int, TestError>(demand: .unlimited)
    history.onValue = { value in
      if value == 1 { for value in 2...3 { source.send(value) } }
      return .none
    }
    source.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { "full" })
      .subscribe(history)
    source.send(1)
    #expect(
      history.events == [.subscription("Buffer"), .value(1), .value(2), .failure("full")])
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
  }

  @Test func anOverflowBeforeTheSubscriptionWaitsForTheFirstRequest() {
    let history = (1...9).publisher.setFailureType(to: TestError.self)
      .buffer(size: 3, prefetch: .byRequest, whenFull: .customError { "full" })
      .history(demand: .none)
    #expect(history.events == [.subscription("Buffer")])
    history.request(5)
    #expect(
      history.events
        == [.subscription("Buffer"), .value(1), .value(2), .value(3), .failure("full")])
  }

  /// The closure sends a value, requests one, and ends upstream: everything while it makes the
  /// error.
  @Test func theErrorClosureMayCallBack() {
    let source = Source()
    let history = History<Int, TestError>(demand: .none)
    source.buffer(
      size: 1, prefetch: .byRequest,
      whenFull: .customError {
        source.send(8)
        history.request(3)
        source.fail("late")
        return "full"
      }
    ).subscribe(history)
    source.send(1)
    source.send(2)
    #expect(history.events == [.subscription("Buffer"), .value(1), .failure("full")])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func theErrorClosureMayCancel() {
    let source = Source()
    let history = History<Int, TestError>(demand: .none)
    source.buffer(
      size: 1, prefetch: .byRequest,
      whenFull: .customError {
        history.cancel()
        return "full"
      }
    ).subscribe(history)
    for value in 1...2 { source.send(value) }
    history.request(3)
    #expect(history.events == [.subscription("Buffer")])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  // MARK: Size

  @Test(arguments: [false, true]) func withASizeOfZeroEachValueIsDropped(oldest: Bool) {
    let source = Source()
    let history = source.buffer(
      size: 0, prefetch: .keepFull, whenFull: oldest ? .dropOldest : .dropNewest
    ).history()
    for value in 1...3 { #expect(source.send(value) == .none) }
    source.finish()
    #expect(history.events == [.subscription("Buffer"), .finished])
    #expect(source.calls == [])
  }

  @Test func withASizeOfZeroTheFirstValueFails() {
    let source = Source()
    let history = source.buffer(size: 0, prefetch: .byRequest, whenFull: .customError { "full" })
      .history(demand: .max(2))
    for value in 1...3 { #expect(source.send(value) == .none) }
    #expect(history.events == [.subscription("Buffer"), .failure("full")])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func aNegativeSizeTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Just(1).buffer(size: -1, prefetch: .byRequest, whenFull: .dropNewest)
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("buffer: the size must be at least 0, not -1"))
  }

  @Test func aQueueCanHoldAnyNumberOfValues() {
    let history = (0..<10_000).publisher
      .buffer(size: .max, prefetch: .keepFull, whenFull: .dropNewest).history()
    #expect(history.values == Array(0..<10_000))
    #expect(history.completion == .finished)
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

  /// A sequence announces its run of values, and they pass without the lock. Values that the other
  /// source sends within a delivery still come after it, and a cancellation still ends everything.
  @Test(arguments: Prefetch.allCases)
  func callsFromWithinARunOfValuesCount(_ prefetch: Prefetch) {
    let log = CallLog()
    let buffer = Lent()
    let history = History<Int, Never>(demand: .none)
    history.onValue = { value in
      log.append("\(value)")
      if value == 3 || value == 5 {
        for nested in 1...2 { #expect(buffer.send(100 * value + nested) == .none) }
      }
      if value == 6 { history.request(1) }
      if value == 8 { history.cancel() }
      log.append("end of \(value)")
      return .none
    }
    (1...20).publisher.lent(to: buffer)
      .buffer(size: 2, prefetch: prefetch.strategy, whenFull: .dropNewest).subscribe(history)
    history.request(.unlimited)
    let values = prefetch == .keepFull ? [1, 2, 3, 301, 302, 4, 5, 501, 502, 6, 7, 8] : [1, 2]
    #expect(log.lines == values.flatMap { ["\($0)", "end of \($0)"] })
    history.onValue = nil
  }

  @Test func aRunOfValuesKeepsTheBufferFull() {
    let calls = CallLog()
    let history = (0..<1000).publisher
      .handleEvents(receiveRequest: { calls.append("\($0)") })
      .buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).history()
    #expect(history.values == Array(0..<1000))
    #expect(history.completion == .finished)
    // The values of the first request were in the queue. The others have returned a demand each.
    #expect(calls.lines == ["max(3)", "max(3)"] + Array(repeating: "max(1)", count: 997))
  }

  @Test func aCancellationFromAnotherThreadEndsARunOfValues() {
    for round in 0..<100 {
      weak var downstream: History<Int, Never>?
      do {
        let history = History<Int, Never>(demand: .none)
        downstream = history
        let hasBegun = Locked(false)
        history.onValue = { _ in
          hasBegun.withLock { $0 = true }
          return .none
        }
        (0..<1_000_000).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
          .subscribe(history)
        onThreads(2) { thread in
          if thread == 0 { return history.request(.unlimited) }
          while !hasBegun.withLock({ $0 }) {}
          for _ in 0..<round { history.request(1) }
          history.cancel()
        }
        #expect(history.values == Array(0..<history.values.count))
        #expect(history.completion == nil)
        history.letGo()
      }
      #expect(downstream == nil)
    }
  }

  // MARK: Cancellation

  @Test func aCancellationReleasesTheQueueAndCancelsUpstreamOnce() {
    weak var waiting: Token?
    let source = ScriptedPublisher<Token, TestError>()
    let history = source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest)
      .history(demand: .none)
    do {
      let token = Token()
      waiting = token
      source.send(token)
    }
    #expect(waiting != nil)
    history.cancel()
    #expect(waiting == nil)
    history.cancel()
    history.request(1)
    #expect(source.send(Token()) == .none)
    source.finish()
    #expect(history.lines == ["subscription Buffer"])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

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

  // MARK: Release

  enum Ending: CaseIterable { case finish, failure, overflow, cancellation, cancellationInside }

  @Test(arguments: Ending.allCases) func releasesEverythingAtTheEnd(_ ending: Ending) {
    weak var upstream: ScriptedSubscription?
    weak var downstream: History<Token, TestError>?
    weak var waiting: Token?
    var subscription: (any Subscription)?
    do {
      let source = ScriptedPublisher<Token, TestError>()
      let history = History<Token, TestError>()
      history.onSubscription = { subscription = $0 }
      source.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { "full" })
        .subscribe(history)
      upstream = source.subscriptions.last
      downstream = history
      let token = Token()
      waiting = token
      source.send(Token())
      source.send(token)
      switch ending {
      case .finish:
        source.finish()
        subscription?.request(.unlimited)
        history.removeAll()
      case .failure: source.fail("no more")
      case .overflow:
        source.send(Token())
        subscription?.request(.max(1))
      case .cancellation: subscription?.cancel()
      case .cancellationInside:
        history.onValue = { _ in
          subscription?.cancel()
          return .none
        }
        subscription?.request(.max(2))
      }
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    #expect(downstream == nil)
    #expect(waiting == nil)
    #expect(subscription != nil)
  }

  @Test func droppedValuesAreReleasedAtOnce() {
    weak var oldest: Token?
    let source = ScriptedPublisher<Token, TestError>()
    let history = source.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
      .history(demand: .none)
    do {
      let token = Token()
      oldest = token
      source.send(token)
    }
    #expect(oldest != nil)
    source.send(Token())
    #expect(oldest == nil)
    history.cancel()
  }

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

  // MARK: Threads

  /// One thread sends, and two request. Each value arrives once and in order. Deliveries don't
  /// overlap.
  @Test(arguments: Prefetch.allCases)
  func requestsFromOtherThreadsMissNothing(_ prefetch: Prefetch) {
    for _ in 0..<50 {
      let count = 300
      let source = Source()
      let room = Room()
      let history = History<Int, TestError>(demand: .none)
      history.onValue = { _ in
        room.visit()
        return .none
      }
      source.buffer(size: count, prefetch: prefetch.strategy, whenFull: .dropNewest)
        .subscribe(history)
      onThreads(3) { thread in
        if thread == 0 {
          for value in 0..<count { source.send(value) }
          source.finish()
        } else {
          for _ in 0..<count / 2 { history.request(1) }
        }
      }
      #expect(history.values == Array(0..<count))
      #expect(history.completion == nil)
      history.request(1)
      #expect(history.completion == .finished)
      #expect(room.encounters == 0)
      history.onValue = nil
    }
  }

  @Test func keepFullRefillsFromBothThreads() {
    for _ in 0..<50 {
      let count = 200
      let history = History<Int, TestError>(demand: .none)
      let source = Source()
      // How many values upstream may still send.
      let allowance = Locked(0)
      let mayEnd = Locked(false)
      source.onRequest = { more in allowance.withLock { $0 += more.max ?? 0 } }
      source.buffer(size: 4, prefetch: .keepFull, whenFull: .customError { "full" })
        .subscribe(history)
      onThreads(2) { thread in
        if thread == 0 {
          var value = 0
          while value < count {
            let isAllowed = allowance.withLock { allowance in
              defer { allowance -= allowance > 0 ? 1 : 0 }
              return allowance > 0
            }
            guard isAllowed else { continue }
            let more = source.send(value).max ?? 0
            value += 1
            allowance.withLock { $0 += more }
          }
          mayEnd.withLock { $0 = true }
        } else {
          repeat { history.request(1) } while !mayEnd.withLock { $0 }
        }
      }
      history.request(.unlimited)
      #expect(history.values == Array(0..<count))
      #expect(allowance.withLock { $0 } == 4)
      source.onRequest = nil
    }
  }

  @Test func aCancellationFromAnotherThreadReleasesEverything() {
    for round in 0..<200 {
      weak var downstream: History<Token, TestError>?
      weak var waiting: Token?
      let source = ScriptedPublisher<Token, TestError>()
      do {
        let history = History<Token, TestError>(demand: .none)
        downstream = history
        source.buffer(size: 50, prefetch: .byRequest, whenFull: .dropOldest).subscribe(history)
        let token = Token()
        waiting = token
        source.send(token)
        onThreads(3) { thread in
          switch thread {
          case 0: for _ in 0..<20 { source.send(Token()) }
          case 1: for _ in 0..<20 { history.request(1) }
          default:
            for _ in 0..<round % 20 { history.request(1) }
            history.cancel()
          }
        }
        history.removeAll()
        history.releaseSubscription()
      }
      #expect(downstream == nil)
      #expect(waiting == nil)
    }
  }
}

extension BufferTests {
  enum Prefetch: CaseIterable, Sendable {
    case keepFull, byRequest

    var strategy: Publishers.PrefetchStrategy { self == .keepFull ? .keepFull : .byRequest }
  }
}

/// A way to a subscriber of a sequence, so that a test can send it values within a run.
private final class Lent: Sendable {
  private let subscriber = Locked<AnySubscriber<Int, Never>?>(nil)

  func lend(_ subscriber: AnySubscriber<Int, Never>) {
    self.subscriber.withLock { $0 = subscriber }
  }

  func send(_ value: Int) -> Subscribers.Demand {
    subscriber.withLock { $0 }?.receive(value) ?? .none
  }
}

private struct Lending<Upstream: Publisher<Int, Never>>: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let upstream: Upstream
  let lent: Lent

  func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == Failure {
    lent.lend(AnySubscriber(subscriber))
    upstream.receive(subscriber: subscriber)
  }
}

extension Publisher<Int, Never> {
  fileprivate func lent(to lent: Lent) -> Lending<Self> { Lending(upstream: self, lent: lent) }
}
