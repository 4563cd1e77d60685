import Streams
import TestSupport
import Testing

/// What is its own; what it shares with others is in `ThrowingStageTests`.
struct TryMapTests {
  @Test func publishesWhatTheClosureMakesOfEachValue() {
    let history = numbers.tryMap { "\($0)" }.history()
    #expect(
      history.events == [.subscription("TryMap"), .value("1"), .value("2"), .value("3"), .finished])
  }

  @Test func anOptionalThatTheClosureMakesIsAValue() {
    let history = numbers.tryMap { $0 == 2 ? nil : $0 }.history()
    #expect(
      history.events == [.subscription("TryMap"), .value(1), .value(nil), .value(3), .finished])
  }

  @Test func fusesWithMapAndTryMap() {
    let mapped: Publishers.TryMap<Numbers, String> = numbers.tryMap { $0 * 10 }.map { "\($0)" }
    #expect(mapped.history().values == ["10", "20", "30"])
    let tried: Publishers.TryMap<Numbers, String> = numbers.tryMap { $0 * 10 }.tryMap { value in
      guard value < 30 else { throw TestError("\(value)") }
      return "\(value)"
    }
    #expect(
      tried.history().events == [
        .subscription("TryMap"), .value("10"), .value("20"), .failure(TestError("30")),
      ])
  }

  typealias Numbers = Publishers.Sequence<[Int], Never>

  let numbers = [1, 2, 3].publisher
}
