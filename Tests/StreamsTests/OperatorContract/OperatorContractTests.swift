import Streams
import TestSupport
import Testing

/// Tests what all operators have in common, under a checker of the rules for publishers.
///
/// An operator joins with one line in `Operation.all`.
struct OperatorContractTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  /// A source that keeps to the demand.
  private var numbers: AnyPublisher<Int, TestError> {
    (1...5).publisher.setFailureType(to: TestError.self).eraseToAnyPublisher()
  }

  // MARK: Values and ends

  @Test(arguments: Operation.all)
  func valuesAndAFinish(_ operation: Operation) {
    let source = Source()
    let run = operation.applied(to: source).subscribe()
    run.settle(afterEach: 1...5) { source.send($0) }
    source.finish()
    run.expect(operation.finished)
  }

  @Test(.unless(.trapsOnFailure), arguments: Operation.all(but: .trapsOnFailure))
  func valuesAndAFailure(_ operation: Operation) {
    let source = Source()
    let run = operation.applied(to: source).subscribe()
    run.settle(afterEach: 1...3) { source.send($0) }
    source.fail("no more")
    run.expect(operation.failed)
    if operation.failed.hasSuffix("x") { expectEqual(run.lines.last, "failure no more") }
  }

  @Test(.unless(.dropsBursts), arguments: Operation.all(but: .dropsBursts))
  func aSourceThatDeliversWhileItIsAttached(_ operation: Operation) {
    let run = operation.applied(to: numbers).subscribe()
    run.expect(operation.finished)
  }

  // MARK: Demand

  @Test(.unless(.ignoresDemand), arguments: Operation.all(but: .ignoresDemand))
  func withoutDemandNothingComes(_ operation: Operation) {
    let run = operation.applied(to: numbers).subscribe(SubscriberScript(demand: .none))
    run.expect(operation.exceptions.contains(.endsWithoutDemand) ? "|" : "")
  }

  @Test(
    .unless([.losesWithoutDemand, .reorders]),
    arguments: Operation.all(but: [.losesWithoutDemand, .reorders]))
  func requestsOneByOneBringTheSameHistory(_ operation: Operation) {
    let run = operation.applied(to: numbers).subscribe(SubscriberScript(demand: .none))
    for _ in 1...20 { run.request() }
    run.expect(operation.finished)
  }

  @Test(.unless(.losesWithoutDemand), arguments: Operation.all(but: .losesWithoutDemand))
  func demandReturnedForEachValueBringsTheSameHistory(_ operation: Operation) {
    let run = operation.applied(to: numbers)
      .subscribe(SubscriberScript(demand: .max(1), perValue: .max(1)))
    run.expect(operation.finished)
  }

  @Test(.unless(.losesWithoutDemand), arguments: Operation.all(but: .losesWithoutDemand))
  func requestsWithinADeliveryBringTheSameHistory(_ operation: Operation) {
    var script = SubscriberScript(demand: .max(1))
    script.onValue = { _, subscription in subscription.request(.max(1)) }
    let run = operation.applied(to: numbers).subscribe(script)
    run.expect(operation.finished)
  }

  @Test(
    .unless([.sendsWithoutDemand, .ignoresDemand]),
    arguments: Operation.all(but: [.sendsWithoutDemand, .ignoresDemand]), 1...3)
  func noMoreValuesThanRequestedCome(_ operation: Operation, demand: Int) {
    let source = PassthroughSubject<Int, TestError>()
    let run = operation.applied(to: source).subscribe(SubscriberScript(demand: .max(demand)))
    run.settle(afterEach: 1...5) { source.send($0) }
    source.send(completion: .finished)
    expectEqual(run.values, Array(operation.values.prefix(demand)))
    expectEqual(run.brokenRules, [])
  }

  // MARK: Cancellation

  @Test(.unless(.shares), arguments: Operation.all(but: .shares))
  func aCancellationWithinTheSubscriptionPreventsEverything(_ operation: Operation) {
    let source = Source()
    var script = SubscriberScript(demand: .none)
    script.onSubscription = { $0.cancel() }
    let run = operation.applied(to: source).subscribe(script)
    if source.subscriberCount > 0 {
      for value in 1...5 { source.send(value) }
      source.finish()
    }
    #expect(run.text == "" || operation.passesLateSignalsOn)
    expectEqual(source.calls.filter { $0 == .cancel }.count, source.subscriptions.count)
  }

  @Test(arguments: Operation.all)
  func aCancellationBeforeTheFirstValuePreventsEverything(_ operation: Operation) {
    let source = PassthroughSubject<Int, TestError>()
    let run = operation.applied(to: source).subscribe()
    run.cancel()
    for value in 1...5 { source.send(value) }
    source.send(completion: .finished)
    run.expect("")
  }

  @Test(arguments: Operation.all, 1...3)
  func aCancellationWithinAValueEndsTheHistoryThere(_ operation: Operation, number: Int) {
    var script = SubscriberScript()
    script.onValue = { if $0 == number { $1.cancel() } }
    let source = PassthroughSubject<Int, TestError>()
    let cancellations = Locked(0)
    let run =
      operation
      .applied(to: source.handleEvents(receiveCancel: { cancellations.withLock { $0 += 1 } }))
      .subscribe(script)
    run.settle(afterEach: 1...5) { source.send($0) }
    source.send(completion: .finished)
    expectEqual(run.values, Array(operation.values.prefix(number)))
    expectEqual(run.brokenRules, [])
    #expect(cancellations.withLock { $0 } <= 1)
  }

  /// An operator that ends before its upstream cancels that, and then delivers the rest.
  @Test(arguments: Operation.all)
  func aCancellationWhileUpstreamIsCancelledEndsTheHistoryThere(_ operation: Operation) {
    let source = Source()
    var received = 0
    var script = SubscriberScript()
    script.onValue = { number, _ in received = number }
    let run = operation.applied(to: source).subscribe(script)
    var receivedBefore: Int?
    source.onCancel = {
      receivedBefore = received
      run.cancel()
    }
    run.settle(afterEach: 1...5) { source.send($0) }
    source.finish()
    let history = receivedBefore.map { operation.values.prefix($0).joined(separator: " ") }
    run.expect(history ?? operation.finished)
    expectEqual(source.calls.count { $0 == .cancel }, (receivedBefore == nil ? 0 : 1))
    source.onCancel = nil
  }

  @Test(arguments: Operation.all)
  func aCancellationOrARequestAfterTheEndReachesNoUpstream(_ operation: Operation) {
    let source = Source()
    let run = operation.applied(to: source).subscribe()
    run.settle(afterEach: 1...5) { source.send($0) }
    source.finish()
    run.settle()
    let before = source.calls
    run.request()
    run.cancel()
    run.cancel()
    #expect(source.calls == before || operation.passesLateSignalsOn)
    expectEqual(run.text, operation.finished)
  }

  // MARK: Re-entrancy

  /// The operator sees some order of values, because deliveries nest. Values in that order, without
  /// nesting, have to bring the same history.
  @Test(.unless(.reorders), arguments: Operation.all(but: .reorders))
  func valuesSentWithinADeliveryCountLikeOthers(_ operation: Operation) {
    let subject = PassthroughSubject<Int, TestError>()
    let order = Locked<[Int]>([])
    var script = SubscriberScript()
    script.onValue = { number, _ in if number == 1 { [6, 7].forEach(subject.send) } }
    let nested =
      operation
      .applied(
        to: subject.handleEvents(receiveOutput: { value in order.withLock { $0.append(value) } })
      )
      .subscribe(script)
    nested.settle(afterEach: 1...5) { subject.send($0) }
    subject.send(completion: .finished)

    let source = Source()
    let flat = operation.applied(to: source).subscribe()
    for value in order.withLock({ $0 }) {
      source.send(value)
      flat.settle()
    }
    source.finish()
    expectEqual(nested.text, flat.text)
    expectEqual(nested.brokenRules, [])
  }

  @Test(arguments: Operation.all)
  func aFinishWithinADeliveryEndsTheHistory(_ operation: Operation) {
    let source = PassthroughSubject<Int, TestError>()
    var script = SubscriberScript()
    script.onValue = { number, _ in if number == 1 { source.send(completion: .finished) } }
    let run = operation.applied(to: source).subscribe(script)
    run.settle(afterEach: 1...5) { source.send($0) }
    source.send(completion: .finished)
    run.settle()
    #expect(run.text.hasSuffix("|") || run.text.hasSuffix("x"))
    expectEqual(run.brokenRules, [])
  }

  // MARK: Several subscribers

  @Test(.unless(.shares), arguments: Operation.all(but: .shares))
  func eachSubscriberHasItsOwnHistory(_ operation: Operation) {
    let source = Source()
    let applied = operation.applied(to: source)
    let first = applied.subscribe()
    for value in 1...3 {
      source.send(value, to: 0)
      first.settle()
    }
    let second = applied.subscribe()
    // A cancellation doesn't end the others.
    let third = applied.subscribe()
    third.cancel()
    for value in 1...5 {
      if value > 3 { source.send(value, to: 0) }
      source.send(value, to: 1)
      second.settle()
    }
    source.finish(to: 0)
    expectEqual(first.text, operation.finished)
    source.finish(to: 1)
    expectEqual(second.text, operation.finished)
    expectEqual(third.text, "")
    expectEqual(first.brokenRules + second.brokenRules, [])
  }

  @Test(arguments: Operation.all(with: .shares))
  func allSubscribersShareOneSubscription(_ operation: Operation) {
    let source = Source()
    let applied = operation.applied(to: source)
    let (first, second) = (applied.subscribe(), applied.subscribe())
    for value in 1...5 { source.send(value) }
    source.finish()
    expectEqual(first.text, operation.finished)
    expectEqual(second.text, operation.finished)
    expectEqual(source.subscriptions.count, 1)
  }
}

extension Operation {
  /// Whether the operator hands over signals that come after a cancellation, because it has no
  /// state.
  var passesLateSignalsOn: Bool { exceptions.contains(.late) }
}
