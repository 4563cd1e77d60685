import Streams
import TestSupport
import Testing

/// Tests what all operators promise if upstream, requests and cancellations come from different
/// threads, under a checker of the rules for publishers.
///
/// The clock doesn't move meanwhile: the threads meet inside the operators.
struct OperatorThreadTests {
  @Test(arguments: Operation.all)
  func aCancellationMayComeAtAnyMoment(_ operation: Operation) {
    for _ in 0..<40 {
      let source = PassthroughSubject<Int, TestError>()
      let cancellations = Locked(0)
      let run =
        operation
        .applied(to: source.handleEvents(receiveCancel: { cancellations.withLock { $0 += 1 } }))
        .subscribe()
      let shared = Shared(run: run, source: source)
      onThreads(2) { thread in
        if thread == 1 { return shared.run.cancel() }
        for value in 1...5 { shared.source.send(value) }
        shared.source.send(completion: .finished)
      }
      let received = run.values
      expectEqual(received, Array(operation.values.prefix(received.count)))
      expectEqual(run.brokenRules, [])
      #expect(cancellations.withLock { $0 } <= 1)
    }
  }

  @Test(
    .unless([.losesWithoutDemand, .reorders]),
    arguments: Operation.all(but: [.losesWithoutDemand, .reorders]))
  func requestsOfTwoThreadsAddUp(_ operation: Operation) {
    for _ in 0..<40 {
      let numbers = (1...5).publisher.setFailureType(to: TestError.self)
      let run = operation.applied(to: numbers).subscribe(SubscriberScript(demand: .none))
      let shared = Shared(run: run, source: PassthroughSubject())
      onThreads(2) { _ in for _ in 1...10 { shared.run.requestOnly() } }
      expectEqual(run.text, operation.finished)
      expectEqual(run.brokenRules, [])
    }
  }

  /// The operator sees some order of values. The same values in that order, from one thread, have
  /// to bring the same history.
  @Test(arguments: Operation.all)
  func valuesOfTwoThreadsArriveOneByOne(_ operation: Operation) {
    for _ in 0..<40 {
      let source = PassthroughSubject<Int, TestError>()
      let order = Locked<[Int]>([])
      let run =
        operation
        .applied(
          to: source.handleEvents(receiveOutput: { value in order.withLock { $0.append(value) } })
        )
        .subscribe()
      let shared = Shared(run: run, source: source)
      onThreads(2) { thread in
        for value in 1...5 { shared.source.send(thread * 5 + value) }
      }
      source.send(completion: .finished)
      #expect(run.text.hasSuffix("|") || run.text.hasSuffix("x"))
      expectEqual(run.brokenRules, [])
      if operation.exceptions.contains(.reorders) { continue }

      let flatSource = PassthroughSubject<Int, TestError>()
      let flat = operation.applied(to: flatSource).subscribe()
      for value in order.withLock({ $0 }) { flatSource.send(value) }
      flatSource.send(completion: .finished)
      expectEqual(run.text, flat.text)
    }
  }
}

/// The objects that several threads use at once. The test makes sure that this is allowed.
private struct Shared: @unchecked Sendable {
  let run: OperationRun
  let source: PassthroughSubject<Int, TestError>
}
