import Streams
import TestSupport
import Testing

/// Tests the subscriber that `sink` makes, which isn't a `Subscribers.Sink`.
struct SinkStageTests {
  @Test(arguments: ["finish", "failure", "cancellation"])
  func receivesNothingAfterTheEnd(end: String) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>()
    let cancellable = source.sink(
      receiveCompletion: { _ in log.append("end") }, receiveValue: { log.append("\($0)") })
    source.send(1)
    switch end {
    case "finish": source.finish()
    case "failure": source.fail("no more")
    default: cancellable.cancel()
    }
    expectEqual(source.send(2), .none)
    source.finish()
    source.fail("late")
    expectEqual(source.sendSubscription().calls, [.cancel])
    expectEqual(source.send(3), .none)
    cancellable.cancel()
    expectEqual(log.lines, (end == "cancellation" ? ["1"] : ["1", "end"]))
    expectEqual(
      source.subscriptions[0].calls,
      [.request(.unlimited)] + (end == "cancellation" ? [.cancel] : []))
  }
}
