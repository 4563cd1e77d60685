import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `ContainsWhereTests`
/// and `ReductionStageTests`.
struct TryContainsWhereTests {
  @Test func aThrowAfterADecisionCannotHappen() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.tryContains { value in
      if value == 2 { throw TestError("two") }
      return true
    }.history(demand: .none)
    source.send(1)
    source.send(2)
    history.request(1)
    expectEqual(history.text, "TryContainsWhere: true |")
  }
}
