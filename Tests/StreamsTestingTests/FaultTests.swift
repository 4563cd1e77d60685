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
      endings.withLock { $0.append("\(ending.fault): \(ending.outcome ?? "")") }
      return ending.problems.isEmpty
    }
    #expect(
      endings.withLock { $0 } == [
        "request 1 is refused: Ada Lovelace at 200ms",
        "request 1 times out: Ada Lovelace at 60100ms",
        "request 1 is lost after 6 bytes: Ada Lovelace at 200ms",
        "request 1 gets a 500: Ada Lovelace at 200ms",
        "request 1 gets a 503 with Retry-After: Ada Lovelace at 200ms",
        "request 1 gets a page of HTML: <html>Something went wrong.</html> at 100ms",
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
        with each of 4 faults, the test ends in a way that isn't accepted:
        request 1 is refused, times out, is lost after 1 byte, gets an empty body
          
        """,
        """
        if request 1 gets a page of HTML, the test ends in a way that isn't accepted:
          <
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
      ends.withLock { $0.append("\(ending.fault.kind): \(ending.outcome ?? "")") }
      return true
    }
    #expect(
      ends.withLock { $0 } == [
        "is refused: 0", "times out: 0", "is lost after 1 byte: 0", "gets a 500: 36ms",
        "gets a 503 with Retry-After: 36ms", "gets a page of HTML: 36ms",
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
        $0.append("\(ending.fault.kind): \(ending.error.map { stableText($0) } ?? "")")
      }
      return true
    }
    #expect(
      errors.withLock { $0 } == [
        "is refused: URLError.cannotConnectToHost", "times out: URLError.timedOut",
        "is lost after 1 byte: URLError.networkConnectionLost", "gets a 500: ",
        "gets a 503 with Retry-After: ", "gets an empty body: ",
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
}
