import Foundation
import Streams
import StreamsTesting
import Testing

struct FaultTests {
  private static let url = "https://example.com/user"

  /// Loads a name, and shows it; if that fails, a stand-in.
  private static func load(in world: World, checksStatus: Bool = true) -> String {
    world.network.stub(.get, url, responses: .text("Ada Lovelace", after: .milliseconds(100)))
    nonisolated(unsafe) var shown = "nothing"
    world.session.dataTaskPublisher(for: URL(string: url)!)
      .tryMap { data, response in
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if checksStatus, status != 200 { throw URLError(.badServerResponse) }
        return String(decoding: data, as: UTF8.self)
      }
      .retry(1)
      .map { "\($0) at \(world.clock.now)" }
      .catch { Just("\(($0 as? URLError)?.code.rawValue ?? 0) at \(world.clock.now)") }
      .sink { shown = $0 }
      .store(in: &world.cancellables)
    world.run()
    return shown
  }

  @Test func eachFaultHappensOnce() {
    let endings = Locked<[String]>([])
    expectEndings { world in
      Self.load(in: world)
    } judging: { ending in
      endings.withLock { $0.append("\(ending): \(ending.outcome ?? "")") }
      return ending.problems.isEmpty
    }
    #expect(
      endings.withLock { $0 } == [
        "request 1 is refused: Ada Lovelace at 200ms",
        "request 1 times out: Ada Lovelace at 60100ms",
        "request 1 is lost after 6 bytes: Ada Lovelace at 200ms",
        "request 1 gets a 401: Ada Lovelace at 200ms",
        "request 1 gets a 403: Ada Lovelace at 200ms",
        "request 1 gets a 404: Ada Lovelace at 200ms",
        "request 1 gets a 429: Ada Lovelace at 200ms",
        "request 1 gets a 500: Ada Lovelace at 200ms",
        "request 1 gets a 503: Ada Lovelace at 200ms",
        "request 1 gets a page of HTML: <html>Something went wrong.</html> at 100ms",
        "request 1 meets a captive portal: Ada Lovelace at 200ms",
        "request 1 gets an empty body:  at 100ms",
        "request 1 is twice as late: Ada Lovelace at 200ms",
        "request 1 is 10 times as slow: Ada Lovelace at 1s",
      ])
  }

  @Test func anEndingThatIsNotAcceptedFailsTheTest() {
    let messages = issues {
      expectEndings(of: FaultSelection { $0.kind == .status(500) }) { world in
        Self.load(in: world, checksStatus: false)
      } judging: { ending in
        ending.outcome?.hasPrefix("Ada") == false
      }
    }
    #expect(
      messages == [
        """
        if request 1 gets a 500, the test ends in a way that isn't accepted:
          Ada Lovelace at 100ms
        to run it again: withWorld { world in world.network.inject("request 1 gets a 500"); … }
        """
      ])
  }

  @Test func faultsWithTheSameEndingFailATestOnce() {
    let messages = issues {
      expectEndings { world in
        world.network.stub(
          .get, "https://example.com/a", responses: .text("12", after: .milliseconds(5)))
        var shown = ""
        world.session.dataTaskPublisher(for: URL(string: "https://example.com/a")!)
          .map { String(decoding: $0.data, as: UTF8.self) }
          .replaceError(with: "")
          .sink { shown = $0.count == 2 ? $0 : String($0.prefix(1)) }
          .store(in: &world.cancellables)
        world.run()
        return shown
      } judging: {
        $0.outcome == "12"
      }
    }
    #expect(
      messages == [
        """
        with each of 5 faults, the test ends in a way that isn't accepted:
        request 1 is refused, times out, is lost after 1 byte, meets a captive portal, \
        gets an empty body
          
        to run the first again: \
        withWorld { world in world.network.inject("request 1 is refused"); … }
        """,
        """
        if request 1 gets a page of HTML, the test ends in a way that isn't accepted:
          <
        to run it again: \
        withWorld { world in world.network.inject("request 1 gets a page of HTML"); … }
        """,
      ])
  }

  @Test func endingsThatOnlyDifferInTheirStatusFailATestOnce() {
    let messages = issues {
      expectEndings(
        of: FaultSelection { [.status(401), .status(404), .status(503)].contains($0.kind) }
      ) { world in
        world.network.stub(.get, Self.url, responses: .text("Ada"))
        var shown = ""
        world.session.dataTaskPublisher(for: URL(string: Self.url)!)
          .map { ($0.response as? HTTPURLResponse)?.statusCode ?? 0 }
          .replaceError(with: 0)
          .sink { shown = $0 == 200 ? "Ada" : $0 == 503 ? "wait" : "error \($0)" }
          .store(in: &world.cancellables)
        world.run()
        return shown
      } judging: { ending in
        ending.outcome == "Ada"
      }
    }
    #expect(
      messages == [
        """
        with each of 2 faults, the test ends in a way that isn't accepted:
        request 1 gets a 401, 404
          error <status>
        to run the first again: \
        withWorld { world in world.network.inject("request 1 gets a 401"); … }
        """,
        """
        if request 1 gets a 503, the test ends in a way that isn't accepted:
          wait
        to run it again: withWorld { world in world.network.inject("request 1 gets a 503"); … }
        """,
      ])
  }

  /// The test waits for it before it ends.
  @Test func theLastWorkOfTheMainQueueBelongsToTheEnding() {
    let messages = issues {
      expectEndings(of: FaultSelection { $0.kind == .status(500) }) { world in
        world.network.stub(.get, Self.url, responses: .text("Ada"))
        let names = PassthroughSubject<String, Never>()
        _ = world.record(names, as: "names")
        world.session.dataTaskPublisher(for: URL(string: Self.url)!)
          .sink { _ in
          } receiveValue: { _ in
          }
          .store(in: &world.cancellables)
        world.run()
        DispatchQueue.main.async { names.send("late") }
      } judging: { _ in
        false
      }
    }
    #expect(messages.contains { $0.contains("names: value late") }, "\(messages)")
  }

  /// What recorders receive is the outcome of a body that returns nothing.
  @Test func endingsAreComparedWithASnapshot() {
    expectEndings { world in
      for path in ["a", "b"] {
        world.network.stub(
          .get, "https://example.com/\(path)",
          responses: .chunked(chunks: [.init("12"), .init("34", after: .milliseconds(5))]))
      }
      let session = world.session
      let loads = ["a", "b"].publisher.flatMap(maxPublishers: .max(1)) { path in
        session.dataTaskPublisher(for: URL(string: "https://example.com/\(path)")!).map(\.data)
      }
      _ = world.record(loads.map { String(decoding: $0, as: UTF8.self) }, as: "loads")
      world.run()
    }
  }

  /// A response without its chunks ends when the whole one does.
  @Test func aFaultDoesNotMakeAResponseFaster() {
    let ends = Locked<[String]>([])
    expectEndings { world in
      world.network.stub(
        .get, Self.url,
        responses: .chunked(
          chunks: [.init("a", after: .milliseconds(10)), .init("b", after: .milliseconds(20))],
          latency: .milliseconds(5), end: .finish(after: .milliseconds(1))))
      let load = world.record(world.session.dataTaskPublisher(for: URL(string: Self.url)!))
      world.run()
      return "\(load.times.first ?? .zero)"
    } judging: { ending in
      ends.withLock { $0.append("\(ending.faults[0].kind): \(ending.outcome ?? "")") }
      return true
    }
    #expect(
      ends.withLock { $0 } == [
        "is refused: 0", "times out: 0", "is lost after 1 byte: 0", "gets a 401: 36ms",
        "gets a 403: 36ms", "gets a 404: 36ms", "gets a 429: 36ms", "gets a 500: 36ms",
        "gets a 503: 36ms", "gets a page of HTML: 36ms", "meets a captive portal: 0",
        "gets an empty body: 36ms", "is twice as late: 72ms", "is 10 times as slow: 360ms",
      ])
  }

  @Test func problemsWithoutAFaultFailTheTest() {
    let messages = issues {
      expectEndings { world in
        world.network.stub(.get, Self.url, responses: .text(""))
      } judging: { _ in
        true
      }
    }
    #expect(messages.count == 2)
    #expect(messages[0].contains("never got a request"))
    #expect(
      messages[1]
        == "no request has a response, so nothing can go wrong with it, and no ending was "
        + "judged")
  }

  /// An error that a fault leads to is an ending. Without a fault, it ends the test.
  @Test func anErrorIsAnEnding() async throws {
    struct Oops: Error {}
    let errors = Locked<[String]>([])
    try await expectEndings(of: FaultSelection { $0.kind != .malformedBody }) { world in
      world.network.stub(.get, Self.url, responses: .text("Ada"))
      let load = world.record(
        world.session.dataTaskPublisher(for: URL(string: Self.url)!).map(\.data))
      world.run()
      await Task.yield()
      if case .failure(let error) = load.completion { throw error }
      return load.values.count
    } judging: { ending in
      errors.withLock {
        $0.append("\(ending.faults[0].kind): \(ending.error.map { stableText($0) } ?? "")")
      }
      return true
    }
    #expect(
      errors.withLock { $0 } == [
        "is refused: URLError.cannotConnectToHost", "times out: URLError.timedOut",
        "is lost after 1 byte: URLError.networkConnectionLost", "gets a 401: ", "gets a 403: ",
        "gets a 404: ", "gets a 429: ", "gets a 500: ", "gets a 503: ",
        "meets a captive portal: URLError.serverCertificateUntrusted", "gets an empty body: ",
      ])
    #expect(throws: Oops.self) {
      try expectEndings { _ -> Int in
        throw Oops()
      } judging: { _ in
        true
      }
    }
  }

  /// Work that a fault leaves behind is part of the ending.
  @Test func problemsWithAFaultBelongToTheEnding() {
    let problems = Locked<[[String]]>([])
    expectEndings(of: FaultSelection { $0.kind == .refused }) { world in
      world.network.stub(.get, Self.url, responses: .text("Ada"))
      world.session.dataTaskPublisher(for: URL(string: Self.url)!)
        .sink(
          receiveCompletion: {
            if case .failure = $0 { world.clock.schedule(after: .seconds(9)) {} }
          }, receiveValue: { _ in }
        )
        .store(in: &world.cancellables)
      world.advance(by: .seconds(1))
    } judging: { ending in
      problems.withLock { $0.append(ending.problems) }
      return true
    }
    #expect(problems.withLock { $0.map(\.count) } == [1])
    #expect(problems.withLock { $0 }.joined().contains { $0.hasPrefix("unfinished work") })
  }

  // MARK: Lasting faults, and pairs

  /// With a fault of one request, the second try succeeds.
  @Test func onlyLastingFaultsReachAScreenThatGivesUp() {
    func endings(of faults: FaultSelection) -> [String] {
      let endings = Locked<[String]>([])
      expectEndings(of: faults) { world in
        (Self.load(in: world), world.network.requests.count)
      } judging: { ending in
        let (shown, requests) = ending.outcome ?? ("", 0)
        endings.withLock { $0.append("\(ending): \(shown) after \(requests)") }
        return true
      }
      return endings.withLock { $0 }
    }
    let faults = FaultSelection { [.refused, .status(401)].contains($0.kind) }
    #expect(
      endings(of: faults) == [
        "request 1 is refused: Ada Lovelace at 200ms after 2",
        "request 1 gets a 401: Ada Lovelace at 200ms after 2",
      ])
    #expect(
      endings(of: faults.lasting) == [
        "from request 1 on, each request is refused: -1004 at 200ms after 2",
        "from request 1 on, each request gets a 401: -1011 at 200ms after 2",
      ])
    #expect(
      endings(of: faults.inPairs()).dropFirst(2) == [
        "request 1 is refused, and then request 2 is refused: -1004 at 200ms after 2",
        "request 1 is refused, and then request 2 gets a 401: -1011 at 200ms after 2",
        "request 1 gets a 401, and then request 2 is refused: -1004 at 200ms after 2",
        "request 1 gets a 401, and then request 2 gets a 401: -1011 at 200ms after 2",
      ])
  }

  /// A retry without an end is stopped, and that's a problem of the ending.
  @Test func aRetryWithoutAnEndIsAnEnding() {
    let problems = Locked<[String]>([])
    expectEndings(of: FaultSelection { $0.kind == .refused }.lasting) { world in
      world.network.stub(.get, Self.url, responses: .text("Ada", after: .milliseconds(100)))
      world.session.dataTaskPublisher(for: URL(string: Self.url)!).retry(.max)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        .store(in: &world.cancellables)
      world.run()
    } judging: { ending in
      problems.withLock { $0 += ending.problems }
      return true
    }
    #expect(
      problems.withLock { $0 }.contains { $0.contains("was made 500 times") },
      "\(problems.withLock { $0 })")
  }

  @Test func morePairsThanALimitFailTheTest() {
    let messages = issues {
      expectEndings(
        of: FaultSelection { [.refused, .status(401)].contains($0.kind) }.inPairs(limit: 3)
      ) { world in
        Self.load(in: world)
      } judging: { _ in
        true
      }
    }
    #expect(
      messages == [
        "not everything was tried: stopped after 3 pairs of faults, and there are more"
      ])
  }

  // MARK: Orders

  /// Shows the last of two letters that come at one instant. A failure has fewer steps than a
  /// response, so it comes first.
  private static func lastLetter(in world: World) -> String {
    nonisolated(unsafe) var shown = ""
    for letter in ["a", "b"] {
      let url = "https://example.com/\(letter)"
      world.network.stub(.get, url, responses: .text(letter, after: .milliseconds(100)))
      world.session.dataTaskPublisher(for: URL(string: url)!)
        .map { String(decoding: $0.data, as: UTF8.self) }
        .replaceError(with: "no \(letter)")
        .sink { shown = $0 }
        .store(in: &world.cancellables)
    }
    world.run()
    return shown
  }

  @Test func eachFaultIsTriedInOtherOrders() {
    let endings = Locked<[String]>([])
    expectEndings(of: FaultSelection { $0.kind == .refused }, departures: 1) { world in
      Self.lastLetter(in: world)
    } judging: { ending in
      endings.withLock { $0.append("\(ending): \(ending.outcome ?? "")") }
      return true
    }
    #expect(
      endings.withLock { $0 } == [
        "in the order 100ms:1: a", "in the order 100ms:0,1: b", "in the order 100ms:0,0,1: a",
        "in the order 100ms:0,0,0,1: b", "in the order 100ms:0,0,0,0,1: a",
        "request 1 is refused: b", "request 1 is refused, in the order 100ms:1: no a",
        "request 2 is refused: a", "request 2 is refused, in the order 100ms:1: a",
        "request 2 is refused, in the order 100ms:0,1: no b",
      ])
  }

  /// Pasting the printed line leads to the same ending.
  @Test func aFailureSaysHowToRunItAgain() {
    let messages = issues {
      expectEndings(of: FaultSelection { $0.kind == .refused }, departures: 1) { world in
        Self.lastLetter(in: world)
      } judging: { ending in
        ending.outcome != "no a" && ending.outcome != "a"
      }
    }
    #expect(
      messages == [
        """
        with each of 2 cases, the test ends in a way that isn't accepted:
        request 2 is refused
        in the order 100ms:1
          a
        to run the first again: \
        withWorld { world in world.network.inject("request 2 is refused"); … }
        """,
        """
        if request 1 is refused, in the order 100ms:1, the test ends in a way that isn't accepted:
          no a
        to run it again: withWorld(schedule: "100ms:1") { world in \
        world.network.inject("request 1 is refused"); … }
        """,
      ])
    let again = withWorld(schedule: "100ms:1") { world in
      world.network.inject("request 1 is refused")
      return Self.lastLetter(in: world)
    }
    #expect(again == "no a")
  }

  // MARK: One fault in any world

  @Test(.world) func aFaultHappensInATestWithItsOwnWorld() throws {
    let world = try World.current
    world.network.inject("from request 1 on, each request gets a 404")
    #expect(Self.load(in: world) == "-1011 at 200ms")
    #expect(world.network.requests == ["GET \(Self.url)", "GET \(Self.url)"])
  }

  @Test func aFaultHappensWithASchedule() {
    let shown = withWorld(schedule: "100ms:1") { world in
      world.network.inject("request 1 is refused")
      return Self.lastLetter(in: world)
    }
    #expect(shown == "no a")
  }

  @Test func aFaultHappensWithAMove() {
    let shown = withWorld(moving: "GET /user to 300ms") { world in
      world.network.inject("request 1 is refused")
      return Self.load(in: world)
    }
    #expect(shown == "Ada Lovelace at 400ms")
  }

  @Test func aFaultHappensInEveryOrder() {
    let messages = issues {
      expectSameInEveryOrder { world in
        world.network.inject("request 1 is refused")
        return Self.lastLetter(in: world)
      }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("no a") == true, "\(messages)")
  }

  @Test func aFaultHappensAtAnyTime() {
    let messages = issues {
      expectSameAtAnyTime { world in
        world.network.inject("request 1 is refused")
        return Self.lastLetter(in: world)
      }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("no a") == true, "\(messages)")
  }

  /// A request that's only made in the usual order. That's no difference by itself.
  @Test func aFaultMayNotHappenInAnotherOrder() {
    let counts = Locked<Set<Int>>([])
    let messages = issues {
      expectSameInEveryOrder { world in
        world.network.inject("request 3 is refused")
        let letters = PassthroughSubject<String, Never>()
        let load: (String) -> AnyPublisher<String, Never> = { letter in
          let url = "https://example.com/\(letter)"
          world.network.stub(.get, url, responses: .text(letter, after: .milliseconds(100)))
          return world.session.dataTaskPublisher(for: URL(string: url)!)
            .map { String(decoding: $0.data, as: UTF8.self) }
            .replaceError(with: "none").eraseToAnyPublisher()
        }
        letters.first().filter { $0 == "a" }.flatMap { _ in load("c") }
          .sink { _ in }.store(in: &world.cancellables)
        for letter in ["a", "b"] {
          load(letter).sink { letters.send($0) }.store(in: &world.cancellables)
        }
        world.run()
        counts.withLock { _ = $0.insert(world.network.requests.count) }
        return "done"
      }
    }
    #expect(messages == [])
    #expect(counts.withLock { $0 } == [2, 3])
  }

  @Test func aFaultThatDoesNotHappenFailsTheTest() {
    let messages = issues {
      withWorld { world in
        world.network.inject("request 3 is refused")
        #expect(Self.lastLetter(in: world) == "b")
      }
    }
    #expect(
      messages == [
        "\"request 3 is refused\" didn't happen: no stub has responded to a request 3 since inject "
          + "was called"
      ])
  }

  @Test func aTextThatIsNoFaultFailsTheTest() {
    let messages = issues {
      withWorld { world in world.network.inject("the server is down", fileID: "T.swift", line: 7) }
    }
    #expect(
      messages == [
        "\"the server is down\" isn't a fault: write a request and what goes wrong with it, such as "
          + "\"request 1 is refused\", \"request 2 gets a 401\" or \"from request 1 on, each request "
          + "times out\" (T.swift:7)"
      ])
  }
}
