import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct RefreshATokenOnceTests {
  // region: test
  @Test func `Two requests, one refresh`() throws {
    let world = try World.current
    world.network.serve("https://example.com") { request in
      switch (request.url?.path, request.value(forHTTPHeaderField: "Authorization")) {
      case ("/token", _): .text("new", after: .milliseconds(300))
      case ("/news", "Bearer new"): .text("News", after: .milliseconds(100))
      case ("/mail", "Bearer new"): .text("Mail", after: .milliseconds(200))
      case ("/news", _): .status(401, after: .milliseconds(100))
      default: .status(401, after: .milliseconds(200))
      }
    }

    let session = world.session
    let tokens = TokenSession(token: "old", session: session) { _ in
      session.dataTaskPublisher(for: URL(string: "https://example.com/token")!)
        .tryMap { String(decoding: $0.data, as: UTF8.self) }
        .lane("refresh")
        .eraseToAnyPublisher()
    }
    let texts = ["news", "mail"].map { path in
      tokens.data(for: URLRequest(url: URL(string: "https://example.com/\(path)")!))
        .map { String(decoding: $0, as: UTF8.self) }
    }
    let result = world.record(Publishers.MergeMany(texts), as: "texts")
    world.run()

    // The old token is rejected at 100 and 200 ms. The new one is there at 400 ms.
    #expect(
      result.events == [
        .subscription(at: .zero), .value("News", at: .milliseconds(500)),
        .value("Mail", at: .milliseconds(600)), .finished(at: .milliseconds(600)),
      ])
  }
  // endregion
}

@Suite(.world) struct RefreshATokenOnceEdgeTests {
  private let request = URLRequest(url: URL(string: "https://example.com/news")!)

  /// A server that takes one token and rejects all others after 100 ms.
  private func serve(in world: World, valid: @escaping @Sendable () -> String) {
    world.network.serve("https://example.com") { request in
      request.value(forHTTPHeaderField: "Authorization") == "Bearer \(valid())"
        ? .text("News", after: .milliseconds(100)) : .status(401, after: .milliseconds(100))
    }
  }

  @Test func `A failed refresh fails all requests, and the next 401 refreshes again`() throws {
    let world = try World.current
    serve(in: world) { "second" }
    let refreshes = CurrentValueSubject<[String], Never>([])
    let clock = world.clock
    let tokens = TokenSession(token: "old", session: world.session) { rejected in
      refreshes.value.append(rejected)
      guard refreshes.value.count == 1 else {
        return Just("second").setFailureType(to: (any Error).self).eraseToAnyPublisher()
      }
      return Just(())
        .delay(for: .milliseconds(50), scheduler: clock)
        .tryMap { throw URLError(.cannotConnectToHost) }
        .eraseToAnyPublisher()
    }
    let first = (1...3).map { _ in world.record(tokens.data(for: request)) }
    world.run()
    for result in first {
      #expect(
        result.events == [
          .subscription(at: .zero),
          .failure(URLError(.cannotConnectToHost), at: .milliseconds(150)),
        ])
    }
    #expect(refreshes.value == ["old"])

    let later = world.record(tokens.data(for: request))
    world.run()
    #expect(later.values == [Data("News".utf8)])
    #expect(refreshes.value == ["old", "old"])
  }

  @Test func `A 401 that comes after the refresh uses the new token`() throws {
    let world = try World.current
    let refreshes = CurrentValueSubject<Int, Never>(0)
    world.network.serve("https://example.com") { request in
      let isNew = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
      return isNew
        ? .text("News") : .status(401, after: .seconds(request.url?.path == "/a" ? 1 : 5))
    }
    let tokens = TokenSession(token: "old", session: world.session) { _ in
      refreshes.value += 1
      return Just("new").setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
    let results = ["a", "b"].map {
      world.record(tokens.data(for: URLRequest(url: URL(string: "https://example.com/\($0)")!)))
    }
    world.run()
    #expect(results.map(\.times) == [[.seconds(1)], [.seconds(5)]])
    #expect(refreshes.value == 1)
  }

  @Test func `A request that starts during the refresh waits for it`() throws {
    let world = try World.current
    serve(in: world) { "new" }
    let clock = world.clock
    let tokens = TokenSession(token: "old", session: world.session) { _ in
      Just("new").setFailureType(to: (any Error).self).delay(for: .seconds(1), scheduler: clock)
        .eraseToAnyPublisher()
    }
    let early = world.record(tokens.data(for: request))
    world.advance(by: .milliseconds(500))
    let late = world.record(tokens.data(for: request))
    world.run()
    #expect(early.times == [.milliseconds(1200)])
    #expect(late.times == [.milliseconds(1200)])
    #expect(world.network.events.map(\.request).max() == 3)
  }

  @Test func `A new token that's rejected too ends the request`() throws {
    let world = try World.current
    serve(in: world) { "other" }
    let tokens = TokenSession(token: "old", session: world.session) { _ in
      Just("new").setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
    let result = world.record(tokens.data(for: request))
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero),
        .failure(URLError(.userAuthenticationRequired), at: .milliseconds(200)),
      ])
  }

  @Test func `The page of an error isn't the data`() throws {
    let world = try World.current
    world.network.serve("https://example.com") { _ in .status(500, after: .milliseconds(100)) }
    let tokens = TokenSession(token: "old", session: world.session) { _ in
      Empty().eraseToAnyPublisher()
    }
    let result = world.record(tokens.data(for: request))
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero),
        .failure(URLError(.badServerResponse), at: .milliseconds(100)),
      ])
  }

  @Test func `A refresh without a token fails the request`() throws {
    let world = try World.current
    serve(in: world) { "new" }
    let tokens = TokenSession(token: "old", session: world.session) { _ in
      Empty().eraseToAnyPublisher()
    }
    let result = world.record(tokens.data(for: request))
    world.run()
    #expect(
      result.events == [
        .subscription(at: .zero),
        .failure(URLError(.userAuthenticationRequired), at: .milliseconds(100)),
      ])
  }

  @Test func `The refresh goes on if the requests are cancelled`() throws {
    let world = try World.current
    serve(in: world) { "new" }
    let clock = world.clock
    let tokens = TokenSession(token: "old", session: world.session) { _ in
      Just("new").setFailureType(to: (any Error).self).delay(for: .seconds(1), scheduler: clock)
        .eraseToAnyPublisher()
    }
    let early = world.record(tokens.data(for: request))
    world.at(.milliseconds(500)) { early.cancel() }
    world.run()
    #expect(early.events == [.subscription(at: .zero), .cancelled(at: .milliseconds(500))])
    let late = world.record(tokens.data(for: request))
    world.run()
    #expect(late.times == [.milliseconds(1200)])
  }
}
