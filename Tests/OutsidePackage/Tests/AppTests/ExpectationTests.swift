import StreamsTesting
import Testing

@testable import App

/// What a test can expect of a whole run.
struct ExpectationTests {
  @MainActor @Test func theNewsEndOnTheMainQueueWhateverHappens() {
    expectEndings { world in
      let url = URL(string: "https://example.com/news")!
      world.network.stub(.get, url.absoluteString, responses: .text("News"))
      let news = world.session.dataTaskPublisher(for: url)
        .map { String(decoding: $0.data, as: UTF8.self) }
        .replaceError(with: "No news")
        .receive(on: DispatchQueue.main)
        .share()
      world.expectsMainQueue(for: news)
      world.expectsEnd(of: news, as: "the news")
      world.run()
    } judging: { ending in
      ending.problems.isEmpty
    }
  }

  @MainActor @Test func theRowsOfASearchArriveOnTheMainQueue() {
    withWorld { world in
      let model = SearchModel(session: world.session)
      world.network.stub(
        .get, "https://example.com/search/swift",
        responses: .json(#"["Swift"]"#, after: .milliseconds(100)))
      world.expectsMainQueue(for: model.rows)
      model.query.send("swift")
      world.run()
      #expect(model.rows.value == ["Swift"])
    }
  }
}
