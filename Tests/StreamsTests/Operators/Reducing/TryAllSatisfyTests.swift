import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `ContainsWhereTests`
/// and `ReductionStageTests`.
struct TryAllSatisfyTests {
  @Test func aThrowAfterOtherValuesIsTheFailureEvenWithoutDemand() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.tryAllSatisfy { value in
      if value == 2 { throw TestError("two") }
      return value < 3
    }.history(demand: .none)
    for value in 1...3 { expectEqual(source.send(value), .none) }
    history.request(1)
    expectEqual(history.text, "TryAllSatisfy: x(two)")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }
}
