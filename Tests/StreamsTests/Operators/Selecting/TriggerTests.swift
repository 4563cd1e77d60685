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
}
