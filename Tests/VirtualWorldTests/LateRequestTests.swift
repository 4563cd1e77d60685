import StreamsTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Code that outlives its test and makes a request fails, and is reported. It never ends the
/// program, and no other test is blamed.
@Suite(.hangLimit) struct LateRequestTests {
  private static let url = URL(string: "https://example.com/late")!

  enum Way: CaseIterable {
    case publisher, handler, delegate, async, upload, asyncUpload, asyncDownload, webSocket

    /// Foundation makes the task later, on a stack of its own. So its place isn't known.
    var hasPlace: Bool { ![.async, .asyncUpload, .asyncDownload].contains(self) }
  }

  enum End: CaseIterable {
    case returns, `throws`
  }

  /// Collects what a world reports, and lets a test wait for it.
  private final class Reports: Sendable {
    private let stream: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(_ problem: World.Problem) { continuation.yield("\(problem)") }

    var first: String? {
      get async {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
      }
    }
  }

  /// Makes a request.
  ///
  /// - Returns: The line of the code that made it.
  private static func request(
    _ way: Way, in session: URLSession
  ) async -> (line: Int, error: String) {
    var post = URLRequest(url: url)
    post.httpMethod = "POST"
    let (ends, end) = AsyncStream<String>.makeStream()
    let note = { @Sendable (error: (any Error)?) in
      _ = end.yield((error as? URLError)?.code.name ?? "none")
    }
    let handler = { @Sendable (_: Data?, _: URLResponse?, error: (any Error)?) in note(error) }
    let line: Int
    var subscription: AnyCancellable?
    switch way {
    case .publisher:
      line = #line + 1
      subscription = session.dataTaskPublisher(for: url).sink { completion in
        if case .failure(let error) = completion { note(error) }
      } receiveValue: { _ in
      }
    case .handler:
      line = #line + 1
      session.dataTask(with: url, completionHandler: handler).resume()
    case .delegate:
      // It was released with the world, so it isn't told.
      line = #line + 1
      session.dataTask(with: url).resume()
      note(URLError(.cancelled))
    case .async:
      line = #line + 1
      do { _ = try await session.data(from: url) } catch { note(error) }
    case .upload:
      line = #line + 1
      session.uploadTask(with: post, from: Data(), completionHandler: handler).resume()
    case .asyncUpload:
      line = #line + 1
      do { _ = try await session.upload(for: post, from: Data()) } catch { note(error) }
    case .asyncDownload:
      line = #line + 1
      do { _ = try await session.download(from: url) } catch { note(error) }
    case .webSocket:
      line = #line + 1
      let task = session.webSocketTask(with: url)
      do { _ = try await task.receive() } catch { note(error) }
    }
    var iterator = ends.makeAsyncIterator()
    let error = await iterator.next() ?? ""
    _ = consume subscription
    return (line, error)
  }

  @Test(arguments: Way.allCases, End.allCases)
  func aRequestAfterTheEndFailsAndIsReported(way: Way, end: End) async {
    let reports = Reports()
    let sessions = Locked<URLSession?>(nil)
    let line = #line + 2
    do {
      try withWorld(onProblem: { reports.add($0) }) { world in
        let delegate = way == .delegate ? EmptyDelegate() : nil
        sessions.withLock { $0 = world.makeSession(delegate: delegate) }
        if end == .throws { throw TestError("enough") }
      }
    } catch {}
    guard let session = sessions.withLock({ $0.take() }) else { return }
    let (requestLine, error) = await Self.request(way, in: session)
    #expect(error == (way == .webSocket ? "networkConnectionLost" : "cancelled"))
    let method = way == .upload || way == .asyncUpload ? "POST" : "GET"
    let place = "LateRequestTests.swift:\(requestLine)"
    let world = "LateRequestTests.swift:\(line)"
    #expect(
      await reports.first
        == "\(way.hasPlace ? place : world): \(method) https://example.com/late was made "
        + (way.hasPlace ? "at \(place) " : "")
        + "after the end of its world, so it was cancelled. The world is that of "
        + "aRequestAfterTheEndFailsAndIsReported(way:end:) (\(world)): something that this test has "
        + "started goes on, such as a Task, a thread or a timer. Let the test wait for it, or cancel "
        + "it there")
  }

  @Test func aThreadIsReportedToo() async {
    let reports = Reports()
    let sessions = Locked<URLSession?>(nil)
    withWorld(onProblem: { reports.add($0) }) { world in
      sessions.withLock { $0 = world.session }
    }
    Thread.detachNewThread {
      sessions.withLock { $0.take() }?.dataTask(with: Self.url) { _, _, _ in }.resume()
    }
    let report = await reports.first ?? ""
    #expect(report.contains("GET https://example.com/late was made at LateRequestTests.swift:"))
    #expect(report.contains("aThreadIsReportedToo()"))
  }

  /// A loop that polls without an end is one report.
  @Test func equalRequestsAreReportedOnce() async {
    let reports = Reports()
    let sessions = Locked<URLSession?>(nil)
    withWorld(onProblem: { reports.add($0) }) { world in
      sessions.withLock { $0 = world.session }
    }
    guard let session = sessions.withLock({ $0.take() }) else { return }
    for path in ["a", "a", "a", "b"] {
      _ = try? await session.data(from: URL(string: "https://example.com/\(path)")!)
    }
    // In tasks of their own, so in either order.
    let found = [await reports.first, await reports.first].compactMap { $0 }
    #expect(found.count { $0.contains("example.com/a ") } == 1)
    #expect(found.count { $0.contains("example.com/b ") } == 1)
  }

  /// A pipeline that tries again because its world has ended isn't late.
  @Test func aRetryThatTheEndLeadsToIsNotReported() async {
    let reports = Reports()
    let sessions = Locked<URLSession?>(nil)
    withWorld(onProblem: { reports.add($0) }) { world in
      world.network.stub(.get, Self.url, responses: .text("", after: .seconds(1)).repeating)
      let session = world.session
      sessions.withLock { $0 = session }
      // Unlike a sink, this subscriber isn't cancelled at the end of the world.
      session.dataTaskPublisher(for: Self.url).retry(3).subscribe(History())
    }
    let other = URL(string: "https://example.com/b")!
    _ = try? await sessions.withLock { $0.take() }?.data(from: other)
    let found = [await reports.first, await reports.first].compactMap { $0 }
    #expect(found.first?.contains("request 1 (GET https://example.com/late) is still open") == true)
    #expect(found.last?.contains("/b was made") == true)
  }

  /// Neither the end of the world nor the process waits for it.
  @Test func aRetryWithoutAnEndIsStopped() async {
    let reports = Reports()
    withWorld(onProblem: { reports.add($0) }) { world in
      world.network.stub(.get, Self.url, responses: .text("", after: .seconds(1)).repeating)
      world.session.dataTaskPublisher(for: Self.url).retry(.max).subscribe(History())
    }
    let found = [await reports.first, await reports.first].compactMap { $0 }
    #expect(found.first?.contains("request 1 (GET https://example.com/late) is still open") == true)
    #expect(found.last?.contains("/late was made") == true)
  }

  /// The issue belongs to the test whose task makes the request, which has its known issues.
  @Test func theTestThatStartedTheTaskFails() async {
    let (matches, match) = AsyncStream<String>.makeStream()
    await withKnownIssue {
      let sessions = Locked<URLSession?>(nil)
      withWorld { world in sessions.withLock { $0 = world.session } }
      guard let session = sessions.withLock({ $0.take() }) else { return }
      let task = Task { try await session.data(from: Self.url) }
      #expect(await task.result.isFailure)
      var iterator = matches.makeAsyncIterator()
      _ = await iterator.next()
    } matching: { issue in
      match.yield("\(issue)")
      return "\(issue)".contains("https://example.com/late was made after the end of its world")
    }
  }

  /// As in XCTest, where a failure would be one of the test that happens to run.
  @Test func outsideSwiftTestingTheProgramFailsWhenItEnds() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      IssueReporter.current.reportLate("too late", #_sourceLocation, false)
      exit(0)
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.hasSuffix(": too late\n"), "\(output)")
  }

  @Test func worldsLeakNeitherFilesNorDelegates() async {
    await #expect(processExitsWith: .success) {
      func make(_ count: Int) async {
        for _ in 0..<count {
          weak var owner: Owner?
          let sessions = Locked<URLSession?>(nil)
          withWorld(onProblem: { _ in }) { world in
            world.network.serve("https://example.com") { _ in .text("", after: .seconds(1)) }
            // The delegate keeps its session, and the session its delegate.
            let made = Owner()
            made.start(world.makeSession(delegate: made))
            owner = made
            // Neither resumed nor cancelled.
            _ = world.makeSession().dataTask(with: Self.url)
            _ = world.makeSession().downloadTask(withResumeData: Data())
            _ = world.makeSession().uploadTask(withStreamedRequest: URLRequest(url: Self.url))
            sessions.withLock { $0 = world.session }
            world.settle()
          }
          _ = try? await sessions.withLock { $0.take() }?.data(from: Self.url)
          if owner != nil { fatalError("the delegate has leaked") }
        }
      }
      func openFiles() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
      }
      await make(20)
      let files = openFiles()
      await make(100)
      let more = openFiles() - files
      if more > 20 { fatalError("\(more) more open files") }
    }
  }
}

/// A delegate that keeps its session, as many clients do.
private final class Owner: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private var session: URLSession?

  func start(_ session: URLSession) {
    self.session = session
    session.dataTask(with: URL(string: "https://example.com/owner")!).resume()
  }
}

private final class EmptyDelegate: NSObject, URLSessionDataDelegate, Sendable {}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
