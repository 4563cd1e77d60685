import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that's made again and again stops the call that moves time, long before the limit of
/// actions.
@Suite(.hangLimit) struct RepeatedRequestsTests {
  private let url = URL(string: "https://example.com/news")!

  private func tries(_ world: World) -> some Publisher<String, URLError> {
    world.session.dataTaskPublisher(for: url).map { String(decoding: $0.data, as: UTF8.self) }
  }

  /// The first line of the first problem, without its place.
  private func firstLine(of problems: [String]) -> String {
    let line = problems.first?.split(separator: "\n").first ?? ""
    return line.split(separator: " ").dropFirst().joined(separator: " ")
  }

  private func report(_ what: String, _ who: String, _ more: String) -> String {
    "\(what), because \(who) repeats it. Give it an end, such as retry(2) or prefix(10), or a stub "
      + "that succeeds. If it ends later, allow more: \(more). The last time, it came like "
      + "this:"
  }

  @Test func aRetryAtOneInstant() {
    let found = problems { world in
      world.network.stub(.get, url, responses: .failure(.timedOut).repeating)
      tries(world).retry(-1).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        .store(in: &world.cancellables)
      world.run()
    }
    #expect(
      firstLine(of: found)
        == report(
          "time doesn't move: GET https://example.com/news was made 500 times at 0", "retry",
          "run(limit: 1_000_000)"))
  }

  @Test func aRetryOverTime() {
    let found = problems { world in
      world.network.stub(
        .get, url, responses: .failure(.timedOut, after: .milliseconds(60)).repeating)
      tries(world).map(\.count).retry(-1)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in }).store(in: &world.cancellables)
      world.run()
    }
    #expect(
      firstLine(of: found)
        == report(
          "run() doesn't end: GET https://example.com/news was made 500 times until 29940ms",
          "retry", "run(limit: 1_000_000)"))
  }

  @Test func aRetryAtOneInstantInACallWithAnEnd() {
    let found = problems { world in
      world.network.stub(.get, url, responses: .failure(.timedOut).repeating)
      tries(world).retry(-1).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        .store(in: &world.cancellables)
      world.advance(by: .seconds(2))
    }
    #expect(
      firstLine(of: found)
        == report(
          "time doesn't move: GET https://example.com/news was made 500 times at 0", "retry",
          "advance(by: 2s, limit: 1_000_000)"))
  }

  @Test func aRequestWithoutAStub() {
    let found = problems { world in
      tries(world).retry(-1).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        .store(in: &world.cancellables)
      world.run()
    }
    #expect(
      firstLine(of: found)
        == report(
          "time doesn't move: GET https://example.com/news was made 500 times at 0", "retry",
          "run(limit: 1_000_000)"))
  }

  @Test func theFirstOfTwoRequestsOfOneCallback() {
    let log = URL(string: "https://example.com/log")!
    let found = problems { world in
      world.network.stub(.get, url, responses: .failure(.timedOut).repeating)
      world.network.stub(.get, log, responses: .text("", after: .seconds(1)).repeating)
      let note = Fail<String, URLError>(error: URLError(.timedOut)).catch { _ in
        world.session.dataTaskPublisher(for: log).map { _ in "" }
      }
      tries(world).merge(with: note).retry(-1)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in }).store(in: &world.cancellables)
      world.run()
    }
    #expect(
      firstLine(of: found)
        == report(
          "time doesn't move: GET https://example.com/news was made 500 times at 0", "retry",
          "run(limit: 1_000_000)"))
  }

  private func load(in world: World) -> AnyPublisher<String, URLError> {
    tries(world).catch { _ in load(in: world) }.eraseToAnyPublisher()
  }

  private func poll(in world: World) -> AnyPublisher<String, URLError> {
    tries(world).append(Deferred { poll(in: world) }).eraseToAnyPublisher()
  }

  private func pages(in world: World) -> AnyPublisher<String, URLError> {
    tries(world).flatMap { _ in pages(in: world) }.eraseToAnyPublisher()
  }

  @Test(arguments: ["catch", "append", "flatMap"]) func anotherOperator(name: String) {
    let found = problems { world in
      let response: StubResponse =
        name == "catch" ? .failure(.timedOut) : .text("news", after: .milliseconds(1))
      world.network.stub(.get, url, responses: response.repeating)
      let endless =
        switch name {
        case "catch": load(in: world)
        case "append": poll(in: world)
        default: pages(in: world)
        }
      endless.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        .store(in: &world.cancellables)
      world.run()
    }
    let line = firstLine(of: found)
    #expect(
      line.contains(" GET https://example.com/news was made 500 times "), "\(found.first ?? "")")
    let suspect =
      name == "flatMap" ? "something repeats it, such as a retry" : "because \(name) "
    #expect(line.contains(suspect), "\(line)")
  }

  @Test func aTimerWithoutAnEnd() {
    let line = #line + 5
    let found = problems { world in
      world.network.stub(.get, url, responses: .text("news").repeating)
      Timer.publish(every: 1, on: .main, in: .common).autoconnect()
        .flatMap { _ in tries(world).replaceError(with: "") }
        .sink { _ in }.store(in: &world.cancellables)
      world.run()
    }
    #expect(
      firstLine(of: found)
        == "run() doesn't end: GET https://example.com/news was made 500 times until 500s, because "
        + "something repeats it, such as a retry without a count, or a timer. Give it an end, such "
        + "as retry(2) or prefix(10), or a stub that succeeds. If it ends later, allow more: "
        + "run(limit: 1_000_000). The last time, it came like this:")
    #expect(found.first?.contains("scheduled at RepeatedRequestsTests.swift:\(line)") == true)
  }

  @Test func theLanesShowWhatLedFromOneToTheNext() throws {
    let line = #line + 3
    let found = problems { world in
      world.network.stub(.get, url, responses: .failure(.timedOut).repeating)
      tries(world).lane("news").retry(-1).lane("retry")
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in }).store(in: &world.cancellables)
      world.run()
    }
    let lines = try #require(found.first?.split(separator: "\n"))
    #expect(lines.first?.hasSuffix(". The last time, it came like this:") == true)
    let place = "RepeatedRequestsTests.swift:\(line)"
    // Without the numbers of the events.
    let steps = lines.dropFirst().map {
      $0.split(separator: " ").dropFirst().joined(separator: " ")
    }
    #expect(
      steps == [
        "0ms request 499 is made: GET https://example.com/news",
        "0ms request 499 fails: timedOut.",
        "0ms news fails: timedOut. \(place)",
        "0ms news gets a subscriber. \(place)",
        "0ms request 500 is made: GET https://example.com/news",
      ])
  }

  // MARK: What may go on

  @Test func aLimitAllowsMore() {
    let found = problems { world in
      world.network.stub(.get, url, responses: .failure(.timedOut).repeating)
      let recorder = world.record(tries(world).retry(600))
      world.run(limit: 1_000_000)
      #expect(recorder.events.count == 2)
    }
    #expect(found == [])
  }

  @Test func aPollInACallWithAnEnd() {
    let found = problems { world in
      world.network.stub(.get, url, responses: .text("news").repeating)
      let recorder = world.record(
        Timer.publish(every: 60, on: .main, in: .common).autoconnect()
          .flatMap { _ in tries(world).replaceError(with: "") })
      world.advance(by: .seconds(60 * 600))
      #expect(recorder.values.count == 600)
    }
    #expect(found == [])
  }

  @Test func requestsThatDoNotFollowFromOneAnother() {
    let found = problems { world in
      world.network.stub(.get, url, responses: .text("news", after: .milliseconds(1)).repeating)
      let subject = PassthroughSubject<Void, Never>()
      let recorder = world.record(subject.flatMap { tries(world).replaceError(with: "") })
      for _ in 1...300 { subject.send() }
      for number in 1...300 { world.at(.milliseconds(number)) { subject.send() } }
      world.run()
      #expect(recorder.values.count == 600)
    }
    #expect(found == [])
  }
}
