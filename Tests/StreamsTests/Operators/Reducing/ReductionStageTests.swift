import Streams
import TestSupport
import Testing

/// Tests the promises of all operators that turn all values into one result. Each operator states
/// its result for 1, 2 and 3.
struct ReductionStageTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  let source = ScriptedPublisher<Int, TestError>()
  let log = CallLog()

  @Test(arguments: ReducingOperator.all)
  func attachesDownstreamThenRequestsAllThenPublishesTheResult(_ operation: ReducingOperator) {
    let source = Source(log: log)
    operation.apply(source).subscribe(History(demand: .max(3), perValue: .max(1), log: log))
    for value in 1...3 { expectEqual(source.send(value), .none) }
    source.finish()
    source.finish()
    let end = operation.endsEarly ? ["upstream: cancel"] : []
    log.expect(
      [
        "upstream: subscribe", "downstream: subscription \(operation.name)",
        "upstream: request unlimited",
      ] + end + ["downstream: value \(operation.result)", "downstream: finished"])
  }

  @Test(arguments: ReducingOperator.all)
  func theResultWaitsForARequest(_ operation: ReducingOperator) {
    let history = operation.apply(source).history(demand: .none)
    for value in 1...3 { source.send(value) }
    source.finish()
    source.fail("late")
    expectEqual(history.text, "\(operation.name):")
    expectEqual(source.calls, [.request(.unlimited)] + (operation.endsEarly ? [.cancel] : []))
    history.request(1)
    history.request(1)
    expectEqual(history.text, "\(operation.name): \(operation.result) |")
    history.cancel()
    expectEqual(source.calls, [.request(.unlimited)] + (operation.endsEarly ? [.cancel] : []))
  }

  @Test(arguments: ReducingOperator.all)
  func theResultOfAnEmptyStreamWaitsForARequestToo(_ operation: ReducingOperator) {
    let history = operation.apply(source).history(demand: .none)
    source.finish()
    expectEqual(history.text, "\(operation.name):")
    history.request(1)
    typealias Event = History<String, any Error>.Event
    let values = operation.resultOfNothing.map { [Event.value($0)] } ?? []
    expectEqual(history.events, [.subscription(operation.name)] + values + [.finished])
  }

  @Test(arguments: ReducingOperator.all)
  func aFailureNeedsNoDemandAndDropsTheResult(_ operation: ReducingOperator) {
    let history = operation.apply(source).history(demand: .none)
    if !operation.endsEarly { source.send(1) }
    source.fail("no more")
    source.finish()
    expectEqual(source.send(2), .none)
    history.request(1)
    history.cancel()
    expectEqual(history.text, "\(operation.name): x(no more)")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test(arguments: ReducingOperator.all)
  func aCancellationDropsAWaitingResult(_ operation: ReducingOperator) {
    let history = operation.apply(source).history(demand: .none)
    for value in 1...3 { source.send(value) }
    source.finish()
    history.cancel()
    history.request(1)
    expectEqual(history.text, "\(operation.name):")
    expectEqual(source.calls, [.request(.unlimited)] + (operation.endsEarly ? [.cancel] : []))
  }

  @Test(arguments: ReducingOperator.throwing)
  func aThrowCancelsUpstreamBeforeItFailsAndNeedsNoDemand(_ operation: ReducingOperator) {
    let source = Source(log: log)
    let history = operation.apply(source).history(demand: .none, log: log)
    for value in [1, 13, 2] { expectEqual(source.send(value), .none) }
    source.finish()
    history.request(1)
    history.cancel()
    log.expect([
      "upstream: subscribe", "downstream: subscription \(operation.name)",
      "upstream: request unlimited", "upstream: cancel", "downstream: failure thirteen",
    ])
  }

  @Test(arguments: ReducingOperator.all)
  func aSendFromWithinACancellationIsDropped(_ operation: ReducingOperator) {
    let history = operation.apply(source).history()
    source.onCancel = { source.send(2) }
    for value in 1...3 { source.send(value) }
    source.finish()
    expectEqual(history.text, "\(operation.name): \(operation.result) |")
  }

  @Test(arguments: ReducingOperator.all, [true, false])
  func releasesBothSidesAtTheEnd(_ operation: ReducingOperator, byCancelling: Bool) {
    weak var upstream: ScriptedSubscription?
    weak var downstream: History<String, any Error>?
    var subscription: (any Subscription)?
    do {
      let source = Source()
      let history = History<String, any Error>(demand: .none)
      history.onSubscription = { subscription = $0 }
      operation.apply(source).subscribe(history)
      upstream = source.subscriptions.last
      downstream = history
      for value in 1...3 { source.send(value) }
      source.finish()
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    // The result waits for downstream's demand.
    #expect(downstream != nil)
    if byCancelling { subscription?.cancel() } else { subscription?.request(.max(1)) }
    #expect(downstream == nil)
  }

  @Test(arguments: ReducingOperator.all)
  func aRequestFromAnotherThreadGetsTheResultOnce(_ operation: ReducingOperator) {
    for _ in 0..<200 {
      let source = Source()
      let history = operation.apply(source).history(demand: .none)
      onThreads(2) { thread in
        if thread == 0 {
          for value in 1...3 { source.send(value) }
          source.finish()
        } else {
          for _ in 0..<3 { history.request(1) }
        }
      }
      expectEqual(history.text, "\(operation.name): \(operation.result) |")
    }
  }

  @Test(arguments: ReducingOperator.all)
  func aCancellationFromAnotherThreadIsSafeAtAnyMoment(_ operation: ReducingOperator) {
    for _ in 0..<200 {
      weak var released: History<String, any Error>?
      do {
        let source = Source()
        let history = operation.apply(source).history(demand: .none)
        released = history
        onThreads(3) { thread in
          switch thread {
          case 0:
            for value in 1...3 { source.send(value) }
            source.finish()
          case 1: history.request(1)
          default: history.cancel()
          }
        }
        let all: [History<String, any Error>.Event] = [
          .subscription(operation.name), .value(operation.result), .finished,
        ]
        expectEqual(history.events, Array(all.prefix(history.events.count)))
        history.releaseSubscription()
      }
      #expect(released == nil)
    }
  }

  @Test func aRequestForZeroValuesTraps() async {
    await #expect(processExitsWith: .failure) {
      Source().collect().history(demand: .none).request(.none)
    }
  }
}
