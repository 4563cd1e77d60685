import StreamsTesting
import Testing

@testable import App

// Ten bugs of a feed reader, of which three are here: models that take responses as they come, and
// a stream that doesn't wait for its subscriber. Each model has its mended one next to it, and the
// same line finds the bug in the first one and nothing in the second one.

extension World {
  /// Stubs a path of the feed's server, for as many requests as come.
  func serve(_ path: String, _ texts: [String], after time: VirtualTime.Stride) {
    network.stub(
      .get, "https://feed.example/\(path)",
      responses: .json(String(describing: texts), after: time).repeating)
  }

  /// The app's way to that server.
  var feed: Feed { Feed(session: session) }
}

/// Runs a body that finds a bug, so it has to record an issue with this text and no other one.
func finds(_ text: String, sourceLocation: SourceLocation = #_sourceLocation, in body: () -> Void) {
  withKnownIssue(
    sourceLocation: sourceLocation, body,
    matching: { issue in issue.comments.contains { $0.rawValue.contains(text) } })
}

// MARK: - Nearly simultaneous responses

/// Searches while the user types.
@MainActor protocol Search: AnyObject {
  init(feed: Feed)
  var query: PassthroughSubject<String, Never> { get }
  var rows: [String] { get }
}

/// Shows each response when it comes.
private final class MergedSearch: Search {
  let query = PassthroughSubject<String, Never>()
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    query
      .flatMap { feed.texts("search/\($0)").replaceError(with: []) }
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

/// Shows the response to the latest query.
private final class SwitchedSearch: Search {
  let query = PassthroughSubject<String, Never>()
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    query
      .map { feed.texts("search/\($0)").replaceError(with: []) }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

@MainActor struct WhatIfSearchTests {
  private func search(with model: (some Search).Type, in world: World) -> [String] {
    world.serve("search/sw", ["sway", "swift"], after: .milliseconds(50))
    world.serve("search/swift", ["swift"], after: .milliseconds(51))
    let search = model.init(feed: world.feed)
    search.query.send("sw")
    world.at(.milliseconds(20)) { search.query.send("swift") }
    world.run()
    return search.rows
  }

  @Test func nearlySimultaneousResponsesSwap() {
    finds("the outcome depends on") {
      expectSameInEveryOrder(within: .milliseconds(200)) { search(with: MergedSearch.self, in: $0) }
    }
  }

  @Test func theLatestSearchWins() {
    expectSameInEveryOrder(within: .milliseconds(200)) { search(with: SwitchedSearch.self, in: $0) }
  }
}

// MARK: - A stale cache

/// Shows the news, first those of the cache.
@MainActor protocol News: AnyObject {
  init(feed: Feed)
  var rows: [String] { get }
}

/// Takes whatever comes.
private final class MergedNews: News {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    feed.texts("cache").merge(with: feed.texts("news"))
      .replaceError(with: ["No news"])
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

/// The cache gives way to the server.
private final class FreshNews: News {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    let news = feed.texts("news").share()
    feed.texts("cache").prefix(untilOutputFrom: news).merge(with: news)
      .replaceError(with: ["No news"])
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

@MainActor struct WhatIfNewsTests {
  private func read(with model: (some News).Type, in world: World) -> [String] {
    world.serve("cache", ["old"], after: .milliseconds(20))
    world.serve("news", ["new"], after: .milliseconds(100))
    let news = model.init(feed: world.feed)
    world.run()
    return news.rows
  }

  @Test func aStaleCacheOverwritesTheNews() {
    finds("the response to GET /cache") {
      expectSameAtAnyTime { read(with: MergedNews.self, in: $0) }
    }
  }

  @Test func theCacheGivesWay() {
    expectSameAtAnyTime { read(with: FreshNews.self, in: $0) }
  }
}

// MARK: - A late subscriber

/// Loads the topics once, for all pages that show them.
@MainActor protocol Topics: AnyObject {
  init(feed: Feed)
  var loaded: AnyPublisher<[String], Never> { get }
}

/// Shares the request, but not what it has delivered before.
private final class SharedTopics: Topics {
  let loaded: AnyPublisher<[String], Never>

  init(feed: Feed) {
    loaded = feed.texts("topics").replaceError(with: [])
      .receive(on: DispatchQueue.main)
      .share()
      .eraseToAnyPublisher()
  }
}

/// Keeps what was loaded.
private final class KeptTopics: Topics {
  @Published private var topics: [String] = []
  var loaded: AnyPublisher<[String], Never> { $topics.eraseToAnyPublisher() }

  init(feed: Feed) {
    feed.texts("topics").replaceError(with: [])
      .receive(on: DispatchQueue.main)
      .assign(to: &$topics)
  }
}

@MainActor struct WhatIfTopicsTests {
  /// Two pages show the topics, and the user opens the second one after 200 ms.
  private func open(with model: (some Topics).Type, in world: World) -> [[String]] {
    world.serve("topics", ["Swift", "Linux"], after: .milliseconds(300))
    let topics = model.init(feed: world.feed)
    var pages: [[String]] = [[], []]
    topics.loaded.sink { pages[0] = $0 }.store(in: &world.cancellables)
    world.at(.milliseconds(200)) {
      topics.loaded.sink { pages[1] = $0 }.store(in: &world.cancellables)
    }
    world.run()
    return pages
  }

  @Test func aLateSubscriberGetsNothing() {
    finds("the response to GET /topics") {
      expectSameAtAnyTime { open(with: SharedTopics.self, in: $0) }
    }
  }

  @Test func aLateSubscriberGetsTheTopics() {
    expectSameAtAnyTime { open(with: KeptTopics.self, in: $0) }
  }
}
