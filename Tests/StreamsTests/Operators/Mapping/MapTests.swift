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
    expectEqual(history.text, "upstream: 1 2 x(no more)")
  }

  @Test func fusesWithMapAndTryMap() {
    let numbers = Single(value: 2)
    let mapped: Publishers.Map<Single, String> = numbers.map { $0 * 10 }.map { "\($0)" }
    expectEqual(mapped.history().values, ["20"])
    let tried: Publishers.TryMap<Single, String> = numbers.map { $0 * 10 }
      .tryMap { throw TestError("\($0)") }
    expectEqual(tried.history().text, "TryMap: x(20)")
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
