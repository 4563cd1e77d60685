import Dispatch
import Streams
import TestSupport
import Testing

struct HandleEventsTests {
  @Test func callsEachClosureBeforeTheEventIsPassedOn() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, TestError>(demand: .max(2), perValue: .max(3), log: log)
    source.handlingEvents(log).subscribe(history)
    #expect(source.send(1) == .max(3))
    history.request(.unlimited)
    source.fail("no more")
    #expect(
      log.lines == [
        "upstream: subscribe", "handle: subscription upstream",
        "downstream: subscription HandleEvents", "handle: request max(2)",
        "upstream: request max(2)", "handle: value 1", "downstream: value 1",
        "handle: request max(3)", "handle: request unlimited", "upstream: request unlimited",
        "handle: failure no more", "downstream: failure no more",
      ])
  }

  @Test func aCancellationIsHandledBeforeItIsPassedOnAndOnce() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.handlingEvents(log).history()
    log.removeAll()
    history.cancel()
    history.request(1)
    history.cancel()
    #expect(log.lines == ["handle: cancel", "upstream: cancel"])
  }

  @Test func afterTheEndNothingIsHandled() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.handlingEvents(log).history()
    log.removeAll()
    source.finish()
    history.request(1)
    history.cancel()
    #expect(log.lines == ["handle: finished"])
  }

  @Test func withoutClosuresEverythingIsPassedOn() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.handleEvents().history(demand: .max(2), perValue: .max(3))
    #expect(source.send(1) == .max(3))
    history.request(4)
    history.cancel()
    #expect(history.events == [.subscription("HandleEvents"), .value(1)])
    #expect(source.calls == [.request(.max(2)), .request(.max(4)), .cancel])
  }

  @Test func signalsThatBreakTheRulesArePassedOnUnhandled() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.handlingEvents(log).history(perValue: .max(1))
    log.removeAll()
    source.finish()
    #expect(source.send(1) == .max(1))
    source.fail("late")
    #expect(log.lines == ["handle: finished"])
    #expect(
      history.events == [.subscription("HandleEvents"), .finished, .value(1), .failure("late")])
  }

  @Test func aRequestForZeroValuesIsPassedOn() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.handlingEvents(log).history(demand: .none)
    history.request(.none)
    #expect(log.lines.last == "handle: request max(0)")
    #expect(source.calls == [.request(.none)])
  }

  @Test func anExtraSubscriptionIsHandledAndCancelled() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.handlingEvents(log).history()
    log.removeAll()
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(log.lines == ["handle: subscription upstream"])
    #expect(history.events == [.subscription("HandleEvents")])
    #expect(source.subscriptions[0].calls == [.request(.unlimited)])
  }

  @Test func signalsBeforeTheSubscriptionPass() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.handlingEvents(log).history(perValue: .max(1))
    #expect(source.send(1) == .max(1))
    source.finish()
    #expect(log.lines == ["handle: value 1", "handle: request max(1)", "handle: finished"])
    #expect(history.events == [.value(1), .finished])
  }

  @Test func closuresMayCallBack() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, TestError>(demand: .max(1))
    source.handleEvents(
      receiveOutput: { if $0 == 1 { source.send(2) } },
      receiveCompletion: { _ in history.cancel() },
      receiveCancel: { Issue.record("it has ended before") },
      receiveRequest: { if $0 == 1 { history.request(5) } }
    ).subscribe(history)
    source.send(1)
    source.finish()
    #expect(
      history.events == [.subscription("HandleEvents"), .value(2), .value(1), .finished])
    #expect(source.calls == [.request(.max(5)), .request(.max(1))])
    history.releaseSubscription()
  }

  @Test func aClosureThatCancelsTwiceIsCalledOnce() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, TestError>()
    source.handleEvents(receiveCancel: {
      log.append("cancel")
      history.cancel()
    }).subscribe(history)
    log.removeAll()
    history.cancel()
    #expect(log.lines == ["cancel", "upstream: cancel"])
  }

  @Test func eachSubscriberHasItsOwnEnd() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let publisher = source.handlingEvents(log)
    let first = publisher.history()
    let second = publisher.history()
    log.removeAll()
    first.cancel()
    source.send(1, to: 1)
    source.finish(to: 1)
    #expect(log.lines == ["handle: cancel", "handle: value 1", "handle: finished"])
    #expect(second.events == [.subscription("HandleEvents"), .value(1), .finished])
  }

  @Test(arguments: [false, true])
  func releasesBothSidesAndTheClosuresAtTheEnd(byCancelling: Bool) {
    weak var upstream: ScriptedSubscription?
    weak var downstream: History<Int, TestError>?
    weak var captured: CallLog?
    var subscription: (any Subscription)?
    let subject = PassthroughSubject<Int, TestError>()
    do {
      let other = ScriptedPublisher<Int, TestError>()
      let history = History<Int, TestError>()
      history.onSubscription = { subscription = $0 }
      other.handleEvents().subscribe(history)
      upstream = other.subscriptions.last
      downstream = history
      if byCancelling { subscription?.cancel() } else { other.finish() }
      history.releaseSubscription()

      // A source that forgets its subscriber at the end.
      let log = CallLog()
      captured = log
      let second = subject.handlingEvents(log).history()
      if byCancelling { second.cancel() } else { subject.send(completion: .finished) }
    }
    #expect(upstream == nil)
    #expect(downstream == nil)
    #expect(captured == nil)
    #expect(subscription != nil)
    withExtendedLifetime(subject) {}
  }

  @Test func threadsMaySendRequestAndCancelAtOnce() {
    for round in 0..<300 {
      let log = CallLog()
      let source = ScriptedPublisher<Int, TestError>()
      let history = source.handlingEvents(log).history()
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        switch thread {
        case 0:
          for value in 0..<10 { source.send(value) }
          source.finish()
        case 1:
          for _ in 0..<(round % 10) { history.request(1) }
        default:
          history.cancel()
        }
      }
      #expect(log.lines.count { $0 == "handle: cancel" } <= 1)
      #expect(source.calls.count { $0 == .cancel } <= 1)
      // One of the two ends the stream and releases the other one's closure, unless both run at
      // once.
      #expect(log.lines.contains { $0 == "handle: cancel" || $0 == "handle: finished" })
      #expect(history.values == Array(0..<10))
    }
  }
}

extension Publisher where Output == Int, Failure == TestError {
  /// Logs every event that can be handled.
  fileprivate func handlingEvents(_ log: CallLog) -> Publishers.HandleEvents<Self> {
    handleEvents(
      receiveSubscription: { log.append("handle: subscription \($0)") },
      receiveOutput: { log.append("handle: value \($0)") },
      receiveCompletion: { log.append("handle: \(History<Int, TestError>.Event.completion($0))") },
      receiveCancel: { log.append("handle: cancel") },
      receiveRequest: { log.append("handle: request \($0)") })
  }
}
