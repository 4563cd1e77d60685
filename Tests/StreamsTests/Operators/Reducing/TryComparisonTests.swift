import Streams
import TestSupport
import Testing

/// Tests behaviour that only `tryMin` and `tryMax` have. Shared behaviour is tested in
/// `ComparisonTests` and `ReductionStageTests`.
struct TryComparisonTests {
  @Test func theFirstValueIsNotComparedSoItCannotThrow() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.tryMin { _, _ in throw TestError("compared") }.history()
    source.send(1)
    expectEqual(history.text, "TryComparison:")
    expectEqual(source.send(2), .none)
    expectEqual(history.text, "TryComparison: x(compared)")
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }
}
