import Streams
import TestSupport
import Testing

/// Tests behaviour that only `receive(on:)` has. Behaviour shared with `delay` is tested in
/// `ScheduledDeliveryTests`.
struct ReceiveOnTests {
  let log = CallLog()

  @Test func schedulesEachSignalForTheNextOpportunity() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let scheduler = ManualScheduler(log: log)
    let history = source.receive(on: scheduler, options: "soon").history(demand: .max(2), log: log)
    source.send(1)
    source.send(2)
    scheduler.run()
    source.fail("no more")
    history.cancel()
    scheduler.run()
    log.expect([
      "upstream: subscribe", "downstream: subscription ReceiveOn", "upstream: request max(2)",
      "scheduler: schedule options soon", "scheduler: schedule options soon", "downstream: value 1",
      "downstream: value 2", "scheduler: schedule options soon", "downstream: failure no more",
    ])
  }

  @Test func hasNoOptionsByDefault() {
    let scheduler = ManualScheduler(log: log)
    let history = Just(1).receive(on: scheduler).history()
    scheduler.run()
    log.expect(["scheduler: schedule", "scheduler: schedule"])
    expectEqual(history.text, "ReceiveOn: 1 |")
  }

  @Test func onAnImmediateSchedulerSignalsPassOnTheThreadWhereTheyArrive() {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false, log: log)
    let history = source.receive(on: ImmediateScheduler.shared).history(
      demand: .max(2), perValue: .max(3), log: log)
    expectEqual(source.send(0), .none)
    source.sendSubscription()
    source.sendSubscription()
    expectEqual(source.send(1), .none)
    history.request(.none)
    source.fail("no more")
    source.send(2)
    source.finish()
    history.cancel()
    log.expect([
      "upstream: subscribe", "downstream: subscription ReceiveOn", "upstream: request max(2)",
      "upstream: cancel", "downstream: value 1", "upstream: request max(3)",
      "upstream: request max(0)", "downstream: failure no more",
    ])
  }

  @Test func keepsItsParameters() {
    let publisher = Just(1).receive(on: ManualScheduler(), options: "soon")
    expectEqual(publisher.upstream, Just(1))
    expectEqual(publisher.options, "soon")
  }
}
