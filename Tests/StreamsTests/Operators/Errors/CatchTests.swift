import Streams
import TestSupport
import Testing

/// Tests behaviour that only `catch` and `tryCatch` have. Behaviour shared with `retry` is tested
/// in `SuccessionTests`.
struct CatchTests {
  let source = ScriptedPublisher<Int, TestError>()
  let replacement = ScriptedPublisher<Int, Never>()

  @Test func continuesWithThePublisherTheHandlerReturns() {
    let source = ScriptedPublisher<String, TestError>()
    let history = source.catch { ["\($0)", "end"].publisher }.history()
    source.send("start")
    source.fail("no more")
    expectEqual(history.text, "Catch: start no more end |")
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func theReplacementMayFail() {
    let replacement = ScriptedPublisher<Int, TestError>()
    let history = source.catch { _ in replacement }.history()
    source.fail("first")
    replacement.send(1)
    replacement.fail("second")
    expectEqual(history.text, "Catch: 1 x(second)")
  }

  @Test func remainingDemandIsRequestedFromTheReplacement() {
    let history = source.catch { _ in replacement }.history(demand: .max(12), perValue: .max(3))
    history.request(5)
    for value in 1...8 { expectEqual(source.send(value), .max(3)) }
    source.fail("no more")
    expectEqual(replacement.calls, [.request(.max(33))])
    expectEqual(replacement.send(9), .max(3))
    history.request(1)
    expectEqual(replacement.calls, [.request(.max(33)), .request(.max(1))])
  }

  @Test func withoutDemandNothingIsRequestedOfTheReplacement() {
    let history = source.catch { _ in replacement }.history(demand: .none)
    source.fail("no more")
    expectEqual(replacement.calls, [])
    history.request(12)
    expectEqual(replacement.calls, [.request(.max(12))])
  }

  @Test func aRequestBeforeTheReplacementsSubscriptionGoesToIt() {
    let history = History<Int, Never>(demand: .max(3))
    source.catch { _ in
      history.request(10)
      return replacement
    }.subscribe(history)
    source.send(1)
    source.fail("no more")
    expectEqual(source.calls, [.request(.max(3))])
    expectEqual(replacement.calls, [.request(.max(12))])
    history.cancel()
  }

  @Test func aCancellationBeforeTheReplacementsSubscriptionIsPassedToIt() {
    let history = History<Int, Never>()
    source.catch { _ in
      history.cancel()
      return replacement
    }.subscribe(history)
    source.fail("no more")
    replacement.finish()
    expectEqual(replacement.calls, [.cancel])
    expectEqual(history.text, "Catch:")
  }

  @Test func releasesTheFailedUpstream() {
    weak var upstream: ScriptedSubscription?
    let history = History<Int, Never>()
    do {
      let source = ScriptedPublisher<Int, TestError>()
      source.catch { _ in replacement }.subscribe(history)
      upstream = source.subscriptions.last
      source.fail("no more")
    }
    #expect(upstream == nil)
    expectEqual(history.text, "Catch:")
  }
}
