import StreamsTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests that tasks, threads and queues make at the same time as the test are marked, and come
/// in an order that doesn't depend on the threads.
@Suite(.hangLimit) struct OutsideRequestTests {
  private static func url(_ path: some CustomStringConvertible) -> URL {
    URL(string: "https://example.com/\(path)")!
  }

  private static let advice =
    ": from a thread, a Task outside, or a queue that the world doesn't drive, so when it comes, and which of "
    + "several comes first, is open. Send it from a stream, with dataTaskPublisher(for:), or attach "
    + "your own queue with world.attach(queue)"

  private static func report(_ requests: String, at line: Int) -> String {
    "OutsideRequestTests.swift:\(line): \(requests) came from outside the world, at about 0, sent at "
      + "OutsideRequestTests.swift:\(line)" + advice
  }

  /// A program that starts requests, and its record.
  private func found(
    _ count: Int = 1, in body: (World) async -> Void
  ) async -> (problems: [String], transcript: String) {
    let transcript = Locked("")
    let problems = await problems(.outside) { world in
      for index in 0..<count { world.network.stub(.get, Self.url(index), responses: .status(200)) }
      await body(world)
      world.run()
      transcript.withLock { $0 = world.transcript }
    }
    return (problems, transcript.withLock { $0 })
  }

  private static let marked = """
    0ms  request 1  GET https://example.com/0  [outside the world]
    0ms  request 1  200 OK
    0ms  request 1  finished

    """

  @Test func aTask() async {
    let line = #line + 3
    let (problems, transcript) = await found { world in
      let session = world.session
      await Task { session.dataTask(with: Self.url(0)) { _, _, _ in }.resume() }.value
    }
    #expect(problems == [Self.report("request 1 (GET https://example.com/0)", at: line)])
    #expect(transcript == Self.marked)
  }

  @Test func aGlobalQueue() async {
    let line = #line + 5
    let (problems, transcript) = await found { world in
      let session = world.session
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          session.dataTask(with: Self.url(0)) { _, _, _ in }.resume()
          continuation.resume()
        }
      }
    }
    #expect(problems == [Self.report("request 1 (GET https://example.com/0)", at: line)])
    #expect(transcript == Self.marked)
  }

  @Test func aThreadAndAPublisher() async {
    let line = #line + 6
    let (problems, transcript) = await found { world in
      let session = world.session
      let subscriptions = Locked<Set<AnyCancellable>>([])
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let sink = session.dataTaskPublisher(for: Self.url(0))
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
          _ = subscriptions.withLock { $0.insert(sink) }
          continuation.resume()
        }
      }
      world.cancellables = subscriptions.withLock { $0 }
    }
    #expect(problems.count == 1)
    #expect(
      problems.first?.hasPrefix(
        "OutsideRequestTests.swift:\(line + 1): request 1 (GET https://example.com/0) came from "
          + "outside") == true, "\(problems)")
    #expect(transcript == Self.marked)
  }

  /// Its task is resumed inside the function of Foundation.
  @Test func anAsyncFunctionInATask() async {
    let (problems, transcript) = await found { world in
      let session = world.session
      let task = Task { try await session.data(from: Self.url(0)).0.count }
      while world.network.events.isEmpty {
        world.settle()
        await Task.yield()
      }
      world.run()
      #expect(await (try? task.value) == 0)
    }
    #expect(problems.count == 1)
    #expect(
      problems.first?.contains("request 1 (GET https://example.com/0) came from outside the world")
        == true, "\(problems)")
    #expect(transcript == Self.marked)
  }

  /// A task that was made inside, whose `resume()` comes from a thread.
  @Test func aResumeFromAThread() async {
    let (problems, transcript) = await found { world in
      let task = world.session.dataTask(with: Self.url(0)) { _, _, _ in }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          task.resume()
          continuation.resume()
        }
      }
    }
    #expect(problems.count == 1)
    #expect(transcript == Self.marked)
  }

  /// What one settling finds comes in the order of methods, URLs, headers and bodies.
  @Test func theOrderOfRequestsThatAreFoundTogetherIsAlwaysTheSame() async {
    for _ in 0..<100 {
      let (problems, transcript) = await found(4) { world in
        let session = world.session
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<4 {
            group.addTask { session.dataTask(with: Self.url(index)) { _, _, _ in }.resume() }
          }
        }
      }
      #expect(problems.count == 1)
      #expect(
        problems.first?.contains(
          "request 1 (GET https://example.com/0) and 3 more came from outside the world") == true,
        "\(problems)")
      let rows =
        (0..<4).map { "request \($0 + 1)  GET https://example.com/\($0)  [outside the world]" }
        + (1...4).map { "request \($0)  200 OK" } + (1...4).map { "request \($0)  finished" }
      #expect(transcript == rows.map { "0ms  \($0)\n" }.joined())
    }
  }

  /// The world's own requests keep the order in which they were made.
  @Test func aRequestFromOutsideComesAfterThoseOfTheWorld() async {
    for _ in 0..<50 {
      let (_, transcript) = await found(3) { world in
        let session = world.session
        session.dataTask(with: Self.url(2)) { _, _, _ in }.resume()
        await Task { session.dataTask(with: Self.url(0)) { _, _, _ in }.resume() }.value
        session.dataTask(with: Self.url(1)) { _, _, _ in }.resume()
      }
      #expect(
        transcript.split(separator: "\n").filter { $0.contains("GET") } == [
          "0ms  request 1  GET https://example.com/2",
          "0ms  request 2  GET https://example.com/1",
          "0ms  request 3  GET https://example.com/0  [outside the world]",
        ])
    }
  }

  /// The advice "run the world" would be wrong: the test has done so.
  @Test func aRequestThatComesAfterTheLastCallSaysSo() async {
    let line = #line + 8
    let found = await problems(.outside) { world in
      world.network.stub(
        .get, Self.url(0), responses: .status(200, after: .seconds(1)).repeating)
      let session = world.session
      session.dataTask(with: Self.url(0)) { _, _, _ in }.resume()
      world.run()
      await Task {
        session.dataTask(with: Self.url(0)) { _, _, _ in }.resume()
      }.value
    }
    #expect(
      found == [
        "OutsideRequestTests.swift:\(line): request 2 (GET https://example.com/0) is still open, "
          + "because it came from outside the world, sent at OutsideRequestTests.swift:\(line), after "
          + "the last call that moves time: let the test wait for the Task, thread or queue that sends "
          + "it, and run the world after that. Or send it from a stream, with "
          + "dataTaskPublisher(for:), which needs no wait"
      ])
  }

  @Test func requestsOfTheWorldAreNotMarked() async {
    let queue = DispatchQueue(label: "attached")
    let operations = OperationQueue()
    let (problems, transcript) = await found(6) { world in
      world.attach(queue)
      world.attach(operations)
      let session = world.session
      let load = { @Sendable (index: Int) in
        session.dataTask(with: Self.url(index)) { _, _, _ in }.resume()
      }
      load(0)
      world.at(.milliseconds(1)) { queue.async { load(1) } }
      world.at(.milliseconds(2)) { operations.addOperation { load(2) } }
      world.at(.milliseconds(3)) { DispatchQueue.main.schedule { load(3) } }
      world.at(.milliseconds(4)) {
        DispatchQueue(label: "own").schedule { load(4) }
      }
      world.at(.milliseconds(5)) { RunLoop.main.schedule { load(5) } }
      world.run()
    }
    #expect(problems == [])
    #expect(!transcript.contains("outside"), "\(transcript)")
  }

  /// As in XCTest, where `setUp` and the test are tasks of their own.
  @Test func aTaskThatMovesTimeBelongsToTheWorld() async {
    let (problems, _) = await found { world in
      await Task {
        world.session.dataTask(with: Self.url(0)) { _, _, _ in }.resume()
        world.run()
      }.value
    }
    #expect(problems == [])
  }

  // MARK: Calls that are refused

  /// The wait ends at once, so no watch has to end it.
  @Test func anAsyncDownloadFailsTheTestAtOnce() async {
    let line = #line + 1
    let found = await problems(.outside) { world in
      world.network.stub(.get, Self.url(0), responses: .text("x").repeating)
      do {
        _ = try await world.session.download(from: Self.url(0))
      } catch {
        #expect((error as? URLError)?.code == .resourceUnavailable)
      }
    }
    #expect(found.count == 2)
    #expect(
      found.contains(
        "OutsideRequestTests.swift:\(line): GET https://example.com/0 is refused: a stub can't make "
          + "the file of download(from:), download(for:) and downloadTask(withResumeData:): use "
          + "downloadTask(with:completionHandler:)"), "\(found)")
  }

  @Test func aWebSocketFailsTheTest() {
    let line = #line + 1
    let found = problems { world in
      world.session.webSocketTask(with: URL(string: "wss://example.com/")!).resume()
      world.run()
    }
    #expect(
      found == [
        "OutsideRequestTests.swift:\(line): GET wss://example.com/ is refused: a stub can't respond to "
          + "a web socket: put a protocol in front of URLSessionWebSocketTask, and pass the test's own "
          + "implementation, such as one with a subject"
      ])
  }

  /// At the line of the stub, in words, and at once.
  @Test func aPatternThatIsNotJSONFailsTheTest() {
    let line = #line + 1
    let found = problems { world in
      world.network.stub(
        .post, Self.url(0), body: .json("{a:1}"), responses: .status(200), line: 7)
    }
    #expect(
      found == [
        "OutsideRequestTests.swift:\(line): no request can match the stub of POST "
          + "https://example.com/0 (VirtualWorldTests/OutsideRequestTests.swift:7): the pattern's body "
          + "isn't JSON: \"{a:1}\"",
        "OutsideRequestTests.swift:\(line): the stub of POST https://example.com/0 "
          + "(VirtualWorldTests/OutsideRequestTests.swift:7) never got a request",
      ])
  }
}
