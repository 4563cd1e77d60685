import Streams
import TestSupport
import Testing

struct HistoryTests {
  @Test func recordsEachSignalInOrder() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.history()
    source.send(1)
    source.send(2)
    source.fail("no more")
    expectEqual(
      history.events, [.subscription("upstream"), .value(1), .value(2), .failure("no more")])
    expectEqual(history.lines, ["subscription upstream", "value 1", "value 2", "failure no more"])
    expectEqual(history.values, [1, 2])
    expectEqual(history.completion, .failure("no more"))
  }

  @Test func requestsTheDemandOnceAndReturnsTheDemandPerValue() {
    let source = ScriptedPublisher<Int, Never>()
    _ = source.history(demand: .max(3), perValue: .max(2))
    expectEqual(source.send(1), .max(2))
    expectEqual(source.calls, [.request(.max(3))])
  }

  @Test func requestsNothingForADemandOfNone() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.history(demand: .none)
    expectEqual(source.send(1), .none)
    expectEqual(source.calls, [])
    history.request(1)
    history.request(.unlimited)
    history.cancel()
    history.cancel()
    expectEqual(source.calls, [.request(.max(1)), .request(.unlimited), .cancel, .cancel])
  }

  @Test func hooksRunInsideADelivery() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(log: log)
    let history = History<Int, Never>(perValue: .max(1), log: log)
    history.onSubscription = { $0.request(.max(7)) }
    history.onValue = { [weak history] _ in
      history?.cancel()
      return .max(4)
    }
    history.onCompletion = { _ in log.append("hook") }
    source.subscribe(history)
    expectEqual(source.send(1), .max(5))
    source.finish()
    expectEqual(
      log.lines,
      [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request max(7)",
        "downstream: value 1", "upstream: cancel", "downstream: finished", "hook",
      ])
  }

  @Test func comparesErrorsOfAnyType() {
    struct Unequal: Error { let number: Int }
    typealias Event = History<Int, any Error>.Event
    expectEqual(Event.failure(TestError("a")), .failure(TestError("a")))
    #expect(Event.failure(TestError("a")) != .failure(TestError("b")))
    expectEqual(Event.failure(Unequal(number: 1)), .failure(Unequal(number: 1)))
    #expect(Event.failure(Unequal(number: 1)) != .failure(Unequal(number: 2)))
    #expect(Event.failure(TestError("a")) != .failure(Unequal(number: 1)))
    #expect(Event.finished != .failure(TestError("a")))
  }

  @Test func letGoReleasesEverythingItHeld() {
    weak var subscription: ScriptedSubscription?
    let history = History<Int, Never>()
    do {
      let source = ScriptedPublisher<Int, Never>()
      source.subscribe(history)
      subscription = source.subscriptions[0]
    }
    #expect(subscription != nil)
    history.releaseSubscription()
    #expect(subscription == nil)
    history.removeAll()
    expectEqual(history.events, [])
  }
}
