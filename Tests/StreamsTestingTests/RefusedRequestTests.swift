import Foundation
import Streams
import StreamsTesting
import Testing

/// Requests that are refused for one reason are one problem.
@Suite struct RefusedRequestTests {
  @Test func aRetriedRequestThatNoStubMatchesIsReportedOnce() {
    let found = Locked<[String]>([])
    withWorld(onProblem: { problem in found.withLock { $0.append(problem.message) } }) { world in
      let url = URL(string: "https://example.com/a")!
      let recorder = world.record(
        world.session.dataTaskPublisher(for: url)
          .delay(for: .seconds(1), scheduler: DispatchQueue.main).retry(2))
      world.run()
      _ = recorder.events
    }
    #expect(
      found.withLock { $0 } == [
        "request 1 at 0, and 2 more until 2s: GET https://example.com/a matches no stub: "
          + "the network has none"
      ])
  }

  /// The count in the reason is that of the last one.
  @Test func aStubWithTooFewResponsesIsReportedOnce() {
    let found = Locked<[String]>([])
    withWorld(onProblem: { problem in found.withLock { $0.append(problem.message) } }) { world in
      world.network.stub(.get, "https://example.com/a", responses: .failure(.timedOut))
      let url = URL(string: "https://example.com/a")!
      let recorder = world.record(world.session.dataTaskPublisher(for: url).retry(3))
      world.run()
      _ = recorder.events
    }
    #expect(found.withLock { $0 }.count == 1)
    #expect(
      found.withLock { $0 }.first?.hasPrefix(
        "request 2 at 0, and 2 more until 0: GET https://example.com/a was made 4 times") == true)
  }
}
