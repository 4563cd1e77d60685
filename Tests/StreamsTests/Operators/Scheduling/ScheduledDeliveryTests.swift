import Dispatch
import Streams
import TestSupport
import Testing

/// Tests the promises that `receive(on:)` and `delay` share.
struct ScheduledDeliveryTests {
  @Test(arguments: ScheduledOperator.allCases)
  func returnedDemandIsRequestedAfterTheDelivery(_ operation: ScheduledOperator) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>(demand: .max(1), perValue: .max(2), log: log)
    history.onValue = { value in
      history.request(value)
      return .max(3)
    }
    operation.apply(source, scheduler).subscribe(history)
    log.removeAll()
    #expect(source.send(10) == .none)
    #expect(source.send(20) == .none)
    scheduler.run()
    #expect(
      log.lines == [
        "downstream: value 10", "upstream: request max(10)", "upstream: request max(5)",
        "downstream: value 20", "upstream: request max(20)", "upstream: request max(5)",
      ])
    history.onValue = nil
  }

  @Test(arguments: ScheduledOperator.allCases)
  func requestsArePassedUpAtOnceEvenForZeroValues(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = operation.apply(source, scheduler).history(demand: .none)
    #expect(source.calls == [])
    history.request(2)
    history.request(.none)
    history.request(.unlimited)
    #expect(source.calls == [.request(.max(2)), .request(.none), .request(.unlimited)])
    #expect(scheduler.pendingCount == 0)
  }

  @Test(arguments: ScheduledOperator.allCases)
  func aCancellationDropsScheduledSignals(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = operation.apply(source, scheduler).history()
    source.send(1)
    history.cancel()
    history.cancel()
    history.request(1)
    #expect(source.send(2) == .none)
    source.finish()
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(history.events == [.subscription(operation.name)])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func aCancellationFromWithinADeliveryDropsTheRest(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>(perValue: .max(1))
    history.onValue = { _ in
      history.cancel()
      return .none
    }
    operation.apply(source, scheduler).subscribe(history)
    source.send(1)
    source.send(2)
    scheduler.run()
    #expect(history.events == [.subscription(operation.name), .value(1)])
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
  }

  @Test(arguments: ScheduledOperator.allCases)
  func aCancellationOnAttachingEndsItAll(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>()
    history.onSubscription = { $0.cancel() }
    operation.apply(source, scheduler).subscribe(history)
    source.send(1)
    source.finish()
    #expect(scheduler.pendingCount == 0)
    #expect(history.events == [.subscription(operation.name)])
    #expect(source.calls == [.cancel])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func onceTheCompletionIsScheduledACancellationIsTooLate(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = operation.apply(source, scheduler).history(perValue: .max(1))
    source.send(1)
    source.finish()
    history.cancel()
    history.request(5)
    #expect(history.events == [.subscription(operation.name)])
    scheduler.run()
    history.cancel()
    #expect(history.events == [.subscription(operation.name), .value(1), .finished])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func signalsOutOfTurnAreNotScheduled(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let scheduler = ManualScheduler()
    let history = operation.apply(source, scheduler).history()
    #expect(source.send(0) == .none)
    source.finish()
    #expect(scheduler.pendingCount == 0)
    source.sendSubscription()
    source.finish()
    #expect(source.send(1) == .none)
    source.fail("late")
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(source.send(2) == .none)
    source.finish()
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(scheduler.pendingCount == 0)
    #expect(history.events == [.subscription(operation.name), .finished])
  }

  /// `DelayTests` has the rule for `delay`, which keeps the order.
  @Test(arguments: [ScheduledOperator.receiveOn])
  func aCompletionThatOvertakesValuesWaitsForThem(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = operation.apply(source, scheduler).history(perValue: .max(1))
    for value in 1...3 { source.send(value) }
    scheduler.runNext()
    source.fail("no more")
    #expect(scheduler.runLast())
    #expect(history.events == [.subscription(operation.name), .value(1)])
    #expect(scheduler.runLast())
    history.cancel()
    #expect(history.events == [.subscription(operation.name), .value(1), .value(3)])
    #expect(scheduler.runLast())
    #expect(
      history.events == [
        .subscription(operation.name), .value(1), .value(3), .value(2), .failure("no more"),
      ])
    #expect(scheduler.pendingCount == 0)
    #expect(source.calls == [.request(.unlimited), .request(.max(1))])
  }

  /// `DelayTests` has the rule for `delay`, which keeps the order.
  @Test(arguments: [ScheduledOperator.receiveOn])
  func aCompletionThatOvertakesAValueOnItsThreadArrivesAfterIt(_ operation: ScheduledOperator) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>(log: log)
    history.onValue = { value in
      if value == 1 { while scheduler.runLast() {} }
      log.append("end of \(value)")
      return .none
    }
    operation.apply(source, scheduler).subscribe(history)
    for value in 1...3 { source.send(value) }
    source.finish()
    scheduler.runNext()
    #expect(
      log.lines == [
        "downstream: subscription \(operation.name)", "downstream: value 1",
        "downstream: value 3", "end of 3", "downstream: value 2", "end of 2",
        "downstream: finished", "end of 1",
      ])
    history.onValue = nil
  }

  @Test(arguments: ScheduledOperator.allCases)
  func aSendFromWithinADeliveryIsQueued(_ operation: ScheduledOperator) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = History<Int, TestError>(log: log)
    history.onValue = { value in
      if value == 1 {
        source.send(2)
        source.finish()
      }
      log.append("end of \(value)")
      return .none
    }
    operation.apply(source, scheduler).subscribe(history)
    source.send(1)
    scheduler.run()
    #expect(
      log.lines == [
        "downstream: subscription \(operation.name)", "downstream: value 1", "end of 1",
        "downstream: value 2", "end of 2", "downstream: finished",
      ])
    history.onValue = nil
  }

  @Test(arguments: ScheduledOperator.allCases)
  func onAnImmediateSchedulerDeliveriesNest(_ operation: ScheduledOperator) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, TestError>(demand: .max(1), perValue: .max(1), log: log)
    history.onValue = { value in
      if value == 1 {
        source.send(2)
        source.finish()
      }
      log.append("end of \(value)")
      return .none
    }
    operation.apply(source, ImmediateScheduler.shared).subscribe(history)
    source.send(1)
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription \(operation.name)",
        "upstream: request max(1)", "downstream: value 1", "downstream: value 2", "end of 2",
        "upstream: request max(1)", "downstream: finished", "end of 1",
      ])
    history.onValue = nil
  }

  @Test(arguments: ScheduledOperator.allCases)
  func demandValueByValueDoesNotDeepenTheStack(_ operation: ScheduledOperator) {
    let history = operation.apply((0..<100_000).publisher, ImmediateScheduler.shared)
      .history(demand: .max(1), perValue: .max(1))
    #expect(history.values == Array(0..<100_000))
    #expect(history.events.last == .finished)
  }

  enum Ending: CaseIterable { case finish, cancellation, cancellationInside }

  @Test(arguments: ScheduledOperator.allCases, Ending.allCases)
  func releasesBothSidesAtTheEnd(_ operation: ScheduledOperator, _ ending: Ending) {
    weak var upstream: ScriptedSubscription?
    weak var downstream: History<Int, TestError>?
    let scheduler = ManualScheduler()
    var subscription: (any Subscription)?
    do {
      let source = ScriptedPublisher<Int, TestError>()
      let history = History<Int, TestError>()
      history.onSubscription = { subscription = $0 }
      operation.apply(source, scheduler).subscribe(history)
      upstream = source.subscriptions.last
      downstream = history
      switch ending {
      case .finish:
        source.finish()
        scheduler.run()
      case .cancellation:
        // A scheduled action doesn't keep the downstream alive.
        source.send(1)
        subscription?.cancel()
      case .cancellationInside:
        history.onValue = { _ in
          subscription?.cancel()
          return .none
        }
        source.send(1)
        source.send(2)
        scheduler.runNext()
      }
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    #expect(downstream == nil)
    #expect(subscription != nil)
  }

  @Test(arguments: ScheduledOperator.allCases)
  func scheduledSignalsAreDeliveredEvenIfTheStreamIsReleased(_ operation: ScheduledOperator) {
    let log = CallLog()
    let scheduler = ManualScheduler()
    do {
      let source = ScriptedPublisher<Int, TestError>()
      operation.apply(source, scheduler).subscribe(History<Int, TestError>(log: log))
      source.send(1)
      source.finish()
    }
    scheduler.run()
    #expect(
      log.lines == [
        "downstream: subscription \(operation.name)", "downstream: value 1", "downstream: finished",
      ])
  }

  // MARK: Threads

  @Test(arguments: ScheduledOperator.allCases)
  func deliveriesDoNotOverlapOnASchedulerOfManyThreads(_ operation: ScheduledOperator) {
    for _ in 0..<50 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler()
      let room = Room()
      let history = History<Int, TestError>()
      history.onValue = { _ in
        room.visit()
        return .max(1)
      }
      operation.apply(source, scheduler).subscribe(history)
      for value in 0..<20 { source.send(value) }
      source.finish()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if thread < 2 { scheduler.run() } else { while scheduler.runLast() {} }
      }
      #expect(history.values.sorted() == Array(0..<20))
      #expect(history.events.last == .finished)
      #expect(room.encounters == 0)
      history.onValue = nil
    }
  }

  @Test(arguments: ScheduledOperator.allCases)
  func aCancellationFromAnotherThreadMayComeEarlyOrLate(_ operation: ScheduledOperator) {
    for round in 0..<300 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler()
      let history = operation.apply(source, scheduler).history(perValue: .max(1))
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        switch thread {
        case 0:
          for value in 0..<20 { source.send(value) }
          source.finish()
        case 1:
          for _ in 0..<40 { scheduler.runNext() }
        default:
          for _ in 0..<(round % 20) { history.request(1) }
          history.cancel()
        }
      }
      scheduler.run()
      let isCancelled = source.calls.contains(.cancel)
      #expect(history.values == Array((0..<20).prefix(history.values.count)))
      #expect((history.completion == nil) == isCancelled)
      #expect(isCancelled || history.values.count == 20)
    }
  }
}

/// An operator that delivers on a scheduler.
enum ScheduledOperator: CaseIterable {
  case receiveOn, delay

  var name: String {
    switch self {
    case .receiveOn: "ReceiveOn"
    case .delay: "Delay"
    }
  }

  func apply<Upstream: Publisher, Context: Scheduler>(
    _ source: Upstream, _ scheduler: Context
  ) -> AnyPublisher<Upstream.Output, Upstream.Failure> {
    switch self {
    case .receiveOn: source.receive(on: scheduler).eraseToAnyPublisher()
    case .delay: source.delay(for: .nanoseconds(200), scheduler: scheduler).eraseToAnyPublisher()
    }
  }
}
