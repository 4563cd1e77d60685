import Dispatch
import Streams
import TestSupport
import Testing

struct SubscribeOnTests {
  @Test func subscribesRequestsAndCancelsOnTheScheduler() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<Int, TestError>(demand: .max(2), perValue: .max(3), log: log)
    source.subscribe(on: scheduler, options: "there").subscribe(history)
    scheduler.runNext()
    scheduler.runNext()
    #expect(source.send(1) == .max(3))
    history.request(.unlimited)
    history.cancel()
    scheduler.run()
    #expect(
      log.lines == [
        "scheduler: schedule options there", "upstream: subscribe",
        "downstream: subscription SubscribeOn", "scheduler: schedule options there",
        "upstream: request max(2)", "downstream: value 1", "scheduler: schedule options there",
        "scheduler: schedule options there", "upstream: request unlimited", "upstream: cancel",
      ])
  }

  @Test func valuesAndTheCompletionAreNotScheduled() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.subscribe(on: scheduler).history(demand: .max(5))
    scheduler.run()
    source.send(1)
    source.fail("no more")
    source.finish()
    #expect(source.send(2) == .none)
    #expect(history.events == [.subscription("SubscribeOn"), .value(1), .failure("no more")])
    #expect(scheduler.pendingCount == 0)
  }

  @Test func afterTheEndNothingIsScheduled() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.subscribe(on: scheduler).history()
    scheduler.run()
    source.finish()
    history.request(1)
    history.cancel()
    #expect(scheduler.pendingCount == 0)
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func aCancellationWorksAtOnceAndOnlyOnce() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.subscribe(on: scheduler).history()
    scheduler.run()
    history.cancel()
    history.cancel()
    history.request(1)
    #expect(source.send(1) == .none)
    source.finish()
    #expect(scheduler.pendingCount == 1)
    scheduler.run()
    #expect(history.events == [.subscription("SubscribeOn")])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func aRequestForZeroValuesIsPassedOn() {
    let source = ScriptedPublisher<Int, TestError>()
    let scheduler = ManualScheduler()
    let history = source.subscribe(on: scheduler).history(demand: .none)
    scheduler.run()
    history.request(.none)
    scheduler.run()
    #expect(source.calls == [.request(.none)])
  }

  @Test func anImmediateSchedulerMayCallBackFromWithinItsCalls() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, TestError>(demand: .max(1))
    source.onRequest = { demand in
      if demand == 1 { history.request(2) }
    }
    source.onCancel = { history.cancel() }
    source.subscribe(on: ImmediateScheduler.shared).subscribe(history)
    history.cancel()
    #expect(source.calls == [.request(.max(1)), .request(.max(2)), .cancel])
    source.onRequest = nil
    source.onCancel = nil
  }

  @Test func aSinkThatIsCancelledBeforeItsTurnGetsNothingAndKeepsNothing() {
    let log = CallLog()
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
    #expect(
      log.lines == [
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
      #expect(values.lines == (0..<values.lines.count).map { "\($0)" })
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
      #expect(history.values == Array((0..<20).prefix(history.values.count)))
      #expect(source.calls.last == .cancel)
      #expect(source.calls.count == 2 + round % 20)
    }
  }
}
