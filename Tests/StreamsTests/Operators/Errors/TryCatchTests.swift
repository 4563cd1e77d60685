import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Behaviour shared with `catch` is tested in
/// `CatchTests` and `SuccessionTests`.
struct TryCatchTests {
  @Test func failsWithTheErrorTheHandlerThrows() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.tryCatch { error -> ScriptedPublisher<Int, TestError> in
      throw TestError("not \(error)")
    }.history()
    source.send(1)
    source.fail("this")
    #expect(source.send(2) == .none)
    source.finish()
    #expect(
      history.events == [.subscription("TryCatch"), .value(1), .failure(TestError("not this"))])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func aThrowFromAHandlerThatHasCancelledIsIgnored() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, any Error>()
    source.tryCatch { error -> ScriptedPublisher<Int, TestError> in
      history.cancel()
      throw error
    }.subscribe(history)
    source.fail("unheard")
    #expect(history.events == [.subscription("TryCatch")])
  }

  @Test func passesTheFailureOfTheReplacementOnUnchanged() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, TestError>()
    let history = source.tryCatch { _ in replacement }.history()
    source.fail("first")
    replacement.fail("second")
    #expect(history.events == [.subscription("TryCatch"), .failure(TestError("second"))])
  }
}
