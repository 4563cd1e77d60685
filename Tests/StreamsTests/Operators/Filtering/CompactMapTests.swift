import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `SieveStageTests`.
struct CompactMapTests {
  let source = ScriptedPublisher<String, Never>()

  @Test func anOptionalInsideAnOptionalIsAValue() {
    let history = source.compactMap { $0 == "x" ? nil : .some(Int($0)) }.history()
    for value in ["1", "x", "y"] { source.send(value) }
    expectEqual(history.text, "upstream: Optional(1) nil")
  }

  @Test func fusesWithCompactMapAndMap() {
    typealias Fused = Publishers.CompactMap<ScriptedPublisher<String, Never>, String>
    let twice: Fused = source.compactMap { Int($0) }.compactMap { $0 == 1 ? nil : "\($0 * 10)" }
    let mapped: Fused = source.compactMap { Int($0) }.map { "\($0 * 10)" }
    let first = twice.history()
    let second = mapped.history()
    for value in ["1", "x", "3"] {
      source.send(value, to: 0)
      source.send(value, to: 1)
    }
    expectEqual(first.text, "upstream: 30")
    expectEqual(second.text, "upstream: 10 30")
  }
}
