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
    expectEqual(trigger.sendSubscription().calls, [.cancel])
    trigger.send("late")
    trigger.fail("late")
    expectEqual(history.events, before)
    expectEqual(trigger.subscriptions[0].calls.first, .request(.max(1)))
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
    expectEqual(source.calls, [.request(.unlimited)])
    source.finish()
    expectEqual(history.events, before + [.finished])
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
    expectEqual(trigger.sendSubscription().calls, [.cancel])
    expectEqual(source.calls, [.request(.unlimited), .request(.max(1)), .cancel])
    expectEqual(trigger.subscriptions[0].calls, [.request(.max(1)), .cancel])
  }

  @Test(arguments: Operator.allCases)
  func aLateSubscriptionOfTheOtherPublisherIsCancelled(_ operation: Operator) {
    let (source, trigger) = (Source(), Trigger(sendsSubscription: false))
    let history = operation.apply(source, trigger)
    trigger.send("early")
    history.cancel()
    expectEqual(trigger.sendSubscription().calls, [.cancel])
    expectEqual(history.events.count, 1)
  }

  @Test(arguments: Operator.allCases)
  func aRequestForZeroValuesIsPassedOn(_ operation: Operator) {
    let source = Source()
    operation.apply(source, Trigger()).request(.none)
    expectEqual(source.calls, [.request(.unlimited), .request(.none)])
  }

  @Test(arguments: Operator.allCases, ["finish", "failure", "other"])
  func aCancellationWhileOneSideIsCancelledPreventsTheCompletion(_ operation: Operator, end: String)
  {
    let (source, trigger) = (Source(), Trigger())
    let history = operation.apply(source, trigger)
    source.onCancel = { history.cancel() }
    trigger.onCancel = { history.cancel() }
    switch end {
    case "finish": source.finish()
    case "failure": source.fail("no more")
    default: if operation == .prefix { trigger.send("stop") } else { trigger.finish() }
    }
    expectEqual(history.events.count, 1)
    expectEqual(source.calls, [.request(.unlimited)] + (end == "other" ? [.cancel] : []))
  }

  @Test(arguments: Operator.allCases, ["finish", "other", "cancel"])
  func releasesEverythingAtTheEnd(_ operation: Operator, end: String) {
    weak var upstream: ScriptedSubscription?
    weak var other: ScriptedSubscription?
    weak var downstream: History<Int, TestError>?
    do {
      let (source, trigger) = (Source(), Trigger())
      let history = operation.apply(source, trigger)
      upstream = source.subscriptions.last
      other = trigger.subscriptions.last
      downstream = history
      switch end {
      case "finish":
        if operation == .drop { trigger.send("start") }
        source.finish()
      case "other": if operation == .prefix { trigger.send("stop") } else { trigger.finish() }
      default: history.cancel()
      }
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    #expect(other == nil)
    #expect(downstream == nil)
  }

  @Test(arguments: Operator.allCases)
  func threeThreadsMayAttachSendAndCancel(_ operation: Operator) {
    for _ in 0..<200 {
      let (source, trigger) = (Source(sendsSubscription: false), Trigger())
      let history = operation.apply(source, trigger)
      onThreads(3) { thread in
        switch thread {
        case 0: source.sendSubscription()
        case 1: trigger.send("now")
        default: history.cancel()
        }
      }
      #expect(source.subscriptions[0].isCancelled)
      if operation == .drop { expectEqual(trigger.calls, [.request(.max(1)), .cancel]) }
    }
  }

  /// The value of the other publisher ends the stream, whether it comes just before upstream's
  /// subscription or just after it. Downstream gets the subscription first.
  @Test func aValueOfTheOtherPublisherThatMeetsTheSubscriptionIsNotLost() {
    let rounds = (0..<3000).map { _ in PrefixRound() }
    onTwoThreadsInStep(rounds) { round, thread in
      thread == 0 ? round.sendSubscription() : round.stop()
    }
    for round in rounds {
      expectEqual(round.history.text, "PrefixUntilOutput: |")
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
