import Foundation
import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bugs that show only when something comes at another time, and programs without them.
struct SameAtAnyTimeTests {
  private static func url(_ path: String) -> URL { URL(string: "https://example.com/\(path)")! }

  private static func load(_ path: String, in world: World) -> AnyPublisher<String, Never> {
    world.session.dataTaskPublisher(for: url(path))
      .map { String(decoding: $0.data, as: UTF8.self) }
      .replaceError(with: "failed")
      .eraseToAnyPublisher()
  }

  // MARK: Near-equal responses

  /// Two searches, 20 ms apart, whose responses take 50 and 51 ms.
  private static func search(in world: World, switches: Bool) -> String {
    world.network.stub(
      .get, "https://example.com/sw", responses: .text("results of sw", after: .milliseconds(50)))
    world.network.stub(
      .get, "https://example.com/swift",
      responses: .text("results of swift", after: .milliseconds(51)))
    let queries = PassthroughSubject<String, Never>()
    nonisolated(unsafe) var screen = ""
    let results = queries.map { load($0, in: world) }
    let shown: AnyPublisher<String, Never> =
      switches
      ? results.switchToLatest().eraseToAnyPublisher()
      : results.flatMap { $0 }.eraseToAnyPublisher()
    shown.sink { screen = $0 }.store(in: &world.cancellables)
    world.at(.milliseconds(100)) { queries.send("sw") }
    world.at(.milliseconds(120)) { queries.send("swift") }
    world.run()
    return screen
  }

  @Test func anOldResponseThatComesLastIsFound() {
    let messages = issues {
      expectSameAtAnyTime { Self.search(in: $0, switches: false) }
    }
    #expect(
      messages == [
        """
        the outcome depends on when something comes: the response to GET /sw
        usually, at 150ms:
          results of swift
                     100ms  120ms  150ms         171ms
          request 1  ^-------------(200, 13 B|)
          request 2         ^--------------------(200, 16 B|)
            200  OK
        if it comes at 172ms or later (tried up to 1171ms):
          results of sw
                     100ms  120ms  171ms         172ms
          request 1  ^---------------------------(200, 13 B|)
          request 2         ^------(200, 16 B|)
            200  OK
        to run that again: withWorld(moving: "GET /sw to 172ms") { world in … }
        """
      ])
  }

  @Test func theLatestQueryWinsAtAnyTime() {
    expectSameAtAnyTime(of: .everyResponse, upTo: .seconds(2)) {
      Self.search(in: $0, switches: true)
    }
  }

  /// What a body without a result is compared by: its recorders, and its requests.
  @MainActor @Test func anAsynchronousTestIsSearchedToo() async {
    func search(_ world: World, switches: Bool) async {
      for (path, time) in [("a", 50), ("b", 51)] {
        world.network.stub(
          .get, "https://example.com/\(path)", responses: .text(path, after: .milliseconds(time)))
      }
      let loads = PassthroughSubject<AnyPublisher<String, Never>, Never>()
      _ = world.record(
        switches
          ? loads.switchToLatest().eraseToAnyPublisher()
          : loads.flatMap { $0 }.eraseToAnyPublisher())
      loads.send(Self.load("a", in: world))
      world.advance(by: .milliseconds(20))
      loads.send(Self.load("b", in: world))
      await Task.yield()
      world.run()
    }
    await expectSameAtAnyTime(of: "GET /b") { await search($0, switches: true) }
    let messages = Locked<[String]>([])
    let reporter = IssueReporter { message, _ in messages.withLock { $0.append(message) } }
    await IssueReporter.$current.withValue(reporter) {
      await expectSameAtAnyTime(of: "GET /a") { await search($0, switches: false) }
    }
    #expect(messages.withLock { $0.count } == 1)
  }

  // MARK: A cache and a server

  private static func show(in world: World, overwrites: Bool) -> String {
    world.network.stub(
      .get, "https://example.com/cache", responses: .text("old", after: .milliseconds(20)))
    world.network.stub(
      .get, "https://example.com/news", responses: .text("new", after: .milliseconds(100)))
    nonisolated(unsafe) var screen = ""
    let (cached, fresh) = (load("cache", in: world), load("news", in: world).share())
    let shown: AnyPublisher<String, Never> =
      overwrites
      ? cached.merge(with: fresh).eraseToAnyPublisher()
      : cached.prefix(untilOutputFrom: fresh).merge(with: fresh).eraseToAnyPublisher()
    shown.sink { screen = $0 }.store(in: &world.cancellables)
    world.run()
    return screen
  }

  @Test func aStaleCacheThatOverwritesIsFound() {
    let messages = issues {
      expectSameAtAnyTime { Self.show(in: $0, overwrites: true) }
    }
    #expect(messages.count == 1)
    #expect(
      messages.first?.hasPrefix(
        "the outcome depends on when something comes: the response to GET /cache")
        ?? false)
    #expect(
      messages.first?.hasSuffix(
        "to run that again: withWorld(moving: \"GET /cache to 101ms\") { world in … }")
        ?? false)
  }

  @Test func aCacheThatGivesWayIsFine() {
    expectSameAtAnyTime { Self.show(in: $0, overwrites: false) }
  }

  // MARK: A late subscriber

  private static func subscribeLate(in world: World, replays: Bool) -> [String] {
    world.network.stub(
      .get, "https://example.com/user", responses: .text("Ada", after: .milliseconds(100)))
    let user = load("user", in: world)
    let shared: AnyPublisher<String, Never> =
      replays
      ? user.multicast { CurrentValueSubject("") }.autoconnect().filter { !$0.isEmpty }
        .eraseToAnyPublisher()
      : user.share().eraseToAnyPublisher()
    nonisolated(unsafe) var shown = ["", ""]
    shared.sink { shown[0] = $0 }.store(in: &world.cancellables)
    world.at(.milliseconds(60)) {
      shared.sink { shown[1] = $0 }.store(in: &world.cancellables)
    }
    world.run()
    return shown
  }

  @Test func aLateSubscriberOfShareIsFound() {
    let messages = issues {
      expectSameAtAnyTime { Self.subscribeLate(in: $0, replays: false) }
    }
    #expect(messages.count == 1)
  }

  /// The script can be moved as well.
  @Test func aSubscriberThatComesLateIsFound() {
    let messages = issues {
      expectSameAtAnyTime(of: "action 1") { Self.subscribeLate(in: $0, replays: false) }
    }
    #expect(
      messages.first?.contains("the outcome depends on when something comes: action 1 (") ?? false)
  }

  // MARK: What no record shows

  /// Two actions of an instant look the same in either order, except to the clock.
  @Test func anOrderThatOnlyTheClockKnowsIsFound() {
    let messages = issues {
      expectSameAtAnyTime(of: "action 2") { world -> String in
        let log = Locked<[String]>([])
        world.at(.milliseconds(200)) { log.withLock { $0.append("close") } }
        world.at(.milliseconds(200)) { log.withLock { $0.append("moved") } }
        world.at(.zero) { log.withLock { $0.append("open") } }
        world.run()
        return log.withLock { $0 } == ["open", "moved", "close"] ? "between" : "outside"
      }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("if it comes from 1ms to 199ms:") ?? false, "\(messages)")
  }

  /// Code that compares times by itself changes at a time that no event shows.
  @Test func aBoundaryIsSearchedForWhereOutcomesDiffer() {
    let messages = issues {
      expectSameAtAnyTime(of: "action 1") { world -> String in
        let loaded = Locked(VirtualTime.zero)
        let answer = Locked("")
        world.at(.milliseconds(100)) { loaded.withLock { $0 = world.clock.now } }
        world.at(.seconds(2)) {
          let age = loaded.withLock { $0.distance(to: world.clock.now) }
          answer.withLock { $0 = age > .milliseconds(1500) ? "stale" : "fresh" }
        }
        world.run()
        return answer.withLock { $0 }
      }
    }
    #expect(messages.first?.contains("if it comes from 500ms to 2s:") ?? false, "\(messages)")
  }

  @Test func theUsualTimeCountsEvenIfTheLimitIsBeforeIt() {
    let messages = issues {
      expectSameAtAnyTime(of: "action 1", upTo: .milliseconds(150)) { world -> String in
        let log = Locked("")
        for (time, name) in [(300, "a"), (200, "b")] {
          world.at(.milliseconds(time)) { log.withLock { $0 += name } }
        }
        world.run()
        return log.withLock { $0 }
      }
    }
    #expect(messages.count == 1)
  }

  /// The end of a run is that of its clock, whether or not something is recorded.
  @Test func workThatNoRecordShowsCounts() {
    let messages = issues {
      expectSameAtAnyTime(of: "action 1") { world -> String in
        let log = Locked("")
        world.at(.milliseconds(100)) { log.withLock { $0 += "a" } }
        world.clock.schedule(after: .seconds(5)) { log.withLock { $0 += "b" } }
        world.run()
        return log.withLock { $0 }
      }
    }
    #expect(messages.first?.contains("or later (tried up to 6s)") ?? false, "\(messages)")
  }

  // MARK: Mistakes

  @Test func aTestThatDecidesNothingIsToldSo() {
    let messages = issues { expectSameAtAnyTime { _ in 1 } }
    #expect(messages == ["the test decides no times, so nothing was moved"])
  }

  @Test func anAddressThatIsNotThereIsReported() {
    let messages = issues {
      expectSameAtAnyTime(of: "GET /b") { Self.show(in: $0, overwrites: false) }
    }
    #expect(
      messages == [
        """
        nothing here is called "GET /b". These things can be moved, and this is when they come:
          GET /news: 100ms
          GET /cache: 20ms
        """
      ])
  }

  @Test func aBodyThatKeepsSomethingIsToldSo() {
    nonisolated(unsafe) var runs = 0
    let messages = issues {
      expectSameAtAnyTime { world in
        runs += 1
        return "\(Self.show(in: world, overwrites: false)) \(runs)"
      }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("end differently: make everything that the body") ?? false)
  }

  /// A test that fails anyway needs no other runs, which could be many.
  @Test func aProblemOfTheUsualRunEndsTheSearch() {
    nonisolated(unsafe) var runs = 0
    let messages = issues {
      expectSameAtAnyTime { world in
        runs += 1
        world.network.stub(.get, "https://example.com/never", responses: .text(""))
        return Self.search(in: world, switches: false)
      }
    }
    #expect(runs == 1)
    #expect(messages.count == 1)
    #expect(messages.first?.contains("https://example.com/never") ?? false, "\(messages)")
  }

  /// Everything that's due at once or later by as much as the response.
  @Test func mostTimesNeedNoRun() {
    nonisolated(unsafe) var runs = 0
    expectSameAtAnyTime { world in
      runs += 1
      return Self.search(in: world, switches: true)
    }
    #expect(runs < 60)
  }
}
