import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `EarlyEndTests`.
struct PrefixWhileTests {
  @Test func runsTheClosureForEachValueUntilItReturnsFalse() {
    let log = CallLog()
    let source = ScriptedPublisher<Int?, Never>()
    let history = source.prefix { value in
      log.append("\(value ?? 0)")
      return value != 3
    }.history()
    for value in [1, nil, 3, 4] { source.send(value) }
    expectEqual(history.text, "PrefixWhile: Optional(1) nil |")
    log.expect(["1", "0", "3"])
  }
}
