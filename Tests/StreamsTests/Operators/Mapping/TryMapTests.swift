import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `ThrowingStageTests`.
struct TryMapTests {
  @Test func anOptionalThatTheClosureMakesIsAValue() {
    let history = numbers.tryMap { $0 == 2 ? nil : $0 }.history()
    expectEqual(history.text, "TryMap: Optional(1) nil Optional(3) |")
  }

  @Test func fusesWithMapAndTryMap() {
    let mapped: Publishers.TryMap<Numbers, String> = numbers.tryMap { $0 * 10 }.map { "\($0)" }
    expectEqual(mapped.history().values, ["10", "20", "30"])
    let tried: Publishers.TryMap<Numbers, String> = numbers.tryMap { $0 * 10 }.tryMap { value in
      guard value < 30 else { throw TestError("\(value)") }
      return "\(value)"
    }
    expectEqual(tried.history().text, "TryMap: 10 20 x(30)")
  }

  @Test func aRequestForZeroValuesIsPassedOn() {
    let source = ScriptedPublisher<Int, Never>()
    source.tryMap { $0 }.history(demand: .none).request(.none)
    expectEqual(source.calls, [.request(.none)])
  }

  @Test func aThrowStopsASourceThatEmitsIntoASink() {
    let log = CallLog()
    numbers.tryMap { value in
      log.append("called with \(value)")
      guard value < 2 else { throw TestError("\(value)") }
      return value
    }.sink {
      log.append("\($0)")
    } receiveValue: {
      log.append("value \($0)")
    }.cancel()
    log.expect(["called with 1", "value 1", "called with 2", "failure(2)"])
  }

  typealias Numbers = Publishers.Sequence<[Int], Never>

  let numbers = [1, 2, 3].publisher
}
