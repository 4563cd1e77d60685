import Dispatch
import Streams
import TestSupport
import Testing

struct MapTests {
  @Test func publishesTheResultOfTheClosureForEachValue() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.map { "\($0)" }.history()
    source.send(1)
    source.send(2)
    source.fail("no more")
    #expect(
      history.events == [.subscription("upstream"), .value("1"), .value("2"), .failure("no more")])
  }

  @Test func passesSubscriptionDemandAndTheEndOnUnchanged() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(log: log)
    let history = History<Int, Never>(demand: .max(1), perValue: .max(2), log: log)
    source.map { $0 * 10 }.subscribe(history)
    #expect(source.send(1) == .max(2))
    history.request(3)
    source.finish()
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request max(1)",
        "downstream: value 10", "upstream: request max(3)", "downstream: finished",
        "upstream: cancel",
      ])
  }

  @Test func aSendFromWithinADeliveryNests() {
    let source = ScriptedPublisher<Int, Never>()
    let history = History<Int, Never>()
    history.onValue = { value in
      if value == 10 { source.send(2) }
      return .none
    }
    source.map { $0 * 10 }.subscribe(history)
    source.send(1)
    #expect(history.events == [.subscription("upstream"), .value(10), .value(20)])
    history.onValue = nil
  }

  @Test func eachSubscriberHasItsOwnValues() {
    let source = ScriptedPublisher<Int, Never>()
    let publisher = source.map { $0 * 10 }
    let first = publisher.history()
    let second = publisher.history()
    source.send(1, to: 0)
    source.send(2, to: 1)
    #expect(first.values == [10])
    #expect(second.values == [20])
  }

  @Test func twoThreadsMaySendThroughASubject() {
    let subject = PassthroughSubject<Int, Never>()
    let history = subject.map { $0 * 10 }.history()
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for value in 0..<1000 { subject.send(thread * 1000 + value) }
    }
    #expect(history.values.sorted() == (0..<2000).map { $0 * 10 })
  }

  @Test func fusesWithMapAndTryMap() {
    let numbers = Single(value: 2)
    let mapped: Publishers.Map<Single, String> = numbers.map { $0 * 10 }.map { "\($0)" }
    #expect(mapped.history().values == ["20"])
    let tried: Publishers.TryMap<Single, String> = numbers.map { $0 * 10 }
      .tryMap { throw TestError("\($0)") }
    #expect(tried.history().events == [.subscription("TryMap"), .failure(TestError("20"))])
  }
}
