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
    let history = History<Int, TestError>(demand: .max(3), perValue: .max(2), log: log)
    source.prefix(untilOutputFrom: trigger).subscribe(history)
    #expect(source.send(1) == .max(2))
    history.request(4)
    #expect(trigger.send("stop") == .none)
    #expect(trigger.send("again") == .none)
    #expect(source.send(2) == .none)
    source.fail("late")
    history.request(1)
    history.cancel()
    #expect(
      log.lines == [
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
      #expect(history.events == [.subscription("PrefixUntilOutput"), .finished])
    }
    #expect(token == nil)
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func aCompletionBeforeTheSubscriptionIsDroppedAndReleasesTheOther(
    completion: Subscribers.Completion<TestError>
  ) {
    let source = Source(sendsSubscription: false)
    let history = source.prefix(untilOutputFrom: trigger).history()
    source.send(completion: completion)
    #expect(history.events == [])
    #expect(trigger.calls == [.request(.max(1)), .cancel])
    trigger.send("late")
    source.sendSubscription()
    source.send(1)
    #expect(history.events == [.subscription("PrefixUntilOutput"), .value(1)])
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no stop"))])
  func theEndOfTheOtherDoesNotMatter(completion: Subscribers.Completion<TestError>) {
    let history = source.prefix(untilOutputFrom: trigger).history()
    trigger.send(completion: completion)
    trigger.send("late")
    source.send(1)
    #expect(history.events == [.subscription("PrefixUntilOutput"), .value(1)])
    #expect(trigger.calls == [.request(.max(1))])
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func theEndOfUpstreamCancelsTheOtherFirst(completion: Subscribers.Completion<TestError>) {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    source.prefix(untilOutputFrom: trigger).subscribe(History(log: log))
    log.removeAll()
    source.send(completion: completion)
    trigger.send("late")
    source.finish()
    #expect(
      log.lines == [
        "other: cancel",
        "downstream: \(completion == .finished ? "finished" : "failure no more")",
      ])
  }

  @Test func aCancellationCancelsUpstreamThenTheOther() {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    let history = History<Int, TestError>(log: log)
    source.prefix(untilOutputFrom: trigger).subscribe(history)
    log.removeAll()
    history.cancel()
    history.cancel()
    history.request(1)
    trigger.send("late")
    #expect(source.send(1) == .none)
    source.finish()
    #expect(log.lines == ["upstream: cancel", "other: cancel"])
  }

  @Test func aValueOfTheOtherBeforeTheSubscriptionEndsTheStreamOnAttaching() {
    let source = Source(sendsSubscription: false)
    let history = source.prefix(untilOutputFrom: trigger).history()
    trigger.send("stop")
    #expect(source.send(1) == .none)
    source.finish()
    #expect(history.events == [])
    let subscription = source.sendSubscription()
    #expect(subscription.calls == [.cancel])
    #expect(history.events == [.subscription("PrefixUntilOutput"), .finished])
  }

  @Test func anOtherPublisherThatPublishesAtOnceLetsNoValuePass() {
    let history = (1...3).publisher.eraseToAnyPublisher()
      .prefix(untilOutputFrom: Just("stop")).filter { _ in true }.history()
    #expect(history.events == [.subscription("PrefixUntilOutput"), .finished])
  }

  @Test func anEndFromWithinADeliveryNests() {
    let history = History<Int, TestError>(perValue: .max(1), log: log)
    history.onValue = { [trigger, log] _ in
      trigger.send("stop")
      log.append("still in the value")
      return .none
    }
    source.prefix(untilOutputFrom: trigger).subscribe(history)
    source.send(1)
    source.send(2)
    #expect(
      log.lines == [
        "downstream: subscription PrefixUntilOutput", "downstream: value 1",
        "downstream: finished", "still in the value",
      ])
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
  }

  @Test func theOtherMayPublishWhileDownstreamIsAttached() {
    let history = History<Int, TestError>()
    let trigger = trigger
    history.onSubscription = { subscription in
      trigger.send("stop")
      subscription.request(.unlimited)
    }
    source.prefix(untilOutputFrom: trigger).subscribe(history)
    #expect(history.events == [.subscription("PrefixUntilOutput"), .finished])
    #expect(source.calls == [.cancel])
    history.onSubscription = nil
  }

  @Test func aCancellationWhileUpstreamIsCancelledPreventsTheCompletion() {
    let history = source.prefix(untilOutputFrom: trigger).history()
    source.onCancel = { history.cancel() }
    trigger.send("stop")
    #expect(history.events == [.subscription("PrefixUntilOutput")])
    #expect(source.calls == [.request(.unlimited), .cancel])
    source.onCancel = nil
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func aCancellationWhileTheOtherIsCancelledPreventsTheCompletion(
    completion: Subscribers.Completion<TestError>
  ) {
    let history = source.prefix(untilOutputFrom: trigger).history()
    trigger.onCancel = { history.cancel() }
    source.send(completion: completion)
    #expect(history.events == [.subscription("PrefixUntilOutput")])
    #expect(source.calls == [.request(.unlimited)])
    #expect(trigger.calls == [.request(.max(1)), .cancel])
    trigger.onCancel = nil
  }

  @Test func aSecondSubscriptionOfEitherIsCancelled() {
    let history = source.prefix(untilOutputFrom: trigger).history()
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(trigger.sendSubscription().calls == [.cancel])
    #expect(history.events == [.subscription("PrefixUntilOutput")])
    #expect(source.subscriptions[0].calls == [.request(.unlimited)])
    #expect(trigger.subscriptions[0].calls == [.request(.max(1))])
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
    #expect(
      log.lines
        == ["upstream: cancel", "upstream: cancel", "cancelled", "downstream: finished"])
  }

  @Test func aLateSubscriptionOfTheOtherPublisherIsCancelled() {
    let trigger = Trigger(sendsSubscription: false)
    let history = source.prefix(untilOutputFrom: trigger).history()
    trigger.send("early")
    history.cancel()
    #expect(trigger.sendSubscription().calls == [.cancel])
    #expect(history.events == [.subscription("PrefixUntilOutput")])
  }

  @Test func aRequestForZeroValuesIsPassedOn() {
    source.prefix(untilOutputFrom: trigger).history(demand: .none).request(.none)
    #expect(source.calls == [.request(.none)])
  }

  @Test func eachSubscriberHasItsOwnEnd() {
    let publisher = source.prefix(untilOutputFrom: trigger)
    let first = publisher.history()
    let second = publisher.history()
    trigger.send("stop", to: 0)
    source.send(1, to: 0)
    source.send(2, to: 1)
    #expect(first.events == [.subscription("PrefixUntilOutput"), .finished])
    #expect(second.events == [.subscription("PrefixUntilOutput"), .value(2)])
  }

  @Test(arguments: ["finish", "trigger", "cancel"])
  func releasesEverythingAtTheEnd(ending: String) {
    weak var upstream: ScriptedSubscription?
    weak var other: ScriptedSubscription?
    weak var downstream: History<Int, TestError>?
    var subscription: (any Subscription)?
    do {
      let source = Source()
      let trigger = Trigger()
      let history = History<Int, TestError>()
      history.onSubscription = { subscription = $0 }
      source.prefix(untilOutputFrom: trigger).subscribe(history)
      upstream = source.subscriptions.last
      other = trigger.subscriptions.last
      downstream = history
      switch ending {
      case "finish": source.finish()
      case "trigger": trigger.send("stop")
      default: subscription?.cancel()
      }
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    #expect(other == nil)
    #expect(downstream == nil)
    _ = subscription
  }

  @Test func theOtherMayPublishOnAnotherThread() {
    for _ in 0..<300 {
      let source = Source()
      let trigger = Trigger()
      let history = History<Int, TestError>()
      let inside = Locked(0)
      let isSerial = Locked(true)
      let enter: @Sendable () -> Void = {
        if inside.withLock({
          $0 += 1; return $0
        }) != 1 {
          isSerial.withLock { $0 = false }
        }
      }
      history.onValue = { _ in
        enter()
        inside.withLock { $0 -= 1 }
        return .none
      }
      history.onCompletion = { _ in
        enter()
        inside.withLock { $0 -= 1 }
      }
      source.prefix(untilOutputFrom: trigger).subscribe(history)
      onThreads(2) { thread in
        if thread == 1 { return _ = trigger.send("stop") }
        for value in 1...20 { source.send(value) }
      }
      #expect(isSerial.withLock { $0 })
      #expect(history.values == Array((1...20).prefix(history.values.count)))
      #expect(history.events.last == .finished)
      #expect(source.calls == [.request(.unlimited), .cancel])
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
    #expect(log.lines == ["delivered", "finished"])
    history.onValue = nil
  }

  @Test func aCompletionOnAnotherThreadNeverArrivesBeforeTheSubscription() {
    for _ in 0..<1_000 {
      let source = Source(sendsSubscription: false)
      let trigger = Trigger()
      let history = source.prefix(untilOutputFrom: trigger).history()
      onThreads(2) { thread in
        if thread == 0 { _ = source.sendSubscription() } else { trigger.send("stop") }
      }
      #expect(history.events == [.subscription("PrefixUntilOutput"), .finished])
    }
  }

  @Test func threeThreadsMayAttachStopAndCancel() {
    for _ in 0..<200 {
      let source = Source(sendsSubscription: false)
      let trigger = Trigger()
      let history = source.prefix(untilOutputFrom: trigger).history()
      onThreads(3) { thread in
        switch thread {
        case 0: source.sendSubscription()
        case 1: trigger.send("stop")
        default: history.cancel()
        }
      }
      #expect(source.subscriptions[0].isCancelled)
    }
  }
}
