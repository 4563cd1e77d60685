import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct PrefixUntilOutputTests {
  typealias Source = ScriptedPublisher<Int, TestError>
  typealias Trigger = ScriptedPublisher<String, TestError>

  let log = CallLog()
  let source = Source()
  let trigger = Trigger()

  @Test func publishesValuesUntilTheOtherPublishesOne() {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    let history = source.prefix(untilOutputFrom: trigger).history(
      demand: .max(3), perValue: .max(2), log: log)
    expectEqual(source.send(1), .max(2))
    history.request(4)
    expectEqual(trigger.send("stop"), .none)
    expectEqual(trigger.send("again"), .none)
    expectEqual(source.send(2), .none)
    source.fail("late")
    history.request(1)
    history.cancel()
    log.expect([
      "other: subscribe", "other: request max(1)", "upstream: subscribe",
      "downstream: subscription PrefixUntilOutput", "upstream: request max(3)",
      "downstream: value 1", "upstream: request max(4)", "upstream: cancel", "other: cancel",
      "downstream: finished",
    ])
  }

  @Test func theOtherIsReleasedOnceItHasPublished() {
    let stop = PassthroughSubject<String, Never>()
    weak var token: Token?
    do {
      let kept = Token()
      token = kept
      let hooked = stop.handleEvents(receiveCancel: { kept.touch() })
      let history = source.prefix(untilOutputFrom: hooked).history()
      stop.send("stop")
      expectEqual(history.text, "PrefixUntilOutput: |")
    }
    #expect(token == nil)
  }

  @Test(arguments: End.allCases)
  func aCompletionBeforeTheSubscriptionIsDroppedAndReleasesTheOther(_ end: End) {
    let source = Source(sendsSubscription: false)
    let history = source.prefix(untilOutputFrom: trigger).history()
    source.send(completion: end.completion)
    expectEqual(history.text, "")
    expectEqual(trigger.calls, [.request(.max(1)), .cancel])
    trigger.send("late")
    source.sendSubscription()
    source.send(1)
    expectEqual(history.text, "PrefixUntilOutput: 1")
  }

  @Test(arguments: End.allCases)
  func theEndOfTheOtherDoesNotMatter(_ end: End) {
    let history = source.prefix(untilOutputFrom: trigger).history()
    trigger.send(completion: end.completion)
    trigger.send("late")
    source.send(1)
    expectEqual(history.text, "PrefixUntilOutput: 1")
    expectEqual(trigger.calls, [.request(.max(1))])
  }

  @Test(arguments: End.allCases)
  func theEndOfUpstreamCancelsTheOtherFirst(_ end: End) {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    source.prefix(untilOutputFrom: trigger).subscribe(History(log: log))
    log.removeAll()
    source.send(completion: end.completion)
    trigger.send("late")
    source.finish()
    log.expect([
      "other: cancel", "downstream: \(end)",
    ])
  }

  @Test func aCancellationCancelsUpstreamThenTheOther() {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    let history = source.prefix(untilOutputFrom: trigger).history(log: log)
    log.removeAll()
    history.cancel()
    history.cancel()
    history.request(1)
    trigger.send("late")
    expectEqual(source.send(1), .none)
    source.finish()
    log.expect(["upstream: cancel", "other: cancel"])
  }

  @Test func aValueOfTheOtherBeforeTheSubscriptionEndsTheStreamOnAttaching() {
    let source = Source(sendsSubscription: false)
    let history = source.prefix(untilOutputFrom: trigger).history()
    trigger.send("stop")
    expectEqual(source.send(1), .none)
    source.finish()
    expectEqual(history.text, "")
    let subscription = source.sendSubscription()
    expectEqual(subscription.calls, [.cancel])
    expectEqual(history.text, "PrefixUntilOutput: |")
  }

  @Test func anOtherPublisherThatPublishesAtOnceLetsNoValuePass() {
    let history = (1...3).publisher.eraseToAnyPublisher()
      .prefix(untilOutputFrom: Just("stop")).filter { _ in true }.history()
    expectEqual(history.text, "PrefixUntilOutput: |")
  }

  @Test func anEndFromWithinADeliveryNests() {
    source.prefix(untilOutputFrom: trigger).history(perValue: .max(1), log: log) {
      [trigger, log] _, _ in
      trigger.send("stop")
      log.append("still in the value")
    }
    source.send(1)
    source.send(2)
    log.expect([
      "downstream: subscription PrefixUntilOutput", "downstream: value 1", "downstream: finished",
      "still in the value",
    ])
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func theOtherMayPublishWhileDownstreamIsAttached() {
    let history = History<Int, TestError>()
    let trigger = trigger
    history.onSubscription = { subscription in
      trigger.send("stop")
      subscription.request(.unlimited)
    }
    source.prefix(untilOutputFrom: trigger).subscribe(history)
    expectEqual(history.text, "PrefixUntilOutput: |")
    expectEqual(source.calls, [.cancel])
  }

  @Test func aSecondSubscriptionWhileUpstreamIsCancelledDoesNotHastenTheCompletion() {
    let source = Source(log: log)
    source.prefix(untilOutputFrom: trigger).subscribe(History<Int, TestError>(log: log))
    log.removeAll()
    source.onCancel = { [unowned source, log] in
      source.onCancel = nil
      source.sendSubscription()
      log.append("cancelled")
    }
    trigger.send("stop")
    log.expect(["upstream: cancel", "upstream: cancel", "cancelled", "downstream: finished"])
  }

  @Test func theOtherMayPublishOnAnotherThread() {
    for _ in 0..<300 {
      let source = Source()
      let trigger = Trigger()
      let room = Room()
      let history = source.prefix(untilOutputFrom: trigger).history { _, _ in room.visit() }
      history.onCompletion = { _ in room.visit() }
      onThreads(2) { thread in
        if thread == 1 { return _ = trigger.send("stop") }
        for value in 1...20 { source.send(value) }
      }
      expectEqual(room.encounters, 0)
      expectEqual(history.values, Array((1...20).prefix(history.values.count)))
      expectEqual(history.events.last, .finished)
      expectEqual(source.calls, [.request(.unlimited), .cancel])
    }
  }

  @Test func theOtherDoesNotWaitForADelivery() {
    let history = History<Int, TestError>()
    let trigger = trigger
    let log = log
    history.onValue = { _ in
      onAnotherThread { trigger.send("stop") }
      log.append("delivered")
      return .max(1)
    }
    history.onCompletion = { _ in log.append("finished") }
    source.prefix(untilOutputFrom: trigger).subscribe(history)
    source.send(1)
    log.expect(["delivered", "finished"])
  }

  @Test func aCompletionOnAnotherThreadNeverArrivesBeforeTheSubscription() {
    for _ in 0..<1_000 {
      let source = Source(sendsSubscription: false)
      let trigger = Trigger()
      let history = source.prefix(untilOutputFrom: trigger).history()
      onThreads(2) { thread in
        if thread == 0 { _ = source.sendSubscription() } else { trigger.send("stop") }
      }
      expectEqual(history.text, "PrefixUntilOutput: |")
    }
  }
}
