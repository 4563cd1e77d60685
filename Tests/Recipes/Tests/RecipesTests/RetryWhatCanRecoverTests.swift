import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct RetryWhatCanRecoverTests {
  // region: test
  @Test func `A 404 ends the attempts`() throws {
    let world = try World.current
    let url = URL(string: "https://example.com/news")!
    world.network.stub(
      .get, url.absoluteString,
      responses: .status(503, headers: ["Retry-After": "5"]), .failure(.networkConnectionLost),
      .status(404))

    let news = world.session.dataTaskPublisher(for: url)
      .bodyIfSuccessful()
      .lane("body")
      .retryWhatCanRecover(attempts: 10, after: 1, scheduler: DispatchQueue.main)
    let result = world.record(news, as: "retry")
    world.run()

    // The server asked for 5 s, and 1 s is the recipe's own wait.
    #expect(
      result.events == [
        .subscription(at: .zero), .failure(StatusError(status: 404), at: .seconds(6)),
      ])
  }
  // endregion

  @Test(arguments: [
    (408, true), (429, true), (503, true), (400, false), (401, false), (500, false),
  ])
  func `A status says whether to try again`(status: Int, canRecover: Bool) throws {
    let world = try World.current
    let result = world.record(
      Fail<Int, StatusError>(error: StatusError(status: status))
        .retryWhatCanRecover(attempts: 1, after: 1, scheduler: DispatchQueue.main))
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero),
        .failure(StatusError(status: status), at: canRecover ? .seconds(1) : .zero),
      ])
  }

  @Test func `A decoding error is passed on at once`() throws {
    let world = try World.current
    let result = world.record(
      Just(Data("[".utf8))
        .decode(type: [Int].self, decoder: JSONDecoder())
        .retryWhatCanRecover(attempts: 3, after: 1, scheduler: DispatchQueue.main))
    world.run()
    guard case .failure(is DecodingError) = result.completion else {
      Issue.record("\(result.events)")
      return
    }
    #expect(world.clock.now == .zero)
  }

  @Test func `A server that asks for too long a wait isn't asked again`() throws {
    let world = try World.current
    let busy = StatusError(status: 503, retryAfter: 3600)
    let result = world.record(
      Fail<Int, StatusError>(error: busy)
        .retryWhatCanRecover(attempts: 3, after: 1, scheduler: DispatchQueue.main))
    world.run()
    #expect(result.events == [.subscription(at: .zero), .failure(busy, at: .zero)])
  }

  @Test func `The limit is for the server's wish only`() throws {
    let world = try World.current
    let result = world.record(
      Fail<Int, StatusError>(error: StatusError(status: 503))
        .retryWhatCanRecover(attempts: 1, after: 90, scheduler: DispatchQueue.main))
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero), .failure(StatusError(status: 503), at: .seconds(90)),
      ])
  }

  @Test func `A cancellation ends the waiting`() throws {
    let world = try World.current
    let result = world.record(
      Fail<Int, URLError>(error: URLError(.timedOut))
        .retryWhatCanRecover(attempts: 3, after: 1, scheduler: DispatchQueue.main))
    world.at(.milliseconds(100)) { result.cancel() }
    world.run()
    #expect(result.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(100))])
  }
}

@Suite(.world) struct RetryWhatCanRecoverEdgeTests {
  @Test(arguments: [
    ("2", 2), ("Wed, 21 Oct 2026 07:28:00 GMT", 1), ("-1", 1), ("0", 0),
  ])
  func `Only a number of seconds replaces the wait`(header: String, seconds: Int) throws {
    let world = try World.current
    let url = URL(string: "https://example.com/news")!
    world.network.stub(
      .get, url.absoluteString,
      responses: .status(503, headers: ["Retry-After": header]), .text("News"))
    let result = world.record(
      world.session.dataTaskPublisher(for: url)
        .bodyIfSuccessful()
        .map { String(decoding: $0, as: UTF8.self) }
        .retryWhatCanRecover(attempts: 1, after: 1, scheduler: DispatchQueue.main))
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero), .value("News", at: .seconds(seconds)),
        .finished(at: .seconds(seconds)),
      ])
  }
}
