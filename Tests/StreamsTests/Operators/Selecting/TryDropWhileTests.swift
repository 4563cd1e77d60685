import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. The rest is tested in `DropWhileTests`.
struct TryDropWhileTests {
  @Test func anErrorCancelsUpstreamAndIsTheFailure() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    source.tryDrop { value in
      if value == 2 { throw TestError("two") }
      return true
    }.subscribe(History<Int, any Error>(log: log))
    log.removeAll()
    expectEqual((1...3).map { source.send($0) }, [.max(1), .none, .none])
    source.finish()
    log.expect(["upstream: cancel", "downstream: failure two"])
  }

  @Test func afterTheFirstPublishedValueTheClosureCannotThrow() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.tryDrop { value in
      if value == 2 { throw TestError("two") }
      return false
    }.history()
    for value in 1...3 { source.send(value) }
    source.finish()
    expectEqual(history.text, "TryDropWhile: 1 2 3 |")
  }
}
