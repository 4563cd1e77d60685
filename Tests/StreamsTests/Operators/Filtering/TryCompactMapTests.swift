import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `SieveStageTests` and
/// `ThrowingStageTests`.
struct TryCompactMapTests {
  let source = ScriptedPublisher<String, Never>()

  @Test func fusesWithCompactMapWhoseClosureMayThrow() {
    let fused: Publishers.TryCompactMap<ScriptedPublisher<String, Never>, String> =
      source
      .tryCompactMap { try $0.isEmpty ? nil : number($0) }
      .compactMap { value in
        guard value < 4 else { throw TestError("\(value)") }
        return value == 1 ? nil : "\(value * 10)"
      }
    let history = fused.history()
    for value in ["1", "", "3", "5"] { source.send(value) }
    expectEqual(history.text, "TryCompactMap: 30 x(5)")
  }

  private func number(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw TestError(text) }
    return number
  }
}
