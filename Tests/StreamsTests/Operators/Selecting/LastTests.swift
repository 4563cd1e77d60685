import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in
/// `ReductionStageTests`.
struct LastTests {
  @Test func publishesTheLastValue() {
    let source = ScriptedPublisher<Int?, Never>()
    let history = source.last().history()
    for value in [nil, 1, nil] { source.send(value) }
    source.finish()
    expectEqual(history.text, "Last: nil |")
  }
}
