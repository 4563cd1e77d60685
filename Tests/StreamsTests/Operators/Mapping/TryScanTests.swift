import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `ThrowingStageTests`.
struct TryScanTests {
  let source = ScriptedPublisher<Int, Never>()

  @Test func publishesEachResultAndFailsWithTheThrownError() {
    let history = source.tryScan("0") { result, value in
      guard value < 3 else { throw TestError("\(result) and \(value)") }
      return "\(result)\(value)"
    }.history()
    for value in 1...4 { source.send(value) }
    expectEqual(history.text, "TryScan: 01 012 x(012 and 3)")
  }

  @Test func aResultMayBeNil() {
    let history = source.tryScan(Int?.some(1)) { _, value in value > 1 ? value : nil }.history()
    for value in 1...2 { source.send(value) }
    expectEqual(history.values, [nil, 2])
  }
}
