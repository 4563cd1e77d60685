import StreamsTesting
import Testing

@testable import App

/// Programs of a feed reader that are right whenever their responses come, although some of their
/// times look odd. None of them may be accused.
@MainActor struct WhatIfCorrectTests {
  /// Expects the same outcome at any time and in every order, and an end whatever goes wrong.
  private func staysRight<Outcome: Hashable>(_ program: (World) -> Outcome) {
    expectSameAtAnyTime(of: .everything) { program($0) }
    expectSameInEveryOrder(within: .milliseconds(200)) { program($0) }
    expectEndings(of: .everyFault) { world in
      program(world)
    } judging: { ending in
      ending.problems.isEmpty
    }
  }

  /// The news come just when the pause after the last key is over.
  @Test func aDebounceNextToAResponse() {
    staysRight { world in
      world.serve("news", ["new"], after: .milliseconds(300))
      world.serve("search/swift", ["swift"], after: .milliseconds(300))
      let query = PassthroughSubject<String, Never>()
      var news: [String] = []
      var rows: [String] = []
      world.feed.texts("news").replaceError(with: []).sink { news = $0 }
        .store(in: &world.cancellables)
      query.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
        .map { world.feed.texts("search/\($0)").replaceError(with: []) }
        .switchToLatest()
        .sink { rows = $0 }
        .store(in: &world.cancellables)
      query.send("swift")
      world.run()
      return [news, rows]
    }
  }

  /// Two counts are added up, and it doesn't matter which one comes first.
  @Test func twoResponsesThatCommute() {
    staysRight { world in
      world.serve("friends", ["Ada", "Grace"], after: .milliseconds(50))
      world.serve("groups", ["Swift"], after: .milliseconds(51))
      var unread = 0
      Publishers.MergeMany(["friends", "groups"].map { world.feed.texts($0) })
        .replaceError(with: [])
        .sink { unread += $0.count }
        .store(in: &world.cancellables)
      world.run()
      return unread
    }
  }

  /// The cache is as slow as the server, and still gives way.
  @Test func aSlowCacheThatGivesWay() {
    staysRight { world in
      world.serve("cache", ["old"], after: .milliseconds(100))
      world.serve("news", ["new"], after: .milliseconds(100))
      var rows: [String] = []
      let news = world.feed.texts("news").share()
      world.feed.texts("cache").prefix(untilOutputFrom: news).merge(with: news)
        .replaceError(with: ["No news"])
        .sink { rows = $0 }
        .store(in: &world.cancellables)
      world.run()
      return rows
    }
  }

  /// A poll asks every second, which is how long an answer takes, and ends when it's ready.
  @Test func aPollThatEnds() {
    staysRight { world in
      world.network.stub(
        .get, "https://feed.example/export",
        responses: .json(#"["busy"]"#, after: .milliseconds(1000)),
        .json(#"["busy"]"#, after: .milliseconds(1000)),
        .json(#"["ready"]"#, after: .milliseconds(1000)).repeating)
      var states: [[String]] = []
      Timer.publish(every: 1, on: .main, in: .common).autoconnect()
        .prepend(Date())
        .flatMap(maxPublishers: .max(1)) { _ in
          world.feed.texts("export").replaceError(with: ["busy"])
        }
        .first { $0 == ["ready"] }
        .sink { states.append($0) }
        .store(in: &world.cancellables)
      world.run()
      return states
    }
  }

  /// The position of a list is saved ten times a second at most, and the last one counts.
  @Test func aThrottleThatTakesTheLatest() {
    staysRight { world in
      world.network.stub(
        .post, "https://feed.example/position",
        responses: .status(201, after: .milliseconds(100)).repeating)
      let positions = PassthroughSubject<String, Never>()
      var saved = ""
      positions.throttle(for: .milliseconds(100), scheduler: DispatchQueue.main, latest: true)
        .map { position in
          world.feed.post(position, to: "position").map { _ in position }.replaceError(with: "")
        }
        .switchToLatest()
        .sink { saved = $0 }
        .store(in: &world.cancellables)
      // Each position follows the one before.
      func scroll(to position: Int) {
        positions.send("\(position)")
        guard position < 5 else { return }
        world.at(.milliseconds(50 * position)) { scroll(to: position + 1) }
      }
      scroll(to: 1)
      world.run()
      return saved
    }
  }

  /// A page waits for two loads.
  @Test func twoLoadsAreCombined() {
    staysRight { world in
      world.serve("profile", ["Ada"], after: .milliseconds(80))
      world.serve("news", ["new"], after: .milliseconds(80))
      var page: [[String]] = []
      world.feed.texts("profile").combineLatest(world.feed.texts("news")) { $0 + $1 }
        .replaceError(with: ["No page"])
        .sink { page.append($0) }
        .store(in: &world.cancellables)
      world.run()
      return page
    }
  }

  /// The server is down for one try, and the second one comes after a pause.
  @Test func aRetryWithAPauseAndALimit() {
    staysRight { world in
      world.network.stub(
        .get, "https://feed.example/news",
        responses: .status(503, after: .milliseconds(10)),
        .json(#"["new"]"#, after: .milliseconds(2000)))
      var rows: [String] = []
      world.feed.texts("news")
        .catch { error in
          Fail(error: error).delay(for: .seconds(2), scheduler: DispatchQueue.main)
        }
        .retry(2)
        .replaceError(with: ["No news"])
        .sink { rows = $0 }
        .store(in: &world.cancellables)
      world.run()
      return rows
    }
  }

  /// Two pages share a load, and the second one is opened when the response comes.
  @Test func aSharedLoadIsReplayed() {
    staysRight { world in
      world.serve("topics", ["Swift", "Linux"], after: .milliseconds(200))
      let topics = CurrentValueSubject<[String], Never>([])
      world.feed.texts("topics").replaceError(with: ["No topics"])
        .sink { topics.send($0) }
        .store(in: &world.cancellables)
      var pages: [[String]] = [[], []]
      topics.sink { pages[0] = $0 }.store(in: &world.cancellables)
      world.at(.milliseconds(200)) {
        topics.sink { pages[1] = $0 }.store(in: &world.cancellables)
      }
      world.run()
      return pages
    }
  }

  /// The user leaves a page just when its response comes, and the list before it is shown.
  @Test func aRequestIsCancelled() {
    staysRight { world in
      world.serve("article", ["Long text"], after: .milliseconds(100))
      var screen = ["Loading"]
      let article = world.feed.texts("article").replaceError(with: ["No article"])
        .sink { screen = $0 }
      world.at(.milliseconds(100)) {
        article.cancel()
        screen = ["The list"]
      }
      world.run()
      return screen
    }
  }

  /// The list asks for the next page at its end, while the page before may still be loading.
  @Test func pagesAreLoadedInTurn() {
    staysRight { world in
      for page in 1...3 { world.serve("news/\(page)", ["\(page)"], after: .milliseconds(100)) }
      let endsOfList = PassthroughSubject<Void, Never>()
      var rows: [String] = []
      endsOfList.scan(1) { page, _ in page + 1 }.prepend(1)
        .buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest)
        .flatMap(maxPublishers: .max(1)) { page in
          world.feed.texts("news/\(page)").replaceError(with: [])
        }
        .sink { rows += $0 }
        .store(in: &world.cancellables)
      for time in [90, 100] { world.at(.milliseconds(time)) { endsOfList.send() } }
      world.run()
      return rows
    }
  }

  /// The second key follows the first one, so it's inside it and moves with it.
  @Test func aUserTypesOn() {
    staysRight { world in
      for query in ["sw", "swift"] {
        world.serve("search/\(query)", [query], after: .milliseconds(50))
      }
      let queries = PassthroughSubject<String, Never>()
      var rows: [String] = []
      queries
        .map { world.feed.texts("search/\($0)").replaceError(with: []) }
        .switchToLatest()
        .sink { rows = $0 }
        .store(in: &world.cancellables)
      world.at(.milliseconds(10)) {
        queries.send("sw")
        world.at(.milliseconds(30)) { queries.send("swift") }
      }
      world.run()
      return rows
    }
  }
}
