import Dispatch
import Streams
import TestSupport
import Testing

/// Tests the promises that `receive(on:)` and `delay` share.
struct ScheduledDeliveryTests {
  let source = ScriptedPublisher<Int, TestError>()
  let scheduler = ManualScheduler()
  let log = CallLog()

  @Test(arguments: ScheduledOperator.allCases)
  func returnedDemandIsRequestedAfterTheDelivery(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, TestError>(demand: .max(1), perValue: .max(2), log: log)
    history.onValue = { value in
      history.request(value)
      return .max(3)
    }
    operation.apply(source, scheduler).subscribe(history)
    log.removeAll()
    expectEqual(source.send(10), .none)
    expectEqual(source.send(20), .none)
    scheduler.run()
    log.expect([
      "downstream: value 10", "upstream: request max(10)", "upstream: request max(5)",
      "downstream: value 20", "upstream: request max(20)", "upstream: request max(5)",
    ])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func requestsArePassedUpAtOnceEvenForZeroValues(_ operation: ScheduledOperator) {
    let history = operation.apply(source, scheduler).history(demand: .none)
    expectEqual(source.calls, [])
    history.request(2)
    history.request(.none)
    history.request(.unlimited)
    expectEqual(source.calls, [.request(.max(2)), .request(.none), .request(.unlimited)])
    expectEqual(scheduler.pendingCount, 0)
  }

  @Test(arguments: ScheduledOperator.allCases)
  func aCancellationDropsScheduledSignals(_ operation: ScheduledOperator) {
    let history = operation.apply(source, scheduler).history()
    source.send(1)
    history.cancel()
    history.cancel()
    history.request(1)
    expectEqual(source.send(2), .none)
    source.finish()
    expectEqual(scheduler.pendingCount, 1)
    scheduler.run()
    expectEqual(history.text, "\(operation.name):")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func onceTheCompletionIsScheduledACancellationIsTooLate(_ operation: ScheduledOperator) {
    let history = operation.apply(source, scheduler).history(perValue: .max(1))
    source.send(1)
    source.finish()
    history.cancel()
    history.request(5)
    expectEqual(history.text, "\(operation.name):")
    scheduler.run()
    history.cancel()
    expectEqual(history.text, "\(operation.name): 1 |")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func signalsOutOfTurnAreNotScheduled(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = operation.apply(source, scheduler).history()
    expectEqual(source.send(0), .none)
    source.finish()
    expectEqual(scheduler.pendingCount, 0)
    source.sendSubscription()
    source.finish()
    expectEqual(source.send(1), .none)
    source.fail("late")
    expectEqual(scheduler.pendingCount, 1)
    scheduler.run()
    expectEqual(source.send(2), .none)
    source.finish()
    expectEqual(source.sendSubscription().calls, [.cancel])
    expectEqual(scheduler.pendingCount, 0)
    expectEqual(history.text, "\(operation.name): |")
  }

  /// `DelayTests` has the rule for `delay`, which keeps the order.
  @Test(arguments: [ScheduledOperator.receiveOn])
  func aCompletionThatOvertakesValuesWaitsForThem(_ operation: ScheduledOperator) {
    let history = operation.apply(source, scheduler).history(perValue: .max(1))
    for value in 1...3 { source.send(value) }
    scheduler.runNext()
    source.fail("no more")
    #expect(scheduler.runLast())
    expectEqual(history.text, "\(operation.name): 1")
    #expect(scheduler.runLast())
    history.cancel()
    expectEqual(history.text, "\(operation.name): 1 3")
    #expect(scheduler.runLast())
    expectEqual(history.text, "\(operation.name): 1 3 2 x(no more)")
    expectEqual(scheduler.pendingCount, 0)
    expectEqual(source.calls, [.request(.unlimited), .request(.max(1))])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func aTurnThatOvertakesWithinADeliveryNests(_ operation: ScheduledOperator) {
    operation.apply(source, scheduler).history(log: log) { _, value in
      if value == 1 { while scheduler.runLast() {} }
      log.append("end of \(value)")
    }
    for value in 1...3 { source.send(value) }
    source.finish()
    scheduler.runNext()
    let values = operation == .delay ? [2, 3] : [3, 2]
    log.expect(
      ["downstream: subscription \(operation.name)", "downstream: value 1"]
        + values.flatMap { ["downstream: value \($0)", "end of \($0)"] }
        + ["downstream: finished", "end of 1"])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func aSendFromWithinADeliveryIsQueued(_ operation: ScheduledOperator) {
    operation.apply(source, scheduler).history(log: log) { _, value in
      if value == 1 {
        source.send(2)
        source.finish()
      }
      log.append("end of \(value)")
    }
    source.send(1)
    scheduler.run()
    log.expect([
      "downstream: subscription \(operation.name)", "downstream: value 1", "end of 1",
      "downstream: value 2", "end of 2", "downstream: finished",
    ])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func onAnImmediateSchedulerDeliveriesNest(_ operation: ScheduledOperator) {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    operation.apply(source, ImmediateScheduler.shared).history(
      demand: .max(1), perValue: .max(1), log: log
    ) { _, value in
      if value == 1 {
        source.send(2)
        source.finish()
      }
      log.append("end of \(value)")
    }
    source.send(1)
    log.expect([
      "upstream: subscribe", "downstream: subscription \(operation.name)",
      "upstream: request max(1)", "downstream: value 1", "downstream: value 2", "end of 2",
      "upstream: request max(1)", "downstream: finished", "end of 1",
    ])
  }

  @Test(arguments: ScheduledOperator.allCases)
  func demandValueByValueDoesNotDeepenTheStack(_ operation: ScheduledOperator) {
    let history = operation.apply((0..<100_000).publisher, ImmediateScheduler.shared)
      .history(demand: .max(1), perValue: .max(1))
    expectEqual(history.values, Array(0..<100_000))
    expectEqual(history.events.last, .finished)
  }

  @Test(arguments: ScheduledOperator.allCases)
  func scheduledSignalsAreDeliveredEvenIfTheStreamIsReleased(_ operation: ScheduledOperator) {
    do {
      let source = ScriptedPublisher<Int, TestError>()
      operation.apply(source, scheduler).subscribe(History<Int, TestError>(log: log))
      source.send(1)
      source.finish()
    }
    scheduler.run()
    log.expect([
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
      let history = operation.apply(source, scheduler).history(perValue: .max(1)) { _, _ in
        room.visit()
      }
      for value in 0..<20 { source.send(value) }
      source.finish()
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        if thread < 2 { scheduler.run() } else { while scheduler.runLast() {} }
      }
      let values = operation == .delay ? history.values : history.values.sorted()
      expectEqual(values, Array(0..<20))
      expectEqual(history.events.last, .finished)
      expectEqual(room.encounters, 0)
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
      expectEqual(history.values, Array((0..<20).prefix(history.values.count)))
      expectEqual((history.completion == nil), isCancelled)
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
