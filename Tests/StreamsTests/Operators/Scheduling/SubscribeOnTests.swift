import Dispatch
import Streams
import TestSupport
import Testing

struct SubscribeOnTests {
  let source = ScriptedPublisher<Int, TestError>()
  let scheduler = ManualScheduler()
  let log = CallLog()

  @Test func subscribesRequestsAndCancelsOnTheScheduler() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = source.subscribe(on: scheduler, options: "there").history(
      demand: .max(2), perValue: .max(3), log: log)
    scheduler.runNext()
    scheduler.runNext()
    expectEqual(source.send(1), .max(3))
    history.request(.unlimited)
    history.cancel()
    scheduler.run()
    log.expect([
      "scheduler: schedule options there", "upstream: subscribe",
      "downstream: subscription SubscribeOn", "scheduler: schedule options there",
      "upstream: request max(2)", "downstream: value 1", "scheduler: schedule options there",
      "scheduler: schedule options there", "upstream: request unlimited", "upstream: cancel",
    ])
  }

  @Test func valuesAndTheCompletionAreNotScheduled() {
    let history = source.subscribe(on: scheduler).history(demand: .max(5))
    scheduler.run()
    source.send(1)
    source.fail("no more")
    source.finish()
    expectEqual(source.send(2), .none)
    expectEqual(history.text, "SubscribeOn: 1 x(no more)")
    expectEqual(scheduler.pendingCount, 0)
  }

  @Test(arguments: [true, false]) func anEndWorksAtOnceAndOnlyOnce(isCancelled: Bool) {
    let history = source.subscribe(on: scheduler).history()
    scheduler.run()
    if isCancelled { history.cancel() } else { source.finish() }
    history.request(1)
    history.cancel()
    expectEqual(source.send(1), .none)
    source.finish()
    expectEqual(scheduler.pendingCount, isCancelled ? 1 : 0)
    scheduler.run()
    expectEqual(history.text, "SubscribeOn:" + (isCancelled ? "" : " |"))
    expectEqual(source.calls, [.request(.unlimited)] + (isCancelled ? [.cancel] : []))
  }

  @Test func aRequestForZeroValuesIsPassedOn() {
    let history = source.subscribe(on: scheduler).history(demand: .none)
    scheduler.run()
    history.request(.none)
    scheduler.run()
    expectEqual(source.calls, [.request(.none)])
  }

  @Test func anImmediateSchedulerMayCallBackFromWithinItsCalls() {
    let history = History<Int, TestError>(demand: .max(1))
    source.onRequest = { demand in
      if demand == 1 { history.request(2) }
    }
    source.onCancel = { history.cancel() }
    source.subscribe(on: ImmediateScheduler.shared).subscribe(history)
    history.cancel()
    expectEqual(source.calls, [.request(.max(1)), .request(.max(2)), .cancel])
  }

  @Test func aSinkThatIsCancelledBeforeItsTurnGetsNothingAndKeepsNothing() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    weak var captured: CallLog?
    do {
      let capture = CallLog()
      captured = capture
      source.subscribe(on: scheduler)
        .sink(
          receiveCompletion: { log.append("\(capture.lines) \($0)") },
          receiveValue: { log.append("\(capture.lines) \($0)") }
        )
        .cancel()
    }
    // The action that waits on the scheduler keeps the chain.
    #expect(captured != nil)
    source.onSubscribe = { source.send(1) }
    scheduler.run()
    source.send(2)
    source.finish()
    log.expect([
      "scheduler: schedule", "upstream: subscribe", "scheduler: schedule", "upstream: cancel",
    ])
    source.onSubscribe = nil
    // This source keeps its subscribers after the end.
    source.releaseSubscribers()
    #expect(captured == nil)
  }

  @Test func aSinkMayBeCancelledOnAThreadWhileAnotherSubscribes() {
    for _ in 0..<300 {
      let scheduler = ManualScheduler()
      let values = CallLog()
      weak var captured: CallLog?
      do {
        let capture = CallLog()
        captured = capture
        let cancellable = (0..<100).publisher.subscribe(on: scheduler)
          .sink { [capture] in
            capture.append("")
            values.append("\($0)")
          }
        onThreads(2) { if $0 == 0 { scheduler.run() } else { cancellable.cancel() } }
      }
      scheduler.run()
      #expect(captured == nil)
      expectEqual(values.lines, (0..<values.lines.count).map { "\($0)" })
    }
  }

  @Test func threadsMayRequestCancelAndSendAtOnce() {
    for round in 0..<300 {
      let source = ScriptedPublisher<Int, TestError>()
      let scheduler = ManualScheduler()
      let history = source.subscribe(on: scheduler).history()
      scheduler.run()
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        switch thread {
        case 0:
          for value in 0..<20 { source.send(value) }
        case 1:
          for _ in 0..<40 { scheduler.runNext() }
        default:
          for _ in 0..<(round % 20) { history.request(1) }
          history.cancel()
        }
      }
      scheduler.run()
      expectEqual(history.values, Array((0..<20).prefix(history.values.count)))
      expectEqual(source.calls.last, .cancel)
      expectEqual(source.calls.count, 2 + round % 20)
    }
  }
}
