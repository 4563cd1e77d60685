// region: front
import App
import Foundation
import StreamsTesting
import Testing

@Suite(.world) struct NewsReaderTests {
  @Test func loadsBothAtOnceWithOneToken() async throws {
    let world = try World.current
    world.network.stub(
      .get, "https://example.com/token", responses: .text("A", after: .milliseconds(100)))
    world.network.stub(
      .get, "https://example.com/news", responses: .text("Rain,Sun", after: .milliseconds(200)))
    world.network.stub(
      .get, "https://example.com/messages", responses: .text("3", after: .milliseconds(50)))
    let reader = NewsReader(session: world.session, clock: world.swiftClock)

    let front = try await reader.front()  // Time moves while the test awaits.

    #expect(front.titles == ["Rain", "Sun"])
    #expect(front.messages == 3)
    #expect(world.clock.now == .milliseconds(300))
  }
  // endregion: front

  // region: retry
  @Test func asksABusyServerAgain() async throws {
    let world = try World.current
    world.network.stub(.get, "https://example.com/token", responses: .text("A"))
    world.network.stub(
      .get, "https://example.com/news", responses: .status(503), .status(503), .text("Rain"))
    world.network.stub(.get, "https://example.com/messages", responses: .text("0"))
    let reader = NewsReader(session: world.session, clock: world.swiftClock)
    let front = Task { try await reader.front() }

    world.advance(by: .milliseconds(2_999))
    #expect(world.network.requests.count == 4)  // The token, both, and the news again.
    world.advance(by: .milliseconds(1))
    #expect(world.network.requests.count == 5)
    #expect(try await front.value.titles == ["Rain"])
    #expect(world.clock.pendingWork.isEmpty)  // No task sleeps.
  }
  // endregion: retry

  // region: debounce
  @MainActor @Test func searchesWhenTheUserStops() throws {
    let world = try World.current
    world.network.stub(.get, "https://example.com/search/swift", responses: .text("a bird"))
    let search = AsyncSearch(session: world.session, clock: world.swiftClock)

    search.type("s")
    world.advance(by: .milliseconds(200))
    search.type("swift")
    world.advance(by: .milliseconds(299))
    #expect(search.results == "")
    world.advance(by: .milliseconds(1))
    #expect(search.results == "a bird")
  }
  // endregion: debounce

  // region: polling
  @Test func asksEveryMinute() async throws {
    let world = try World.current
    for path in ["token", "news"] {
      world.network.stub(.get, "https://example.com/\(path)", responses: .text("x").repeating)
    }
    world.network.stub(
      .get, "https://example.com/messages", responses: .text("1"), .text("2"), .text("3"))
    let reader = NewsReader(session: world.session, clock: world.swiftClock)

    var counts: [String] = []
    for await count in reader.newMessages().prefix(3) {
      counts.append("\(count) at \(world.clock.now)")
    }
    #expect(counts == ["1 at 0", "2 at 60s", "3 at 120s"])
  }
  // endregion: polling

  // region: orders
  @Test func oneTokenInEveryOrder() async throws {
    try await expectSameInEveryOrder { world in
      world.network.stub(
        .get, "https://example.com/token", responses: .text("A", after: .milliseconds(100)))
      world.network.stub(.get, "https://example.com/news", responses: .text("Rain"))
      world.network.stub(.get, "https://example.com/messages", responses: .text("3"))
      let reader = NewsReader(session: world.session, clock: world.swiftClock)
      let front = try await reader.front()
      return "\(front.titles), \(front.messages)"
    }
  }
  // endregion: orders
}
