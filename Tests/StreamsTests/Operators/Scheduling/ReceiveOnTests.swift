import Streams
import TestSupport
import Testing

/// Tests behaviour that only `receive(on:)` has. Behaviour shared with `delay` is tested in
/// `ScheduledDeliveryTests`.
struct ReceiveOnTests {
  @Test func schedulesEachSignalForTheNextOpportunity() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = History<Int, TestError>(demand: .max(2), log: log)
    source.receive(on: scheduler, options: "soon").subscribe(history)
    source.send(1)
    source.send(2)
    scheduler.run()
    source.fail("no more")
    history.cancel()
    scheduler.run()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription ReceiveOn", "upstream: request max(2)",
        "scheduler: schedule options soon", "scheduler: schedule options soon",
        "downstream: value 1", "downstream: value 2", "scheduler: schedule options soon",
        "downstream: failure no more",
      ])
  }

  @Test func hasNoOptionsByDefault() {
    let log = CallLog()
    let scheduler = ManualScheduler(log: log)
    let history = Just(1).receive(on: scheduler).history()
    scheduler.run()
    #expect(log.lines == ["scheduler: schedule", "scheduler: schedule"])
    #expect(history.events == [.subscription("ReceiveOn"), .value(1), .finished])
  }

  @Test func onAnImmediateSchedulerSignalsPassOnTheThreadWhereTheyArrive() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false, log: log)
    let history = History<Int, TestError>(demand: .max(2), perValue: .max(3), log: log)
    source.receive(on: ImmediateScheduler.shared).subscribe(history)
    #expect(source.send(0) == .none)
    source.sendSubscription()
    source.sendSubscription()
    #expect(source.send(1) == .none)
    history.request(.none)
    source.fail("no more")
    source.send(2)
    source.finish()
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription ReceiveOn", "upstream: request max(2)",
        "upstream: cancel", "downstream: value 1", "upstream: request max(3)",
        "upstream: request max(0)", "downstream: failure no more",
      ])
  }

  @Test func onAnImmediateSchedulerACancellationDropsTheRest() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, TestError>(perValue: .max(1))
    history.onValue = { _ in
      history.cancel()
      return .none
    }
    source.receive(on: ImmediateScheduler.shared).subscribe(history)
    source.send(1)
    source.send(2)
    source.finish()
    #expect(history.events == [.subscription("ReceiveOn"), .value(1)])
    #expect(source.calls == [.request(.unlimited), .cancel])
    history.onValue = nil
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).receive(on: ManualScheduler(), options: "soon")
    #expect(publisher.upstream == Just(1))
    #expect(publisher.options == "soon")
  }
}
