import Dispatch
import Streams
import TestSupport
import Testing

struct HandleEventsTests {
  let source = ScriptedPublisher<Int, TestError>()
  let log = CallLog()

  @Test func callsEachClosureBeforeTheEventIsPassedOn() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.handlingEvents(log).history(demand: .max(2), perValue: .max(3), log: log)
    expectEqual(source.send(1), .max(3))
    history.request(.unlimited)
    source.fail("no more")
    log.expect([
      "upstream: subscribe", "handle: subscription upstream",
      "downstream: subscription HandleEvents", "handle: request max(2)", "upstream: request max(2)",
      "handle: value 1", "downstream: value 1", "handle: request max(3)",
      "handle: request unlimited", "upstream: request unlimited", "handle: failure no more",
      "downstream: failure no more",
    ])
  }

  @Test func aCancellationIsHandledBeforeItIsPassedOnAndOnce() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.handlingEvents(log).history()
    log.removeAll()
    history.cancel()
    history.request(1)
    history.cancel()
    log.expect(["handle: cancel", "upstream: cancel"])
  }

  @Test func afterTheEndNothingIsHandled() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.handlingEvents(log).history()
    log.removeAll()
    source.finish()
    history.request(1)
    history.cancel()
    log.expect(["handle: finished"])
  }

  @Test func withoutClosuresEverythingIsPassedOn() {
    let history = source.handleEvents().history(demand: .max(2), perValue: .max(3))
    expectEqual(source.send(1), .max(3))
    history.request(4)
    history.cancel()
    expectEqual(history.text, "HandleEvents: 1")
    expectEqual(source.calls, [.request(.max(2)), .request(.max(4)), .cancel])
  }

  @Test func signalsThatBreakTheRulesArePassedOnUnhandled() {
    let history = source.handlingEvents(log).history(perValue: .max(1))
    log.removeAll()
    source.finish()
    expectEqual(source.send(1), .max(1))
    source.fail("late")
    log.expect(["handle: finished"])
    expectEqual(history.text, "HandleEvents: | 1 x(late)")
  }

  @Test func aRequestForZeroValuesIsPassedOn() {
    let history = source.handlingEvents(log).history(demand: .none)
    history.request(.none)
    expectEqual(log.lines.last, "handle: request max(0)")
    expectEqual(source.calls, [.request(.none)])
  }

  @Test func anExtraSubscriptionIsHandledAndCancelled() {
    let history = source.handlingEvents(log).history()
    log.removeAll()
    expectEqual(source.sendSubscription().calls, [.cancel])
    log.expect(["handle: subscription upstream"])
    expectEqual(history.text, "HandleEvents:")
    expectEqual(source.subscriptions[0].calls, [.request(.unlimited)])
  }

  @Test func signalsBeforeTheSubscriptionPass() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let history = source.handlingEvents(log).history(perValue: .max(1))
    expectEqual(source.send(1), .max(1))
    source.finish()
    log.expect(["handle: value 1", "handle: request max(1)", "handle: finished"])
    expectEqual(history.text, "1 |")
  }

  @Test func closuresMayCallBack() {
    let history = History<Int, TestError>(demand: .max(1))
    source.handleEvents(
      receiveOutput: { if $0 == 1 { source.send(2) } },
      receiveCompletion: { _ in history.cancel() },
      receiveCancel: { Issue.record("it has ended before") },
      receiveRequest: { if $0 == 1 { history.request(5) } }
    ).subscribe(history)
    source.send(1)
    source.finish()
    expectEqual(history.text, "HandleEvents: 2 1 |")
    expectEqual(source.calls, [.request(.max(5)), .request(.max(1))])
  }

  @Test func aClosureThatCancelsTwiceIsCalledOnce() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, TestError>()
    source.handleEvents(receiveCancel: {
      log.append("cancel")
      history.cancel()
    }).subscribe(history)
    log.removeAll()
    history.cancel()
    log.expect(["cancel", "upstream: cancel"])
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
      expectEqual(history.values, Array(0..<10))
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
