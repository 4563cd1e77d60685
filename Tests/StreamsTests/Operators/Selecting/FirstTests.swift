import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in
/// `ReductionStageTests`.
struct FirstTests {
  @Test func publishesTheFirstValue() {
    let source = ScriptedPublisher<Int?, Never>()
    let history = source.first().history()
    for value in [nil, 1, nil] { source.send(value) }
    source.finish()
    expectEqual(history.text, "First: nil |")
  }
}
