import StreamsTesting
import Testing

@testable import App

// Three bugs that show when a request goes wrong.

/// A list of news that can fail to load.
@MainActor protocol Reader: AnyObject {
  init(feed: Feed)
  var rows: [String] { get }
}

extension World {
  /// Reads the news of a server that works.
  @MainActor func read(with model: (some Reader).Type) -> [String] {
    serve("news", ["new"], after: .milliseconds(100))
    let reader = model.init(feed: feed)
    run()
    return reader.rows
  }
}

// MARK: - A screen that's never reached

/// Tries twice, and then shows nothing.
private final class BlankReader: Reader {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    feed.texts("news")
      .retry(1)
      .catch { _ in Just([]) }
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

/// Tries twice, and then says that it gave up.
private final class HonestReader: Reader {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    feed.texts("news")
      .retry(1)
      .catch { _ in Just(["No news. Pull to try again."]) }
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

@MainActor struct WhatIfNoNewsTests {
  /// `retry(1)` swallows a fault that's over at the second try.
  @Test func oneFaultDoesNotReachTheBlankScreen() {
    expectEndings(of: .everyFault) { world in
      world.read(with: BlankReader.self)
    } judging: {
      $0.outcome?.isEmpty == false
    }
  }

  @Test func theScreenIsBlankInAnOutage() {
    finds("is refused") {
      expectEndings(of: .everyFault.lasting) { world in
        world.read(with: BlankReader.self)
      } judging: {
        $0.outcome?.isEmpty == false
      }
    }
  }

  @Test func theScreenSaysThatItGaveUp() {
    expectEndings(of: .everyFault.lasting) { world in
      world.read(with: HonestReader.self)
    } judging: {
      $0.outcome?.isEmpty == false
    }
  }
}

// MARK: - A storm of retries

/// Tries until it works.
private final class StubbornReader: Reader {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    Self.load(feed)
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }

  private static func load(_ feed: Feed) -> AnyPublisher<[String], Never> {
    feed.texts("news")
      .catch { _ in load(feed) }
      .eraseToAnyPublisher()
  }
}

/// Tries three times, with a pause before each further try.
private final class PausingReader: Reader {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    feed.texts("news")
      .catch { error in
        Fail(error: error).delay(for: .seconds(2), scheduler: DispatchQueue.main)
      }
      .retry(2)
      .replaceError(with: ["No news"])
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

@MainActor struct WhatIfRetryTests {
  private let outage = FaultSelection { $0.kind == .refused }.lasting

  private func countRequests(with model: (some Reader).Type, in world: World) -> Int {
    _ = world.read(with: model)
    return world.network.requests.count
  }

  @Test func aServerInTroubleIsStormed() {
    finds("each request is refused") {
      expectEndings(of: outage) { world in
        countRequests(with: StubbornReader.self, in: world)
      } judging: {
        $0.outcome ?? .max <= 3
      }
    }
  }

  @Test func aServerInTroubleIsAskedThreeTimes() {
    expectEndings(of: outage) { world in
      countRequests(with: PausingReader.self, in: world)
    } judging: {
      $0.outcome ?? .max <= 3
    }
  }
}

// MARK: - A session that's over

/// Asks again with the same token, whatever the error is.
private final class NaggingReader: Reader {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    feed.texts("news")
      .retry(2)
      .replaceError(with: ["No news"])
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

/// Asks again if that may help, and asks to log in if the server wants to know who it is.
private final class LoginReader: Reader {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    feed.texts("news")
      .map { Result.success($0) }
      .tryCatch { error in
        guard (error as? URLError)?.code == .userAuthenticationRequired else { throw error }
        return Just(Result<[String], any Error>.failure(error))
      }
      .retry(2)
      .tryMap { try $0.get() }
      .catch { error in
        let needsLogin = (error as? URLError)?.code == .userAuthenticationRequired
        return Just([needsLogin ? "Please log in" : "No news"])
      }
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

@MainActor struct WhatIfLoginTests {
  private let revokedToken = FaultSelection { $0.kind == .status(401) }

  @Test func aTokenThatWasRevokedIsTriedAgain() {
    finds("gets a 401") {
      expectEndings(of: revokedToken) { world in
        world.read(with: NaggingReader.self)
      } judging: {
        $0.outcome == ["Please log in"]
      }
    }
  }

  @Test func aTokenThatWasRevokedLeadsToTheLogin() {
    expectEndings(of: revokedToken) { world in
      world.read(with: LoginReader.self)
    } judging: {
      $0.outcome == ["Please log in"]
    }
  }
}
