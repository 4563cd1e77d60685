import Streams
import TestSupport
import Testing

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

  @Test func everythingElsePassesUnchanged() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, Wrapped>(demand: .max(1), perValue: .max(2), log: log)
    source.mapError { error in
      log.append("called")
      return Wrapped(inner: error)
    }.subscribe(history)
    #expect(source.send(1) == .max(2))
    history.request(3)
    source.finish()
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request max(1)",
        "downstream: value 1", "upstream: request max(3)", "downstream: finished",
        "upstream: cancel",
      ])
  }

  @Test func bothInitializersMakeTheSame() {
    let source = ScriptedPublisher<Int, TestError>()
    let labelled = Publishers.MapError(upstream: source, transform: Wrapped.init)
    let unlabelled = Publishers.MapError(upstream: source, Wrapped.init)
    #expect(labelled.transform("a") == unlabelled.transform("a"))
  }
}
