import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
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

  @Test func fusesWithMapAndTryMap() {
    let numbers = Single(value: 2)
    let mapped: Publishers.Map<Single, String> = numbers.map { $0 * 10 }.map { "\($0)" }
    #expect(mapped.history().values == ["20"])
    let tried: Publishers.TryMap<Single, String> = numbers.map { $0 * 10 }
      .tryMap { throw TestError("\($0)") }
    #expect(tried.history().events == [.subscription("TryMap"), .failure(TestError("20"))])
  }
}

/// The simplest publisher that is `Equatable`.
struct Single: Publisher, Equatable {
  typealias Output = Int
  typealias Failure = Never

  let value: Int

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
    [value].publisher.receive(subscriber: subscriber)
  }
}
