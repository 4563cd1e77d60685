import StreamsTesting
import Testing

@testable import App

// Two bugs that no outcome shows: a value off the main queue, and a refresh that hangs.

// MARK: - Off the main queue

/// Changes what a view shows on the queue of the session.
private final class HastyReader: Reader, ObservableObject {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    feed.texts("news").replaceError(with: ["No news"]).assign(to: &$rows)
  }
}

/// Goes to the main queue first.
private final class MainReader: Reader, ObservableObject {
  @Published private(set) var rows: [String] = []

  init(feed: Feed) {
    feed.texts("news").replaceError(with: ["No news"])
      .receive(on: DispatchQueue.main)
      .assign(to: &$rows)
  }
}

@MainActor struct WhatIfQueueTests {
  private func observe(_ model: (some Reader & ObservableObject).Type, in world: World) {
    world.serve("news", ["new"], after: .milliseconds(100))
    let reader = model.init(feed: world.feed)
    world.expectsMainQueue(for: reader.objectWillChange)
    world.run()
  }

  @Test func aViewChangesOffTheMainQueue() {
    finds("off the main queue") { withWorld { observe(HastyReader.self, in: $0) } }
  }

  @Test func aViewChangesOnTheMainQueue() {
    withWorld { observe(MainReader.self, in: $0) }
  }
}

// MARK: - A refresh that hangs

/// Loads the news again when the user pulls the list.
@MainActor protocol Refreshable: AnyObject {
  init(feed: Feed)
  func refresh() -> AnyPublisher<Void, Never>
}

/// A refresh ends with its news, so it doesn't end without them.
private final class EndlessReader: Refreshable {
  @Published private(set) var rows: [String] = []
  private let feed: Feed
  private var load: AnyCancellable?

  init(feed: Feed) { self.feed = feed }

  func refresh() -> AnyPublisher<Void, Never> {
    let isDone = PassthroughSubject<Void, Never>()
    load = feed.texts("news")
      .receive(on: DispatchQueue.main)
      .sink { _ in
      } receiveValue: { [weak self] in
        self?.rows = $0
        isDone.send(completion: .finished)
      }
    return isDone.eraseToAnyPublisher()
  }
}

/// A refresh ends with its request.
private final class EndingReader: Refreshable {
  @Published private(set) var rows: [String] = []
  private let feed: Feed
  private var load: AnyCancellable?

  init(feed: Feed) { self.feed = feed }

  func refresh() -> AnyPublisher<Void, Never> {
    let isDone = PassthroughSubject<Void, Never>()
    load = feed.texts("news")
      .receive(on: DispatchQueue.main)
      .sink { _ in
        isDone.send(completion: .finished)
      } receiveValue: { [weak self] in
        self?.rows = $0
      }
    return isDone.eraseToAnyPublisher()
  }
}

@MainActor struct WhatIfRefreshTests {
  private func refresh(_ model: (some Refreshable).Type, in world: World) {
    world.serve("news", ["new"], after: .milliseconds(100))
    let reader = model.init(feed: world.feed)
    world.expectsEnd(of: reader.refresh())
    world.run()
  }

  @Test func aRefreshHangsWithoutTheNews() {
    finds("never ended") {
      expectEndings(of: .everyFault) { world in
        refresh(EndlessReader.self, in: world)
      } judging: { _ in
        true
      }
    }
  }

  @Test func aRefreshEndsWithoutTheNews() {
    expectEndings(of: .everyFault) { world in
      refresh(EndingReader.self, in: world)
    } judging: { _ in
      true
    }
  }
}
