import Streams
import TestSupport
import Testing

/// Tests one rule for every operator: signals after a completion or a cancellation are dropped, and
/// a second subscription is cancelled. An upstream that has ended gets neither requests nor a
/// cancellation. Operators that need a subscription drop signals before it; `OwnPublisherTests` has
/// the others.
///
/// Each test runs an operator twice, with these extra signals and without them. Both runs must look
/// the same from both sides. The table of operators lists the exceptions.
struct OutOfTurnTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test(
    .unless([.early, .earlyEnd]), arguments: Operation.all(but: [.early, .earlyEnd]),
    [Subscribers.Completion.finished, .failure(TestError("early"))])
  func signalsBeforeTheSubscriptionAreDropped(
    _ operation: Operation, completion: Subscribers.Completion<TestError>
  ) {
    expectTheSame(operation, sendsSubscription: false) { source, run, isPlain in
      if !isPlain {
        expectEqual(source.send(7), .none)
        source.send(completion: completion)
      }
      source.sendSubscription()
      for value in 1...3 { source.send(value) }
      source.finish()
    }
  }

  @Test(
    .unless(.late), arguments: Operation.all(but: .late),
    [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func signalsAfterTheEndAreDropped(
    _ operation: Operation, completion: Subscribers.Completion<TestError>
  ) {
    if operation.exceptions.contains(.trapsOnFailure), completion != .finished { return }
    expectTheSame(operation) { source, run, isPlain in
      source.send(1)
      source.send(completion: completion)
      run.settle()
      guard !isPlain else { return }
      for value in 7...8 { expectEqual(source.send(value), .none) }
      source.finish()
      run.request()
      run.cancel()
    }
  }

  @Test(.unless(.late), arguments: Operation.all(but: .late))
  func signalsAfterACancellationAreDropped(_ operation: Operation) {
    expectTheSame(operation) { source, run, isPlain in
      source.send(1)
      run.cancel()
      expectEqual(source.calls.count { $0 == .cancel }, 1)
      guard !isPlain else { return }
      for value in 7...8 { expectEqual(source.send(value), .none) }
      source.finish()
      run.request()
      run.cancel()
    }
  }

  @Test(.unless(.second), arguments: Operation.all(but: .second))
  func aSecondSubscriptionIsCancelled(_ operation: Operation) {
    expectTheSame(operation) { source, run, isPlain in
      source.send(1)
      if !isPlain {
        expectEqual(source.sendSubscription().calls, [.cancel])
      }
      source.send(2)
      source.finish()
      if !isPlain { expectEqual(source.sendSubscription().calls, [.cancel]) }
    }
  }

  /// Nothing is called under a lock: the lock isn't re-entrant, and this test would hang.
  @Test(.unless(.second), arguments: Operation.all(but: .second))
  func theCancellationOfASecondSubscriptionMayUseTheStream(_ operation: Operation) {
    let source = Source()
    let run = operation.applied(to: source).subscribe()
    source.onCancel = {
      run.requestOnly()
      run.cancel()
    }
    expectEqual(source.sendSubscription().calls, [.cancel])
    expectEqual(source.subscriptions[0].calls.count { $0 == .cancel }, 1)
    let before = run.lines
    if !operation.passesLateSignalsOn { expectEqual(source.send(1), .none) }
    expectEqual(run.lines, before)
    source.onCancel = nil
  }

  /// Operators without state can't tell these signals apart. They pass everything on, as in
  /// Combine.
  @Test(arguments: Operation.all(with: .stateless))
  func aStageWithoutMemoryPassesEverythingOn(_ operation: Operation) {
    let source = Source(sendsSubscription: false)
    let run = operation.applied(to: source).subscribe()
    source.send(1)
    source.finish()
    source.send(2)
    let values = operation.values.map { "value \($0)" }
    expectEqual(run.lines, [values[0], "finished", values[1]])
  }

  @Test(arguments: Operation.all(with: .stateless))
  func aStageWithoutMemoryChangesNoDemand(_ operation: Operation) {
    let source = Source()
    let run = operation.applied(to: source)
      .subscribe(SubscriberScript(demand: .max(1), perValue: .max(2)))
    expectEqual(source.send(1), .max(2))
    run.requestOnly(3)
    expectEqual(source.calls, [.request(.max(1)), .request(.max(3))])
    source.finish()
    run.cancel()
    expectEqual(source.calls, [.request(.max(1)), .request(.max(3)), .cancel])
    expectEqual(run.lines, ["subscription upstream", "value \(operation.values[0])", "finished"])
  }

  private func expectTheSame(
    _ operation: Operation, sendsSubscription: Bool = true,
    _ script: (_ source: Source, _ run: OperationRun, _ isPlain: Bool) -> Void
  ) {
    let (plain, odd) = (
      Source(sendsSubscription: sendsSubscription), Source(sendsSubscription: sendsSubscription)
    )
    let (plainRun, oddRun) = (
      operation.applied(to: plain).subscribe(), operation.applied(to: odd).subscribe()
    )
    script(plain, plainRun, true)
    script(odd, oddRun, false)
    expectEqual(oddRun.lines, plainRun.lines)
    expectEqual(odd.subscriptions.first?.calls, plain.subscriptions.first?.calls)
    expectEqual(odd.subscriberCount, plain.subscriberCount)
  }
}
