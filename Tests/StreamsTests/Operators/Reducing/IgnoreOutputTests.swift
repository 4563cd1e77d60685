import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct IgnoreOutputTests {
  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func requestsAllOnceDownstreamIsAttachedAndPublishesTheEndWithoutDemand(
    completion: Subscribers.Completion<TestError>
  ) {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Never, TestError>(demand: .none, log: log)
    source.ignoreOutput().subscribe(history)
    history.request(3)
    #expect(source.send(1) == .none)
    source.send(completion: completion)
    source.fail("late")
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription upstream",
        "upstream: request unlimited",
        "downstream: \(completion == .finished ? "finished" : "failure no more")",
      ])
  }
}
