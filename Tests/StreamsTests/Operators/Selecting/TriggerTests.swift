import Streams
import TestSupport
import Testing

/// Tests what `prefix(untilOutputFrom:)` and `drop(untilOutputFrom:)` have in common: a second
/// publisher whose first value counts.
struct TriggerTests {
  typealias Source = ScriptedPublisher<Int, TestError>
  typealias Trigger = ScriptedPublisher<String, TestError>

  enum Operator: CaseIterable {
    case prefix, drop

    func apply(_ source: Source, _ trigger: Trigger) -> History<Int, TestError> {
      switch self {
      case .prefix: source.prefix(untilOutputFrom: trigger).history()
      case .drop: source.drop(untilOutputFrom: trigger).history()
      }
    }
  }

  /// It would be kept, and its value would count.
  @Test(arguments: Operator.allCases, ["value", "finish", "cancel"])
  func theOtherPublisherCannotBeginAgain(_ operation: Operator, end: String) {
    let (source, trigger) = (Source(), Trigger())
    let history = operation.apply(source, trigger)
    switch end {
    case "value":
      trigger.send("now")
      trigger.finish()
    case "finish": trigger.finish()
    default: history.cancel()
    }
    source.send(1)
    let before = history.events
    #expect(trigger.sendSubscription().calls == [.cancel])
    trigger.send("late")
    trigger.fail("late")
    #expect(history.events == before)
    #expect(trigger.subscriptions[0].calls.first == .request(.max(1)))
  }

  @Test(
    arguments: Operator.allCases, [Subscribers.Completion.finished, .failure(TestError("early"))])
  func anEndOfTheOtherPublisherBeforeItsSubscriptionEndsNothing(
    _ operation: Operator, completion: Subscribers.Completion<TestError>
  ) {
    let (source, trigger) = (Source(), Trigger(sendsSubscription: false))
    let history = operation.apply(source, trigger)
    let before = history.events
    trigger.send(completion: completion)
    #expect(source.calls == [.request(.unlimited)])
    source.finish()
    #expect(history.events == before + [.finished])
  }

  /// Nothing is called under a lock: the lock isn't re-entrant, and this test would hang.
  @Test(arguments: Operator.allCases)
  func theCancellationOfASecondTriggerMayUseTheStream(_ operation: Operator) {
    let (source, trigger) = (Source(), Trigger())
    let history = operation.apply(source, trigger)
    trigger.onCancel = {
      history.request(1)
      history.cancel()
    }
    #expect(trigger.sendSubscription().calls == [.cancel])
    #expect(source.calls == [.request(.unlimited), .request(.max(1)), .cancel])
    #expect(trigger.subscriptions[0].calls == [.request(.max(1)), .cancel])
    trigger.onCancel = nil
  }

  /// The value of the other publisher ends the stream, whether it comes just before upstream's
  /// subscription or just after it. Downstream gets the subscription first.
  @Test func aValueOfTheOtherPublisherThatMeetsTheSubscriptionIsNotLost() {
    let rounds = (0..<3000).map { _ in PrefixRound() }
    onTwoThreadsInStep(rounds) { round, thread in
      thread == 0 ? round.sendSubscription() : round.stop()
    }
    for round in rounds {
      #expect(round.history.events == [.subscription("PrefixUntilOutput"), .finished])
    }
  }
}

/// A stream whose subscription comes on one thread, and the other publisher's value on another.
private final class PrefixRound: Sendable {
  private let source = TriggerTests.Source(sendsSubscription: false)
  private let trigger = TriggerTests.Trigger()
  let history: History<Int, TestError>

  init() { history = TriggerTests.Operator.prefix.apply(source, trigger) }

  /// - Returns: Whether the other publisher's value came later.
  func sendSubscription() -> Bool { source.sendSubscription().calls.first != .cancel }

  /// - Returns: Whether the subscription hasn't come yet.
  func stop() -> Bool {
    trigger.send("stop")
    return source.subscriptions.isEmpty
  }
}
