import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct RetryWithBackOffTests {
  // region: test
  @Test func `Each wait is twice as long`() throws {
    let world = try World.current
    let url = URL(string: "https://example.com/news")!
    world.network.stub(
      .get, url.absoluteString,
      responses: .failure(.networkConnectionLost), .failure(.networkConnectionLost),
      .failure(.networkConnectionLost), .text("News"))

    let news = world.session.dataTaskPublisher(for: url)
      .lane("data task")
      .map { String(decoding: $0.data, as: UTF8.self) }
      .retry(attempts: 4, after: 1, scheduler: DispatchQueue.main, jitter: { 1 })
    let result = world.record(news, as: "retry")
    world.run()

    // 1 s, 2 s and 4 s after the failures.
    #expect(
      result.events == [
        .subscription(at: .zero), .value("News", at: .seconds(7)), .finished(at: .seconds(7)),
      ])
  }
  // endregion

  @Test func `The last failure is passed on`() throws {
    let world = try World.current
    var attempts: [VirtualTime] = []
    let failing = Deferred {
      attempts.append(world.clock.now)
      return Fail<Int, URLError>(error: URLError(.timedOut))
    }
    let result = world.record(
      failing.retry(
        attempts: 3, after: 1, longest: 1.5, scheduler: DispatchQueue.main, jitter: { 1 }))
    world.run()
    #expect(attempts == [.zero, .seconds(1), .milliseconds(2500), .seconds(4)])
    #expect(
      result.events == [
        .subscription(at: .zero), .failure(URLError(.timedOut), at: .seconds(4)),
      ])
  }

  @Test func `The random share shortens the waits`() throws {
    let world = try World.current
    let result = world.record(
      Fail<Int, URLError>(error: URLError(.timedOut))
        .retry(attempts: 2, after: 1, scheduler: DispatchQueue.main, jitter: { 0.5 }))
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero), .failure(URLError(.timedOut), at: .milliseconds(1500)),
      ])
  }

  @Test func `A cancellation ends the waiting`() throws {
    let world = try World.current
    let result = world.record(
      Fail<Int, URLError>(error: URLError(.timedOut))
        .retry(attempts: 2, after: 1, scheduler: DispatchQueue.main))
    world.at(.milliseconds(100)) { result.cancel() }
    world.run()
    #expect(
      result.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(100))])
  }
}
