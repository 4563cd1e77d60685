import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `SieveStageTests` and
/// `ThrowingStageTests`.
struct TryRemoveDuplicatesTests {
  let log = CallLog()

  @Test func dropsDuplicatesAndFailsWithTheThrownError() {
    let source = ScriptedPublisher<Int, TestError>(log: log)
    source.tryRemoveDuplicates { previous, value in
      guard value != 13 else { throw TestError("\(previous) \(value)") }
      return previous == value
    }.subscribe(History(demand: .max(5), log: log))
    for value in [1, 1, 2, 13, 4] { source.send(value) }
    source.finish()
    log.expect([
      "upstream: subscribe", "downstream: subscription TryRemoveDuplicates",
      "upstream: request max(5)", "downstream: value 1", "downstream: value 2", "upstream: cancel",
      "downstream: failure 2 13",
    ])
  }
}
