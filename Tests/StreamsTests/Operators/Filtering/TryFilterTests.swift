import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `SieveStageTests` and
/// `ThrowingStageTests`.
struct TryFilterTests {
  let source = ScriptedPublisher<Int, Never>()

  @Test func fusesWithFilterAndTryFilter() {
    let filtered: Publishers.TryFilter<ScriptedPublisher<Int, Never>> = source.tryFilter { $0 > 1 }
      .filter { $0 < 3 }
    // The second closure runs only for values that pass the first one.
    let tried: Publishers.TryFilter<ScriptedPublisher<Int, Never>> = source.tryFilter { $0 > 1 }
      .tryFilter { value in
        guard (2..<4).contains(value) else { throw TestError("\(value)") }
        return value != 2
      }
    let first = filtered.history()
    let second = tried.history()
    for value in 1...4 {
      source.send(value, to: 0)
      source.send(value, to: 1)
    }
    expectEqual(first.text, "TryFilter: 2")
    expectEqual(second.text, "TryFilter: 3 x(4)")
  }
}
