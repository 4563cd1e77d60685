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
    #expect(
      history.events == [.subscription("upstream"), .value(1), .value(2), .failure("no more")])
    #expect(history.lines == ["subscription upstream", "value 1", "value 2", "failure no more"])
    #expect(history.values == [1, 2])
    #expect(history.completion == .failure("no more"))
  }

  @Test func requestsTheDemandOnceAndReturnsTheDemandPerValue() {
    let source = ScriptedPublisher<Int, Never>()
    _ = source.history(demand: .max(3), perValue: .max(2))
    #expect(source.send(1) == .max(2))
    #expect(source.calls == [.request(.max(3))])
  }

  @Test func requestsNothingForADemandOfNone() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.history(demand: .none)
    #expect(source.send(1) == .none)
    #expect(source.calls == [])
    history.request(1)
    history.request(.unlimited)
    history.cancel()
    history.cancel()
    #expect(source.calls == [.request(.max(1)), .request(.unlimited), .cancel, .cancel])
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
    #expect(source.send(1) == .max(5))
    source.finish()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request max(7)",
        "downstream: value 1", "upstream: cancel", "downstream: finished", "hook",
      ])
  }

  @Test func comparesErrorsOfAnyType() {
    struct Unequal: Error { let number: Int }
    typealias Event = History<Int, any Error>.Event
    #expect(Event.failure(TestError("a")) == .failure(TestError("a")))
    #expect(Event.failure(TestError("a")) != .failure(TestError("b")))
    #expect(Event.failure(Unequal(number: 1)) == .failure(Unequal(number: 1)))
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
    #expect(history.events == [])
  }
}
