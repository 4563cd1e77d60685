import StreamsTesting
import Testing

/// A stream that must end is a problem if it's still going when its world ends.
@Suite struct ExpectsEndTests {
  private static let advice =
    "Run the world for longer, or give it an end in each case, as timeout and replaceError do"

  @Test func aStreamThatGoesOnIsAProblem() {
    let line = #line + 4
    let found = problems { world in
      let names = world.hot("--a-b--|", ["a": "Ada", "b": "Bob"])
      world.at(.milliseconds(1)) {
        world.expectsEnd(of: names.append(Empty(completeImmediately: false)), as: "the refresh")
      }
      world.run()
    }
    #expect(
      found == [
        "ExpectsEndTests.swift:\(line): the refresh never ended: it began at 1ms, and last delivered "
          + "\"Bob\" at 4ms. \(Self.advice)"
      ])
  }

  @Test func aStreamWithoutValuesIsAProblemToo() {
    let line = #line + 2
    let found = problems { world in
      world.expectsEnd(of: PassthroughSubject<Int, Never>())
      world.run()
    }
    #expect(
      found == [
        "ExpectsEndTests.swift:\(line): the stream never ended: it began at 0, and has delivered "
          + "nothing. \(Self.advice)"
      ])
  }

  @Test func bothEndsAreFine() {
    let found = problems { world in
      world.expectsEnd(of: Just(1).delay(for: .seconds(1), scheduler: DispatchQueue.main))
      world.expectsEnd(of: Fail<Int, URLError>(error: URLError(.timedOut)))
      world.run()
    }
    #expect(found == [])
  }

  /// It follows from the error.
  @Test func aTestThatThrowsHasNoSuchProblem() {
    struct Stop: Error {}
    let (found, error) = problemsAndError { world in
      world.expectsEnd(of: PassthroughSubject<Int, Never>())
      throw Stop()
    }
    #expect(found == [])
    #expect(error is Stop)
  }

  /// The end of the world isn't an end of the stream.
  @Test func cancellingAtTheEndDoesNotCount() {
    let found = problems { world in
      let (names, ends) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      names.handleEvents(receiveCancel: { ends.send(completion: .finished) })
        .sink { _ in }.store(in: &world.cancellables)
      world.expectsEnd(of: ends)
    }
    #expect(found.count == 1)
  }

  /// A refresh whose retry waits for a connection that never comes, but only if the request fails.
  @Test func eachFaultIsHeldToIt() {
    let endings = Locked<[String]>([])
    let messages = IssueLog.messages {
      expectEndings { world in
        let url = "https://example.com/news"
        world.network.stub(.get, url, responses: .text("news", after: .milliseconds(100)))
        let reconnects = PassthroughSubject<Void, Never>()
        let news = world.session.dataTaskPublisher(for: URL(string: url)!)
          .map { String(decoding: $0.data, as: UTF8.self) }
          .catch { _ in reconnects.map { "again" } }
        world.expectsEnd(of: news, as: "the refresh")
        world.run()
      } judging: { ending in
        endings.withLock { $0 += ending.problems }
        // An expectation that fails counts, whatever the judge says.
        return true
      }
    }
    #expect(
      Set(endings.withLock { $0 }) == [
        "the refresh never ended: it began, and has delivered nothing. \(Self.advice)"
      ])
    #expect(messages.count == 1)
    #expect(messages.first?.contains("request 1 is refused, times out, is lost after") == true)
  }

  /// Times don't count in an outcome.
  @Test func aProblemAtAnotherTimeIsTheSameProblem() {
    let messages = IssueLog.messages {
      expectSameAtAnyTime { world in
        let url = "https://example.com/news"
        world.network.stub(.get, url, responses: .text("news", after: .milliseconds(100)))
        let news = world.session.dataTaskPublisher(for: URL(string: url)!).map(\.data)
          .replaceError(with: Data())
        world.expectsMainQueue(for: news.merge(with: Empty(completeImmediately: false)))
        world.network.stub(.get, url + "/2", responses: .text("news", after: .milliseconds(100)))
        world.expectsEnd(
          of: world.session.dataTaskPublisher(for: URL(string: url + "/2")!).map(\.data)
            .replaceError(with: Data()).append(Empty(completeImmediately: false)))
        world.run()
      }
    }
    #expect(
      messages.map { $0.prefix(20) } == ["the value 4 bytes ar", "the stream never end"])
  }
}
