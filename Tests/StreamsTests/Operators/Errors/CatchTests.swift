import Streams
import TestSupport
import Testing

/// Tests behaviour that only `catch` and `tryCatch` have. Behaviour shared with `retry` is tested
/// in `SuccessionTests`.
struct CatchTests {
  @Test func continuesWithThePublisherTheHandlerReturns() {
    let source = ScriptedPublisher<String, TestError>()
    let history = source.catch { ["\($0)", "end"].publisher }.history()
    source.send("start")
    source.fail("no more")
    #expect(
      history.events == [
        .subscription("Catch"), .value("start"), .value("no more"), .value("end"), .finished,
      ])
    #expect(source.calls == [.request(.unlimited)])
  }

  @Test func theReplacementMayFail() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, TestError>()
    let history = source.catch { _ in replacement }.history()
    source.fail("first")
    replacement.send(1)
    replacement.fail("second")
    #expect(history.events == [.subscription("Catch"), .value(1), .failure("second")])
  }

  @Test func remainingDemandIsRequestedFromTheReplacement() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, Never>()
    let history = source.catch { _ in replacement }.history(demand: .max(12), perValue: .max(3))
    history.request(5)
    for value in 1...8 { #expect(source.send(value) == .max(3)) }
    source.fail("no more")
    #expect(replacement.calls == [.request(.max(33))])
    #expect(replacement.send(9) == .max(3))
    history.request(1)
    #expect(replacement.calls == [.request(.max(33)), .request(.max(1))])
  }

  @Test func withoutDemandNothingIsRequestedOfTheReplacement() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, Never>()
    let history = source.catch { _ in replacement }.history(demand: .none)
    source.fail("no more")
    #expect(replacement.calls == [])
    history.request(12)
    #expect(replacement.calls == [.request(.max(12))])
  }

  @Test func aRequestBeforeTheReplacementsSubscriptionGoesToIt() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, Never>()
    let history = History<Int, Never>(demand: .max(3))
    source.catch { _ in
      history.request(10)
      return replacement
    }.subscribe(history)
    source.send(1)
    source.fail("no more")
    #expect(source.calls == [.request(.max(3))])
    #expect(replacement.calls == [.request(.max(12))])
    history.cancel()
  }

  @Test func aCancellationBeforeTheReplacementsSubscriptionIsPassedToIt() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, Never>()
    let history = History<Int, Never>()
    source.catch { _ in
      history.cancel()
      return replacement
    }.subscribe(history)
    source.fail("no more")
    replacement.finish()
    #expect(replacement.calls == [.cancel])
    #expect(history.events == [.subscription("Catch")])
  }

  @Test func aCancellationAfterwardsCancelsTheReplacement() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, Never>()
    let history = source.catch { _ in replacement }.history()
    source.fail("no more")
    history.cancel()
    #expect(replacement.send(1) == .none)
    replacement.finish()
    #expect(source.calls == [.request(.unlimited)])
    #expect(replacement.calls == [.request(.unlimited), .cancel])
    #expect(history.events == [.subscription("Catch")])
  }

  @Test func demandReturnedForAValueDuringWhichUpstreamFailsGoesToTheReplacement() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, Never>()
    let history = History<Int, Never>(demand: .max(2))
    history.onValue = { _ in
      source.fail("no more")
      return .max(5)
    }
    source.catch { _ in replacement }.subscribe(history)
    #expect(source.send(1) == .none)
    #expect(replacement.calls == [.request(.max(1)), .request(.max(5))])
    history.onValue = nil
  }

  @Test func aLateValueOfTheFailedUpstreamIsDropped() {
    let source = ScriptedPublisher<Int, TestError>()
    let replacement = ScriptedPublisher<Int, Never>()
    let history = source.catch { _ in replacement }.history()
    source.fail("no more")
    #expect(source.send(1) == .none)
    source.finish()
    replacement.send(2)
    #expect(history.events == [.subscription("Catch"), .value(2)])
  }

  @Test func releasesTheFailedUpstream() {
    weak var upstream: ScriptedSubscription?
    let replacement = ScriptedPublisher<Int, Never>()
    let history = History<Int, Never>()
    do {
      let source = ScriptedPublisher<Int, TestError>()
      source.catch { _ in replacement }.subscribe(history)
      upstream = source.subscriptions.last
      source.fail("no more")
    }
    #expect(upstream == nil)
    #expect(history.events == [.subscription("Catch")])
  }
}
