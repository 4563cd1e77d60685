import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct MapErrorTests {
  struct Wrapped: Error, Equatable, CustomStringConvertible {
    let inner: TestError
    var description: String { "wrapped \(inner)" }
  }

  @Test func failsWithTheErrorTheClosureReturns() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.mapError(Wrapped.init).history()
    source.send(1)
    source.fail("no more")
    #expect(
      history.events == [
        .subscription("upstream"), .value(1), .failure(Wrapped(inner: "no more")),
      ])
  }

  @Test func bothInitializersMakeTheSame() {
    let source = ScriptedPublisher<Int, TestError>()
    let labelled = Publishers.MapError(upstream: source, transform: Wrapped.init)
    let unlabelled = Publishers.MapError(upstream: source, Wrapped.init)
    #expect(labelled.transform("a") == unlabelled.transform("a"))
  }
}
