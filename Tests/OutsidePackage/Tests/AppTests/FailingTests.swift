import StreamsTesting
import Testing

@testable import App

/// Tests that fail, to show what they print. They run only if the environment has `SHOW_FAILURES`.
@MainActor
@Suite(.world, .enabled(if: ProcessInfo.processInfo.environment["SHOW_FAILURES"] != nil))
struct FailingTests {
  private let world: World

  init() throws { world = try World.current }

  private func stub(_ query: String, _ response: StubResponse) {
    world.network.stub(.get, "https://example.com/search/\(query)", responses: response)
  }

  @Test func anExpectation() {
    stub("swift", .json(#"["Swift"]"#, after: .milliseconds(100)))
    let model = SearchModel(session: world.session)
    model.query.send("swift")
    world.run()
    #expect(model.rows.value == ["Swan"])
  }

  @Test func aSnapshot() {
    stub("swift", .json(#"["Swift"]"#, after: .milliseconds(150)))
    let model = SearchModel(session: world.session)
    _ = world.record(model.rows, as: "rows")
    model.query.send("swift")
    world.run()
    expectSnapshot(of: world.transcript, in: "SearchModelTests", named: "recordsOneSearch")
  }

  // region: marbles
  @Test func marbles() {
    let keys = world.cold("ab--c|")
    let recorder = world.record(
      keys.debounce(for: .milliseconds(3), scheduler: DispatchQueue.main))
    world.run()
    expectMarbles(recorder, "---b-|")
  }
  // endregion: marbles

  // region: contract
  @Test func contract() {
    let recorder = world.record(
      Countdown().checkingContract(as: "countdown", on: world.clock), demand: .max(2))
    world.run()
    #expect(recorder.values == [3, 2, 1])
  }
  // endregion: contract

  @Test func anUnimplementedScheduler() {
    _ = AutoSaver(Just("draft"), scheduler: .unimplemented())
  }

  @Test func outside() async {
    let clicks = PassthroughSubject<Int, Never>()
    let recorder = world.record(clicks, as: "clicks")
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        clicks.send(1)
        continuation.resume()
      }
    }
    #expect(recorder.values == [1])
  }

  // region: main-async
  @Test func mainAsync() {
    let clicks = PassthroughSubject<Int, Never>()
    let recorder = world.record(clicks, as: "clicks")
    DispatchQueue.main.async { clicks.send(1) }
    world.run()
    #expect(recorder.values == [])
  }
  // endregion: main-async

  // region: sleep
  @Test func sleep() {
    Task {
      try await Task.sleep(for: .seconds(5))
      Issue.record("too late")
    }
    world.advance(by: .seconds(1))
  }
  // endregion: sleep

  @Test func unfinishedWork() {
    Just(1).delay(for: .seconds(1), scheduler: DispatchQueue.main).sink { _ in }
      .store(in: &world.cancellables)
  }

  @Test func openRequest() {
    stub("swift", .json("[]", after: .milliseconds(100)))
    world.session.dataTask(with: URL(string: "https://example.com/search/swift")!).resume()
    world.advance(by: .milliseconds(99))
  }

  @Test func unusedStub() { stub("swift", .json("[]")) }

  @Test func unmatchedRequest() {
    stub("swift", .json("[]").repeating)
    for query in ["swift", "swim"] {
      world.session.dataTask(with: URL(string: "https://example.com/search/\(query)")!).resume()
    }
    world.run()
  }

  @Test func unreadEvents() {
    let recorder = world.record([1, 2].publisher)
    #expect(recorder.next() == .value(1, at: .zero))
  }

  // region: leak
  @Test func livingSubscription() {
    let page = Page()
    page.subscription = page.number.sink { number in page.shown = number }
  }
  // endregion: leak

  // region: loop
  @Test func aLoop() async {
    let drafts = PassthroughSubject<String, Never>()
    for await text in drafts.values { #expect(text == "draft") }
  }
  // endregion: loop

  @Test func anotherTime() {
    expectSameAtAnyTime { world in
      var news = ""
      for (name, time) in [("cache", 20), ("server", 100)] {
        let url = "https://example.com/\(name)"
        world.network.stub(
          .get, url, responses: .text("the news of the \(name)", after: .milliseconds(time)))
        world.session.dataTaskPublisher(for: URL(string: url)!)
          .map { String(decoding: $0.data, as: UTF8.self) }
          .replaceError(with: "")
          .sink { news = $0 }
          .store(in: &world.cancellables)
      }
      world.run()
      return news
    }
  }

  // region: orders
  @Test func anotherOrder() {
    expectSameInEveryOrder { world in
      let queries = PassthroughSubject<String, Never>()
      let session = world.session
      var shown = ""
      queries
        .flatMap { query in
          session.dataTaskPublisher(for: URL(string: "https://example.com/\(query)")!)
            .map { String(decoding: $0.data, as: UTF8.self) }
        }
        .replaceError(with: "")
        .sink { shown = $0 }
        .store(in: &world.cancellables)

      for (time, query) in [(100, "sw"), (200, "swift")] {
        // Both responses are due at 300 ms.
        let response = StubResponse.text("found \(query)", after: .milliseconds(300 - time))
        world.network.stub(.get, "https://example.com/\(query)", responses: response)
        world.at(.milliseconds(time)) { queries.send(query) }
      }
      world.run()
      return shown
    }
  }
  // endregion: orders

  // region: main-queue
  @Test func offTheMainQueue() {
    stub("swift", .text("Swift", after: .milliseconds(100)))
    let rows = CurrentValueSubject<[String], Never>([])
    world.expectsMainQueue(for: rows)
    world.session.dataTaskPublisher(for: URL(string: "https://example.com/search/swift")!)
      .map { [String(decoding: $0.data, as: UTF8.self)] }
      .replaceError(with: [])
      .sink { rows.send($0) }
      .store(in: &world.cancellables)
    world.run()
  }
  // endregion: main-queue

  // region: end
  @Test func aRefreshThatHangs() {
    stub("swift", .failure(.networkConnectionLost, after: .milliseconds(100)))
    let reconnects = PassthroughSubject<Void, Never>()
    let refresh = world.session
      .dataTaskPublisher(for: URL(string: "https://example.com/search/swift")!)
      .map { _ in "refreshed" }
      .catch { _ in reconnects.map { "refreshed later" } }
    world.expectsEnd(of: refresh, as: "the refresh")
    world.run()
  }
  // endregion: end
}

/// Keeps itself alive, because its subscription keeps it.
private final class Page {
  let number = PassthroughSubject<Int, Never>()
  var shown = 0
  var subscription: AnyCancellable?
}

// region: countdown
/// A publisher of your own, which delivers without asking how many values are wanted.
private struct Countdown: Publisher {
  typealias Output = Int
  typealias Failure = Never

  func receive(subscriber: some Subscriber<Int, Never>) {
    subscriber.receive(subscription: Subscriptions.empty)
    for number in [3, 2, 1] { _ = subscriber.receive(number) }
    subscriber.receive(completion: .finished)
  }
}
// endregion: countdown
