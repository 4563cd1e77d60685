import Streams
import TestSupport
import Testing

struct IgnoreOutputTests {
  let source = ScriptedPublisher<Int, TestError>()

  @Test func requestsAllOnceDownstreamIsAttachedAndPublishesTheEndWithoutDemand() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Never, TestError>(demand: .none, log: log)
    source.ignoreOutput().subscribe(history)
    history.request(3)
    #expect(source.send(1) == .none)
    source.finish()
    source.fail("late")
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription upstream",
        "upstream: request unlimited", "downstream: finished",
      ])
  }

  @Test func passesAFailureOn() {
    let history = source.ignoreOutput().history()
    source.fail("no more")
    source.finish()
    #expect(history.lines == ["subscription upstream", "failure no more"])
  }

  @Test func cancelsOnceAndDropsTheEnd() {
    let history = source.ignoreOutput().history()
    history.cancel()
    history.cancel()
    source.finish()
    #expect(history.lines == ["subscription upstream"])
    #expect(source.calls == [.request(.unlimited), .cancel])
  }

  @Test func aSecondSubscriptionIsCancelled() {
    let history = source.ignoreOutput().history()
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(history.lines == ["subscription upstream"])
  }

  @Test func isEqualIfTheUpstreamsAre() {
    #expect(Empty<Int, Never>().ignoreOutput() == Empty<Int, Never>().ignoreOutput())
  }
}
