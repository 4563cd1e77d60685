import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct MapErrorTests {
  let source = ScriptedPublisher<Int, TestError>()

  struct Wrapped: Error, Equatable, CustomStringConvertible {
    let inner: TestError
    var description: String { "wrapped \(inner)" }
  }

  @Test func failsWithTheErrorTheClosureReturns() {
    let history = source.mapError(Wrapped.init).history()
    source.send(1)
    source.fail("no more")
    expectEqual(
      history.events, [.subscription("upstream"), .value(1), .failure(Wrapped(inner: "no more"))])
  }

  @Test func bothInitializersMakeTheSame() {
    let labelled = Publishers.MapError(upstream: source, transform: Wrapped.init)
    let unlabelled = Publishers.MapError(upstream: source, Wrapped.init)
    expectEqual(labelled.transform("a"), unlabelled.transform("a"))
  }
}
