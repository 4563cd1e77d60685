import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct PollUntilDoneTests {
  // region: test
  @Test func `A slow response delays the next request`() throws {
    let world = try World.current
    let url = URL(string: "https://example.com/jobs/7")!
    world.network.stub(
      .get, url.absoluteString,
      responses: .text("waiting", after: .milliseconds(200)),
      .text("running", after: .milliseconds(1400)), .text("done", after: .milliseconds(200)))

    let job = world.session.dataTaskPublisher(for: url)
      .map { String(decoding: $0.data, as: UTF8.self) }
      .lane("state")
      .poll(every: 1, limit: 10, orFail: URLError(.timedOut)) { $0 == "done" }
    let result = world.record(job, as: "poll")
    world.run()

    // The requests are made at 0, 1 and 3 s.
    #expect(
      result.events == [
        .subscription(at: .zero), .value("done", at: .milliseconds(3200)),
        .finished(at: .milliseconds(3200)),
      ])
  }
  // endregion

  @Test func `After the last request it fails`() throws {
    let world = try World.current
    var times: [VirtualTime] = []
    let state = Deferred {
      times.append(world.clock.now)
      return Just("running").setFailureType(to: URLError.self)
    }
    let result = world.record(
      state.poll(every: 1, limit: 3, orFail: URLError(.timedOut)) { $0 == "done" })
    world.run()
    #expect(times == [.zero, .seconds(1), .seconds(2)])
    #expect(
      result.events == [
        .subscription(at: .zero), .failure(URLError(.timedOut), at: .seconds(2)),
      ])
  }

  @Test func `A failed request ends the polling`() throws {
    let world = try World.current
    let result = world.record(
      Fail<String, URLError>(error: URLError(.badServerResponse))
        .poll(every: 1, limit: 3, orFail: URLError(.timedOut)) { $0 == "done" })
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero), .failure(URLError(.badServerResponse), at: .zero),
      ])
  }

  @Test func `A cancellation stops the request and the timer`() throws {
    let world = try World.current
    let state = world.cold("-----|", failure: URLError?.none, frame: .milliseconds(500))
    let result = world.record(
      state.poll(every: 1, limit: 3, orFail: URLError(.timedOut)) { $0 == "done" })
    world.at(.milliseconds(1700)) { result.cancel() }
    world.run()
    #expect(result.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(1700))])
    #expect(state.subscriptions.count == 1)
    #expect(world.clock.now == .milliseconds(1700))
  }
}
