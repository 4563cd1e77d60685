import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `SieveStageTests`.
struct FilterTests {
  @Test func publishesTheValuesForWhichTheClosureReturnsTrue() {
    let source = ScriptedPublisher<String?, Never>()
    let history = source.filter { $0 != "b" }.history()
    for value in ["a", "b", nil, "c"] { source.send(value) }
    expectEqual(history.text, #"upstream: Optional("a") nil Optional("c")"#)
  }

  @Test func fusesWithFilterAndTryFilter() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>()
    let filtered: Publishers.Filter<ScriptedPublisher<Int, Never>> = source.filter { $0 > 1 }
      .filter { value in
        log.append("\(value)")
        return value < 4
      }
    let tried: Publishers.TryFilter<ScriptedPublisher<Int, Never>> = source.filter { $0 > 1 }
      .tryFilter { value in
        guard value < 4 else { throw TestError("\(value)") }
        return value != 2
      }
    let first = filtered.history()
    let second = tried.history()
    for value in 1...4 {
      source.send(value, to: 0)
      source.send(value, to: 1)
    }
    expectEqual(first.text, "upstream: 2 3")
    log.expect(["2", "3", "4"])
    expectEqual(second.text, "TryFilter: 3 x(4)")
  }
}
