import StreamsFoundation
import TestSupport
import Testing
import Timeline
import VirtualTime

@testable import StubNetwork

/// Every public call of `URLSession` on Linux that makes a task works, or is refused at once.
@Suite(.hangLimit) struct SessionCallTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork

  init() {
    network = StubNetwork(clock: clock)
    network.serve("https://example.com") { request in
      .text(String(decoding: request.httpBody ?? Data("none".utf8), as: UTF8.self))
    }
  }

  @Test(arguments: SessionCall.working) func aCallThatWorks(_ call: SessionCall) async throws {
    let results = Results()
    let delegate = ResultDelegate(results)
    let session = network.makeSession(delegate: delegate)
    call.make(in: session, results)
    if call.isAsync { while network.events.isEmpty { await settle() } }
    clock.run()
    #expect(await results.first == call.success)
    try network.verify()
  }

  /// Nothing moves the clock. A delegate is told when the clock settles, as about everything.
  @Test(arguments: SessionCall.refused) func aCallThatIsRefused(_ call: SessionCall) async {
    network.stub(.get, .example("a"), responses: .text("x").repeating)
    let results = Results()
    let delegate = ResultDelegate(results)
    let session = network.makeSession(delegate: delegate)
    call.make(in: session, results)
    if !call.isAsync { clock.settle() }
    #expect(await results.first == call.failure)
    let refusals = network.problems.filter { $0.contains(" is refused: ") }
    #expect(refusals.count == 1)
    #expect(refusals.first?.contains(call.name) == true, "\(refusals)")
    #expect(refusals.first?.contains(": use ") ?? false || call.isWebSocket, "\(refusals)")
  }

  /// After the network's end, each call fails, and each is reported. None ends the program.
  @Test(arguments: SessionCall.allCases, [false, true])
  func aCallAfterTheEnd(_ call: SessionCall, isReleased: Bool) async throws {
    let (results, late) = (Results(), LateRequests())
    let sink = ResultDelegate(results)
    var network: StubNetwork? = StubNetwork(
      clock: clock, timeline: Timeline(clock: clock), watch: late
    ) { Issue.record("\($0)") }
    let session = network?.makeSession(delegate: call.needsDelegate ? sink : nil)
    if isReleased { network = nil } else { network?.invalidate() }
    try call.make(in: #require(session), results)
    if call.needsDelegate {
      // Each task starts on its work queue, and these take turns.
      Sentinel.shared.waitForWorkQueues()
    } else {
      #expect(await results.first == call.lateFailure)
    }
    let urls = late.urls
    #expect(urls.count == 1 && urls[0].hasPrefix(call.url), "\(urls)")
    if let problems = network?.problems {
      #expect(
        problems.count == 1 && problems[0].contains(call.url)
          && problems[0].hasSuffix(
            "was made after the network was invalidated, so it was cancelled"),
        "\(problems)")
    }
  }

  @Test func aSessionListsItsTasks() {
    let session = network.makeSession()
    let counts = Locked<[String]>([])
    let list = {
      session.getAllTasks { tasks in counts.withLock { $0.append("\(tasks.count)") } }
      session.getTasksWithCompletionHandler { data, uploads, downloads in
        counts.withLock { $0.append("\(data.count) \(uploads.count) \(downloads.count)") }
      }
      clock.settle()
    }
    list()
    network.stub(.get, .example("slow"), responses: .text("", after: .seconds(1)).repeating)
    session.dataTask(with: .example("slow")) { _, _, _ in }.resume()
    session.downloadTask(with: .example("slow")) { _, _, _ in }.resume()
    list()
    clock.run()
    list()
    #expect(counts.withLock { $0 } == ["0", "0 0 0", "2", "1 0 1", "0", "0 0 0"])
  }

  @Test func resetAndFlushCallBackWhenTheClockSettles() {
    let session = network.makeSession()
    let lines = Locked<[String]>([])
    session.reset { lines.withLock { $0.append("reset") } }
    session.flush { lines.withLock { $0.append("flush") } }
    #expect(lines.withLock { $0 } == [])
    clock.settle()
    #expect(lines.withLock { $0 } == ["reset", "flush"])
  }

  /// As a real session does: the mistake would end the program there too.
  @Test func aTaskOfASessionThatTheCodeInvalidatedEndsTheProgram() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let network = StubNetwork(clock: VirtualTimeScheduler())
      let session = network.makeSession()
      session.invalidateAndCancel()
      session.dataTask(with: .example("user")).resume()
    }
    #expect(try fatalMessage(result) == "Session invalidated")
  }

  /// A client may do so when it's released, after the end of its test.
  @Test func invalidatingASessionAfterTheEndIsHarmless() async {
    let session = network.makeSession()
    network.invalidate()
    session.finishTasksAndInvalidate()
    session.invalidateAndCancel()
    let results = Results()
    SessionCall.dataFromURL.make(in: session, results)
    #expect(await results.first == "cancelled")
  }

  private func settle() async {
    clock.settle()
    await Task.yield()
  }
}

/// Collects the requests that are made after the end of their network.
private final class LateRequests: RequestWatch {
  private let summaries = Locked<[String]>([])

  var urls: [String] {
    summaries.withLock { $0 }.map { String($0.split(separator: " ").last ?? "") }
  }

  var outsider: Outsider? { nil }
  var isOnAttachedQueue: Bool { false }
  var site: (any WorkSite)? { nil }

  func noteStart(
    _ start: Timeline.Event, of request: Int, by outsider: Outsider?, madeAt site: (any WorkSite)?
  ) {}

  func noteLate(_ summary: String) { summaries.withLock { $0.append(summary) } }
}

/// What the calls of a test have led to.
private final class Results: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func add(_ text: String) { continuation.yield(text) }

  func add(_ data: Data?, _ error: (any Error)?) {
    add(
      error.map { ($0 as? URLError)?.code.name ?? "\($0)" }
        ?? String(decoding: data ?? Data(), as: UTF8.self))
  }

  var first: String? {
    get async {
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    }
  }
}

/// Collects the body of a task.
private final class ResultDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
  Sendable
{
  private let results: Results
  private let body = Locked(Data())

  init(_ results: Results) { self.results = results }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    body.withLock { $0.append(data) }
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    body.withLock { $0 = (try? Data(contentsOf: location)) ?? Data() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    results.add(body.withLock { $0 }, error)
  }
}

/// A call of `URLSession` that makes a task.
enum SessionCall: String, CaseIterable {
  case publisher
  case dataTaskWithURL, dataTaskWithRequest, dataTaskWithURLAndHandler
  case dataTaskWithRequestAndHandler
  case dataFromURL, dataForRequest
  case uploadTaskFromData, uploadTaskFromFile, uploadTaskFromDataAndHandler
  case uploadTaskFromFileAndHandler
  case uploadFromData, uploadFromFile, streamedUpload
  case downloadTaskWithURL, downloadTaskWithRequest, downloadTaskWithURLAndHandler
  case downloadTaskWithRequestAndHandler
  case downloadFromURL, downloadForRequest, resumedDownload, resumedDownloadWithHandler
  case receiveMessage, sendMessage, ping, messageWithProtocols, messageForRequest

  static var refused: [Self] {
    [
      .uploadFromData, .uploadFromFile, .streamedUpload, .downloadFromURL, .downloadForRequest,
      .resumedDownload, .resumedDownloadWithHandler, .receiveMessage, .sendMessage, .ping,
      .messageWithProtocols, .messageForRequest,
    ]
  }

  static var working: [Self] { allCases.filter { !refused.contains($0) } }

  var isWebSocket: Bool {
    switch self {
    case .receiveMessage, .sendMessage, .ping, .messageWithProtocols, .messageForRequest: true
    default: false
    }
  }

  /// Whether the call doesn't wait for the clock to settle if it's refused.
  var isAsync: Bool {
    switch self {
    case .dataFromURL, .dataForRequest, .uploadFromData, .uploadFromFile, .downloadFromURL,
      .downloadForRequest:
      true
    default: isWebSocket
    }
  }

  var needsDelegate: Bool {
    switch self {
    case .dataTaskWithURL, .dataTaskWithRequest, .uploadTaskFromData, .uploadTaskFromFile,
      .streamedUpload, .downloadTaskWithURL, .downloadTaskWithRequest, .resumedDownload:
      true
    default: false
    }
  }

  private var isUpload: Bool { rawValue.lowercased().contains("upload") }

  var success: String { isUpload ? "body" : "none" }

  var failure: String { isWebSocket ? "networkConnectionLost" : "resourceUnavailable" }

  var lateFailure: String { isWebSocket ? "networkConnectionLost" : "cancelled" }

  /// A name that a refusal mentions.
  var name: String {
    switch self {
    case .uploadFromData: "upload(for:from:)"
    case .uploadFromFile: "upload(for:fromFile:)"
    case .streamedUpload: "uploadTask(withStreamedRequest:)"
    case .downloadFromURL: "download(from:)"
    case .downloadForRequest: "download(for:)"
    case .resumedDownload, .resumedDownloadWithHandler: "downloadTask(withResumeData:)"
    default: "web socket"
    }
  }

  var url: String {
    switch self {
    case .resumedDownload, .resumedDownloadWithHandler: "https://resume-data.invalid/"
    default: isWebSocket ? "wss://example.com/" : "https://example.com/"
    }
  }

  fileprivate func make(in session: URLSession, _ results: Results) {
    let url = URL.example("a")
    let get = URLRequest(url: url)
    var post = get
    post.httpMethod = "POST"
    let body = Data("body".utf8)
    let dataHandler = { @Sendable (data: Data?, _: URLResponse?, error: (any Error)?) in
      results.add(data, error)
    }
    let fileHandler = { @Sendable (file: URL?, _: URLResponse?, error: (any Error)?) in
      results.add(file.flatMap { try? Data(contentsOf: $0) }, error)
    }
    switch self {
    case .publisher:
      let keeper = Locked<AnyCancellable?>(nil)
      let sink = session.dataTaskPublisher(for: url).sink {
        if case .failure(let error) = $0 { results.add(error.code.name) }
        keeper.withLock { $0 = nil }
      } receiveValue: {
        results.add($0.data, nil)
      }
      keeper.withLock { $0 = sink }
    case .dataTaskWithURL: session.dataTask(with: url).resume()
    case .dataTaskWithRequest: session.dataTask(with: get).resume()
    case .dataTaskWithURLAndHandler:
      session.dataTask(with: url, completionHandler: dataHandler).resume()
    case .dataTaskWithRequestAndHandler:
      session.dataTask(with: get, completionHandler: dataHandler).resume()
    case .dataFromURL: Self.add(to: results) { try await session.data(from: url).0 }
    case .dataForRequest: Self.add(to: results) { try await session.data(for: get).0 }
    case .uploadTaskFromData: session.uploadTask(with: post, from: body).resume()
    case .uploadTaskFromFile: session.uploadTask(with: post, fromFile: Self.file).resume()
    case .uploadTaskFromDataAndHandler:
      session.uploadTask(with: post, from: body, completionHandler: dataHandler).resume()
    case .uploadTaskFromFileAndHandler:
      session.uploadTask(with: post, fromFile: Self.file, completionHandler: dataHandler).resume()
    case .uploadFromData:
      Self.add(to: results) { [post] in try await session.upload(for: post, from: body).0 }
    case .uploadFromFile:
      Self.add(to: results) { [post] in try await session.upload(for: post, fromFile: Self.file).0 }
    case .streamedUpload: session.uploadTask(withStreamedRequest: post).resume()
    case .downloadTaskWithURL: session.downloadTask(with: url).resume()
    case .downloadTaskWithRequest: session.downloadTask(with: get).resume()
    case .downloadTaskWithURLAndHandler:
      session.downloadTask(with: url, completionHandler: fileHandler).resume()
    case .downloadTaskWithRequestAndHandler:
      session.downloadTask(with: get, completionHandler: fileHandler).resume()
    case .downloadFromURL:
      Self.add(to: results) { try Data(contentsOf: await session.download(from: url).0) }
    case .downloadForRequest:
      Self.add(to: results) { try Data(contentsOf: await session.download(for: get).0) }
    case .resumedDownload: session.downloadTask(withResumeData: body).resume()
    case .resumedDownloadWithHandler:
      session.downloadTask(withResumeData: body, completionHandler: fileHandler).resume()
    case .receiveMessage:
      let task = session.webSocketTask(with: URL(string: "wss://example.com/")!)
      task.resume()
      Self.add(to: results) {
        _ = try await task.receive()
        return Data()
      }
    case .sendMessage:
      let task = session.webSocketTask(with: URL(string: "wss://example.com/")!)
      Self.add(to: results) {
        try await task.send(.string("hello"))
        return Data()
      }
    case .ping:
      let task = session.webSocketTask(with: URL(string: "wss://example.com/")!)
      task.resume()
      task.sendPing { results.add(nil, $0) }
    case .messageWithProtocols:
      let task = session.webSocketTask(with: URL(string: "wss://example.com/")!, protocols: ["a"])
      task.receive { if case .failure(let error) = $0 { results.add(nil, error) } }
    case .messageForRequest:
      let request = URLRequest(url: URL(string: "wss://example.com/")!)
      let task = session.webSocketTask(with: request)
      task.send(.data(body)) { results.add(nil, $0) }
    }
  }

  private static func add(
    to results: Results, _ load: @escaping @Sendable () async throws -> Data
  ) {
    Task {
      do { results.add(try await load(), nil) } catch { results.add(nil, error) }
    }
  }

  private static let file: URL = {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("session-calls-\(UUID().uuidString)")
    try? Data("body".utf8).write(to: file)
    return file
  }()
}
