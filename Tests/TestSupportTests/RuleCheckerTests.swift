import Streams
import TestSupport
import Testing

struct RuleCheckerTests {
  /// A way to break a rule, and the record of it.
  struct Breach: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: [BrokenRule]
    let act: @Sendable (ScriptedPublisher<Int, TestError>, History<Int, TestError>) -> Void

    init(
      _ name: String, _ expected: BrokenRule...,
      act: @escaping @Sendable (ScriptedPublisher<Int, TestError>, History<Int, TestError>) -> Void
    ) {
      testDescription = name
      self.expected = expected
      self.act = act
    }
  }

  /// The checker requests two values, and two more for each value above 99.
  static let breaches = [
    Breach("a second subscription", BrokenRule(.oneSubscription, signal: "subscription upstream")) {
      source, _ in source.sendSubscription()
    },
    Breach("a value too many", BrokenRule(.valuesWithinDemand, signal: "value 3")) { source, _ in
      for value in 1...3 { source.send(value) }
    },
    Breach("a value too many after a request", BrokenRule(.valuesWithinDemand, signal: "value 4")) {
      source, history in
      history.request(1)
      for value in 1...4 { source.send(value) }
    },
    Breach(
      "a value too many after returned demand", BrokenRule(.valuesWithinDemand, signal: "value 5")
    ) { source, _ in
      source.send(100)
      for value in 2...5 { source.send(value) }
    },
    Breach("a value after the end", BrokenRule(.nothingAfterTheEnd, signal: "value 1")) {
      source, _ in
      source.finish()
      source.send(1)
    },
    Breach("two ends", BrokenRule(.oneEnd, signal: "failure lost")) { source, _ in
      source.finish()
      source.fail("lost")
    },
    Breach("a value after a cancellation", BrokenRule(.nothingAfterCancel, signal: "value 1")) {
      source, history in
      history.cancel()
      source.send(1)
    },
    Breach("an end after a cancellation", BrokenRule(.nothingAfterCancel, signal: "finished")) {
      source, history in
      history.cancel()
      source.finish()
    },
    Breach(
      "a value of another thread after a cancellation",
      BrokenRule(.nothingAfterCancel, signal: "value 1")
    ) { source, history in
      history.cancel()
      onAnotherThread { source.send(1) }
    },
  ]

  @Test(arguments: breaches) func recordsTheSignalThatBreaksARule(_ breach: Breach) {
    let source = ScriptedPublisher<Int, TestError>()
    let checker = source.checkedHistory(demand: .max(2))
    checker.downstream.onValue = { $0 > 99 ? .max(2) : .none }
    breach.act(source, checker.downstream)
    #expect(checker.brokenRules == breach.expected)
  }

  @Test func nothingMayComeBeforeTheSubscription() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let checker = source.checkedHistory()
    source.send(1)
    source.finish()
    source.sendSubscription()
    #expect(
      checker.brokenRules == [
        BrokenRule(.subscriptionFirst, signal: "value 1"),
        BrokenRule(.subscriptionFirst, signal: "finished"),
      ])
  }

  @Test func aPublisherThatKeepsTheRulesBreaksNone() {
    let source = ScriptedPublisher<Int, TestError>()
    let checker = source.checkedHistory(demand: .max(1))
    source.onRequest = { _ in source.send(2) }
    checker.downstream.onValue = { value in
      // A nested delivery.
      if value == 1 { checker.downstream.request(1) }
      return value == 2 ? .max(1) : .none
    }
    source.send(1)
    #expect(checker.remainingDemand == .max(1))
    source.onRequest = nil
    checker.downstream.request(.unlimited)
    for value in 3...9 { source.send(value) }
    #expect(!checker.hasEnded)
    source.fail("lost")
    #expect(checker.hasEnded)
    #expect(checker.brokenRules == [])
    #expect(checker.downstream.values == Array(1...9))
  }

  @Test func aSignalWithinTheCancellationIsNotLate() {
    let source = ScriptedPublisher<Int, TestError>()
    let checker = source.checkedHistory()
    source.onCancel = { source.send(1) }
    checker.downstream.cancel()
    #expect(checker.brokenRules == [])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func twoThreadsMayNotDeliverAtOnce() {
    let source = ScriptedPublisher<Int, TestError>()
    let slow = SlowSubscriber<TestError>(stopsAt: 1)
    let checker = RuleChecker(slow.history)
    source.subscribe(checker)
    slow.onSenderThread { source.send(1) }
    source.send(2)
    slow.goOn()
    source.send(3)
    #expect(checker.brokenRules == [BrokenRule(.oneThreadAtATime, signal: "value 2")])
  }

  @Test func passesEverythingOn() {
    let source = ScriptedPublisher<Int, TestError>()
    let checker = source.checkedHistory(demand: .max(1), perValue: .max(3))
    #expect(source.send(1) == .max(3))
    source.finish()
    source.send(2)
    source.fail("lost")
    #expect(
      checker.downstream.events
        == [.subscription("upstream"), .value(1), .finished, .value(2), .failure("lost")])
    checker.downstream.cancel()
    #expect(source.calls == [.request(.max(1)), .cancel])
  }

  // MARK: Exceptions

  @Test func valuesMayExceedTheDemandWhereThatIsAllowed() {
    let source = ScriptedPublisher<Int, TestError>()
    let checker = source.checkedHistory(demand: .none, allowing: .valuesWithoutDemand)
    source.send(1)
    #expect(checker.brokenRules == [])
    checker.downstream.cancel()
    source.send(2)
    #expect(checker.brokenRules == [BrokenRule(.nothingAfterCancel, signal: "value 2")])
  }

  @Test func anEndMayFollowACancellationWhereThatIsAllowed() {
    let source = ScriptedPublisher<Int, TestError>()
    let checker = source.checkedHistory(allowing: .endAfterCancel)
    checker.downstream.cancel()
    source.finish()
    #expect(checker.brokenRules == [])
    source.finish()
    #expect(checker.brokenRules == [BrokenRule(.oneEnd, signal: "finished")])
  }

  @Test func anotherThreadMayBeLateWhereThatIsAllowed() {
    let source = ScriptedPublisher<Int, TestError>()
    let checker = source.checkedHistory(allowing: .lateSignalsOfOtherThreads)
    checker.downstream.cancel()
    onAnotherThread { source.send(1) }
    #expect(checker.brokenRules == [])
    source.send(2)
    #expect(checker.brokenRules == [BrokenRule(.nothingAfterCancel, signal: "value 2")])
  }

  @Test func describesABrokenRule() {
    let broken = BrokenRule(.valuesWithinDemand, signal: "value 3")
    #expect("\(broken)" == "value 3 breaks valuesWithinDemand")
  }
}
