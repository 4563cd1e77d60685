import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Behaviour shared with `catch` is tested in
/// `CatchTests` and `SuccessionTests`.
struct TryCatchTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test func failsWithTheErrorTheHandlerThrows() {
    let history = source.tryCatch { error -> ScriptedPublisher<Int, TestError> in
      throw TestError("not \(error)")
    }.history()
    source.send(1)
    source.fail("this")
    expectEqual(source.send(2), .none)
    source.finish()
    expectEqual(history.text, "TryCatch: 1 x(not this)")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func aThrowFromAHandlerThatHasCancelledIsIgnored() {
    let history = History<Int, any Error>()
    source.tryCatch { error -> ScriptedPublisher<Int, TestError> in
      history.cancel()
      throw error
    }.subscribe(history)
    source.fail("unheard")
    expectEqual(history.text, "TryCatch:")
  }

  @Test func passesTheFailureOfTheReplacementOnUnchanged() {
    let replacement = ScriptedPublisher<Int, TestError>()
    let history = source.tryCatch { _ in replacement }.history()
    source.fail("first")
    replacement.fail("second")
    expectEqual(history.text, "TryCatch: x(second)")
  }
}
