import Streams
import TestSupport
import Testing

/// Tests the promises of all operators that turn all values into one result. Each operator states
/// its result for 1, 2 and 3.
struct ReductionStageTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test(arguments: ReducingOperator.all)
  func attachesDownstreamThenRequestsAllThenPublishesTheResult(_ operation: ReducingOperator) {
    let log = CallLog()
    let source = Source(log: log)
    operation.apply(source).subscribe(History(demand: .max(3), perValue: .max(1), log: log))
    for value in 1...3 { #expect(source.send(value) == .none) }
    source.finish()
    source.finish()
    let end = operation.endsEarly ? ["upstream: cancel"] : []
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription \(operation.name)",
        "upstream: request unlimited",
      ] + end + ["downstream: value \(operation.result)", "downstream: finished"])
  }

  @Test(arguments: ReducingOperator.all)
  func theResultWaitsForARequest(_ operation: ReducingOperator) {
    let source = Source()
    let history = operation.apply(source).history(demand: .none)
    for value in 1...3 { source.send(value) }
    source.finish()
    source.fail("late")
    #expect(history.events == [.subscription(operation.name)])
    #expect(source.calls == [.request(.unlimited)] + (operation.endsEarly ? [.cancel] : []))
    history.request(1)
    history.request(1)
    #expect(
      history.events == [
        .subscription(operation.name), .value(operation.result), .finished,
      ])
    history.cancel()
    #expect(source.calls == [.request(.unlimited)] + (operation.endsEarly ? [.cancel] : []))
  }

  @Test(arguments: ReducingOperator.all)
  func theResultOfAnEmptyStreamWaitsForARequestToo(_ operation: ReducingOperator) {
    let source = Source()
    let history = operation.apply(source).history(demand: .none)
    source.finish()
    #expect(history.events == [.subscription(operation.name)])
    history.request(1)
    typealias Event = History<String, any Error>.Event
    let values = operation.resultOfNothing.map { [Event.value($0)] } ?? []
    #expect(history.events == [.subscription(operation.name)] + values + [.finished])
  }

  @Test(arguments: ReducingOperator.all)
  func aFailureNeedsNoDemandAndDropsTheResult(_ operation: ReducingOperator) {
    let source = Source()
    let history = operation.apply(source).history(demand: .none)
    if !operation.endsEarly { source.send(1) }
    source.fail("no more")
    source.finish()
    #expect(source.send(2) == .none)
    history.request(1)
    history.cancel()
    #expect(history.events == [.subscription(operation.name), .failure(TestError("no more"))])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test(arguments: ReducingOperator.all)
  func aCancellationDropsAWaitingResult(_ operation: ReducingOperator) {
    let source = Source()
    let history = operation.apply(source).history(demand: .none)
    for value in 1...3 { source.send(value) }
    source.finish()
    history.cancel()
    history.request(1)
    #expect(history.events == [.subscription(operation.name)])
    #expect(source.calls == [.request(.unlimited)] + (operation.endsEarly ? [.cancel] : []))
  }

  @Test(arguments: ReducingOperator.all)
  func aCancellationWhileAttachingEndsTheStream(_ operation: ReducingOperator) {
    let source = Source()
    let history = History<String, any Error>()
    history.onSubscription = { $0.cancel() }
    operation.apply(source).subscribe(history)
    #expect(source.calls == [.cancel])
    #expect(history.events == [.subscription(operation.name)])
  }

  @Test(arguments: ReducingOperator.endingEarly)
  func aCancellationWhileUpstreamIsCancelledPreventsTheResult(_ operation: ReducingOperator) {
    let source = Source()
    let history = operation.apply(source).history()
    source.onCancel = { history.cancel() }
    for value in 1...3 { source.send(value) }
    #expect(history.events == [.subscription(operation.name)])
    #expect(source.calls == [.request(.unlimited), .cancel])
    source.onCancel = nil
  }

  @Test(arguments: ReducingOperator.throwing)
  func aThrowCancelsUpstreamBeforeItFailsAndNeedsNoDemand(_ operation: ReducingOperator) {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<String, any Error>(demand: .none, log: log)
    operation.apply(source).subscribe(history)
    for value in [1, 13, 2] { #expect(source.send(value) == .none) }
    source.finish()
    history.request(1)
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription \(operation.name)",
        "upstream: request unlimited", "upstream: cancel", "downstream: failure thirteen",
      ])
  }

  @Test(arguments: ReducingOperator.all)
  func aSendFromWithinACancellationIsDropped(_ operation: ReducingOperator) {
    let source = Source()
    let history = operation.apply(source).history()
    source.onCancel = { source.send(2) }
    for value in 1...3 { source.send(value) }
    source.finish()
    #expect(
      history.events == [
        .subscription(operation.name), .value(operation.result), .finished,
      ])
    source.onCancel = nil
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
      #expect(
        history.events == [
          .subscription(operation.name), .value(operation.result), .finished,
        ])
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
        #expect(history.events == Array(all.prefix(history.events.count)))
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
