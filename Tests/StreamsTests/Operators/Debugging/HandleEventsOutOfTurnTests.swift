import Streams
import TestSupport
import Testing

/// Tests which handlers of `handleEvents` run for signals that come out of turn.
struct HandleEventsOutOfTurnTests {
  @Test(arguments: [false, true])
  func noHandlerHearsOfASubscriptionAfterTheEnd(isCancelled: Bool) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.handleEvents(
      receiveSubscription: { log.append("subscription \($0)") },
      receiveCompletion: { log.append("\($0)") }, receiveCancel: { log.append("cancel") }
    ).history()
    if isCancelled { history.cancel() } else { source.finish() }
    expectEqual(source.sendSubscription().calls, [.cancel])
    log.expect(["subscription upstream", isCancelled ? "cancel" : "finished"])
  }
}
