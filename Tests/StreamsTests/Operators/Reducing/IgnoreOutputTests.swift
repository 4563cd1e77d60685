import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct IgnoreOutputTests {
  @Test(arguments: End.allCases)
  func requestsAllOnceDownstreamIsAttachedAndPublishesTheEndWithoutDemand(_ end: End) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = source.ignoreOutput().history(demand: .none, log: log)
    history.request(3)
    expectEqual(source.send(1), .none)
    source.send(completion: end.completion)
    source.fail("late")
    history.cancel()
    log.expect([
      "upstream: subscribe", "downstream: subscription upstream", "upstream: request unlimited",
      "downstream: \(end)",
    ])
  }
}
