import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct ReplaceErrorTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test func publishesTheReplacementAndFinishes() {
    let history = source.replaceError(with: 42).history(demand: .max(1), perValue: .max(1))
    expectEqual(source.send(41), .max(1))
    source.fail("no more")
    expectEqual(source.send(43), .none)
    expectEqual(history.text, "ReplaceError: 41 42 |")
    expectEqual(source.calls, [.request(.max(1))])
  }

  @Test func theReplacementWaitsUntilItIsRequestedAndLaterSignalsAreDropped() {
    let history = source.replaceError(with: 42).history(demand: .max(1))
    source.send(9)
    source.fail("no more")
    expectEqual(source.send(10), .none)
    source.finish()
    expectEqual(history.text, "ReplaceError: 9")
    history.request(1)
    history.request(1)
    expectEqual(history.text, "ReplaceError: 9 42 |")
  }

  @Test func aCancellationDropsTheWaitingReplacement() {
    let history = source.replaceError(with: 42).history(demand: .none)
    source.fail("no more")
    history.cancel()
    history.request(1)
    expectEqual(history.text, "ReplaceError:")
    expectEqual(source.calls, [])
  }

  @Test func cancellingWhenTheReplacementArrivesPreventsTheCompletion() {
    let history = source.replaceError(with: 42).history { history, _ in history.cancel() }
    source.fail("no more")
    expectEqual(history.text, "ReplaceError: 42")
  }

  @Test func releasesTheReplacementAtTheEnd() {
    final class Token {}
    weak var token: Token?
    let source = ScriptedPublisher<Token, TestError>()
    do {
      let value = Token()
      token = value
      source.replaceError(with: value).history().cancel()
    }
    source.releaseSubscribers()
    #expect(token == nil)
  }
}
