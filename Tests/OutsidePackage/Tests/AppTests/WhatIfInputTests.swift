import StreamsTesting
import Testing

@testable import App

// Two bugs that depend on when the user taps, or on when a timer fires.

// MARK: - A double tap

/// Posts a comment.
@MainActor protocol Comment: AnyObject {
  init(feed: Feed)
  var draft: String { get set }
  func tapPost()
}

/// The draft goes when it was posted, and until then a tap posts it again.
private final class ImpatientComment: Comment {
  @Published var draft = ""
  private let feed: Feed
  private var posts: Set<AnyCancellable> = []

  init(feed: Feed) { self.feed = feed }

  func tapPost() {
    guard !draft.isEmpty else { return }
    feed.post(draft, to: "comments")
      .receive(on: DispatchQueue.main)
      .sink { _ in
      } receiveValue: { [weak self] _ in
        self?.draft = ""
      }
      .store(in: &posts)
  }
}

/// A tap is ignored until the post before has ended.
private final class PatientComment: Comment {
  @Published var draft = ""
  private let feed: Feed
  private var post: AnyCancellable?

  init(feed: Feed) { self.feed = feed }

  func tapPost() {
    guard !draft.isEmpty, post == nil else { return }
    post = feed.post(draft, to: "comments")
      .receive(on: DispatchQueue.main)
      .sink { [weak self] _ in
        self?.post = nil
      } receiveValue: { [weak self] _ in
        self?.draft = ""
      }
  }
}

@MainActor struct WhatIfCommentTests {
  private func tapTwice(with model: (some Comment).Type, in world: World) -> Int {
    world.network.stub(
      .post, "https://feed.example/comments",
      responses: .status(201, after: .milliseconds(100)).repeating)
    let comment = model.init(feed: world.feed)
    comment.draft = "First!"
    comment.tapPost()
    world.at(.milliseconds(250)) { comment.tapPost() }
    world.run()
    return world.network.requests.count
  }

  @Test func aDoubleTapPostsTwice() {
    finds("action 1") {
      expectSameAtAnyTime(of: .everyInput) { tapTwice(with: ImpatientComment.self, in: $0) }
    }
  }

  @Test func aDoubleTapPostsOnce() {
    expectSameAtAnyTime(of: .everyInput) { tapTwice(with: PatientComment.self, in: $0) }
  }
}

// MARK: - A late timeout

/// Says that a load takes long, and gives up later.
@MainActor protocol Loading: AnyObject {
  init(feed: Feed)
  var text: String { get }
}

/// A response ends the hint, but not the timeout that follows it.
private final class ForgetfulLoading: Loading {
  @Published private(set) var text = "Loading"
  private var load, hint, timeout: AnyCancellable?

  init(feed: Feed) {
    load = feed.texts("news").map(\.description).replaceError(with: "No news")
      .receive(on: DispatchQueue.main)
      .sink { [weak self] in
        self?.text = $0
        self?.hint = nil
      }
    hint = Just("Still loading").delay(for: .milliseconds(500), scheduler: DispatchQueue.main)
      .sink { [weak self] in
        self?.text = $0
        self?.giveUp()
      }
  }

  private func giveUp() {
    timeout = Just("The server is slow").delay(for: .seconds(4), scheduler: DispatchQueue.main)
      .sink { [weak self] in self?.text = $0 }
  }
}

/// A response ends all that waits for it.
private final class CarefulLoading: Loading {
  @Published private(set) var text = "Loading"

  init(feed: Feed) {
    let response = feed.texts("news").map(\.description).replaceError(with: "No news")
      .receive(on: DispatchQueue.main)
      .share()
    let hint = Just("Still loading").delay(for: .milliseconds(500), scheduler: DispatchQueue.main)
    let timeout = Just("The server is slow").delay(for: .seconds(4), scheduler: DispatchQueue.main)
    hint.append(timeout).prefix(untilOutputFrom: response).merge(with: response)
      .assign(to: &$text)
  }
}

@MainActor struct WhatIfLoadingTests {
  private func load(with model: (some Loading).Type, in world: World) -> String {
    world.serve("news", ["new"], after: .milliseconds(100))
    let loading = model.init(feed: world.feed)
    world.run()
    return loading.text
  }

  @Test func aTimeoutOverwritesALateResponse() {
    finds("the response to GET /news") {
      expectSameAtAnyTime { load(with: ForgetfulLoading.self, in: $0) }
    }
  }

  @Test func aLateResponseStays() {
    expectSameAtAnyTime { load(with: CarefulLoading.self, in: $0) }
  }
}
