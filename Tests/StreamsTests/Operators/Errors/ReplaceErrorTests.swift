import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct ReplaceErrorTests {
  @Test func publishesTheReplacementAndFinishes() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.replaceError(with: 42).history(demand: .max(1), perValue: .max(1))
    #expect(source.send(41) == .max(1))
    source.fail("no more")
    #expect(source.send(43) == .none)
    #expect(
      history.events == [.subscription("ReplaceError"), .value(41), .value(42), .finished])
    #expect(source.calls == [.request(.max(1))])
  }

  @Test func theReplacementWaitsUntilItIsRequestedAndLaterSignalsAreDropped() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.replaceError(with: 42).history(demand: .max(1))
    source.send(9)
    source.fail("no more")
    #expect(source.send(10) == .none)
    source.finish()
    #expect(history.events == [.subscription("ReplaceError"), .value(9)])
    history.request(1)
    history.request(1)
    #expect(history.events == [.subscription("ReplaceError"), .value(9), .value(42), .finished])
  }

  @Test func aCancellationDropsTheWaitingReplacement() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.replaceError(with: 42).history(demand: .none)
    source.fail("no more")
    history.cancel()
    history.request(1)
    #expect(history.events == [.subscription("ReplaceError")])
    #expect(source.calls == [])
  }

  @Test func cancellingWhenTheReplacementArrivesPreventsTheCompletion() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = History<Int, Never>()
    history.onValue = { [weak history] _ in
      history?.cancel()
      return .none
    }
    source.replaceError(with: 42).subscribe(history)
    source.fail("no more")
    #expect(history.events == [.subscription("ReplaceError"), .value(42)])
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
