import StreamsFoundation
import TestSupport
import Testing

/// Tests of cancellations on a session with a cache, as all sessions have by default. Foundation
/// looks into the cache before it starts a task.
@Suite struct DataTaskCancellationTests {
  private let request = URLRequest(url: URL(string: "scripted://host/path")!)
  private let log = CallLog()

  private func session(_ cache: URLCache?, delegateQueue: OperationQueue? = nil) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = cache
    configuration.protocolClasses = [AnsweringProtocol.self]
    return URLSession(configuration: configuration, delegate: nil, delegateQueue: delegateQueue)
  }

  @Test func aTaskIsCancelledOnlyOnceTheCacheHasAnsweredTwice() throws {
    let cache = ScriptedCache()
    let history = History<URLSession.DataTaskPublisher.Output, URLError>()
    let session = session(cache)
    session.dataTaskPublisher(for: hangingRequest(log)).subscribe(history)
    try #require(cache.lookups.count == 1)
    history.cancel()
    history.cancel()
    try #require(cache.lookups.count == 2)
    #expect(cache.lookups.map(\.task.state) == [.running, .running])
    cache.answer(0)
    cache.answer(1)
    try #require(stops(log).wait(timeout: .now() + .hangLimit) == .success)
    #expect(log.lines == ["start", "stop"])
    #expect(history.lines == ["subscription DataTaskPublisher"])
    session.finishTasksAndInvalidate()
  }

  @Test func theSubscriberIsReleasedAtOnceAndALateResponseIsDropped() throws {
    let cache = ScriptedCache()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let session = session(cache, delegateQueue: queue)
    weak var subscriber: History<URLSession.DataTaskPublisher.Output, URLError>?
    var subscription: (any Subscription)?
    do {
      let history = History<URLSession.DataTaskPublisher.Output, URLError>(log: log)
      history.onSubscription = {
        subscription = $0
        $0.request(.max(1))
      }
      session.dataTaskPublisher(for: answeredRequest(log)).subscribe(history)
      subscriber = history
    }
    #expect(subscriber != nil)
    subscription?.cancel()
    #expect(subscriber == nil)
    try #require(cache.lookups.count == 2)
    cache.answer(0)
    try #require(stops(log).wait(timeout: .now() + .hangLimit) == .success)
    queue.waitUntilAllOperationsAreFinished()
    cache.answer(1)
    #expect(log.lines == ["downstream: subscription DataTaskPublisher", "start", "end"])
    session.finishTasksAndInvalidate()
  }

  @Test func withoutACacheATaskIsCancelledAtOnce() {
    let (log, other) = (CallLog(), CallLog())
    session(nil).cancel(LoggingTask(log))
    #expect(log.lines == ["cancel"])
    let cache = ScriptedCache()
    session(cache).cancel(LoggingTask(other))
    #expect(cache.lookups.count == 1)
    #expect(other.lines == [])
  }

  /// Without the pause and the lookup, more than half of such programs end in a trap of Foundation,
  /// so three of them hardly ever pass.
  @Test(arguments: 1...3) func aThousandCancellationsDoNotEndTheProgram(_: Int) async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer { _ in LoopbackServer.response("hello") }
      let url = try #require(URL(string: server.url))
      let invalidations = Invalidations()
      let session = URLSession(
        configuration: .ephemeral, delegate: invalidations, delegateQueue: nil)
      for _ in 0..<1000 {
        let history = session.dataTaskPublisher(for: url).history()
        history.cancel()
      }
      session.finishTasksAndInvalidate()
      await invalidations.next()
    }
  }
}

// MARK: A cache

/// A cache that answers when the test says so.
private final class ScriptedCache: URLCache, @unchecked Sendable {
  struct Lookup {
    let task: URLSessionDataTask
    let handler: @Sendable (CachedURLResponse?) -> Void
  }

  private let kept = Locked<[Lookup]>([])

  var lookups: [Lookup] { kept.withLock { $0 } }

  init() { super.init(memoryCapacity: 0, diskCapacity: 0, diskPath: nil) }

  func answer(_ index: Int) { lookups[index].handler(nil) }

  override func getCachedResponse(
    for dataTask: URLSessionDataTask,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    kept.withLock { $0.append(Lookup(task: dataTask, handler: completionHandler)) }
  }
}

// MARK: Tasks

private final class LoggingTask: URLSessionDataTask, @unchecked Sendable {
  private let log: CallLog

  init(_ log: CallLog) {
    self.log = log
    super.init()
  }

  override func cancel() { log.append("cancel") }
}

/// The logs of the requests, by their URLs.
private let logs = Locked<[String: (log: CallLog, hasEnded: DispatchSemaphore)]>([:])

private func hangingRequest(_ log: CallLog) -> URLRequest { scriptedRequest("hang", log) }
private func answeredRequest(_ log: CallLog) -> URLRequest { scriptedRequest("answer", log) }

private func scriptedRequest(_ name: String, _ log: CallLog) -> URLRequest {
  logs.withLock { $0[name] = (log, DispatchSemaphore(value: 0)) }
  return URLRequest(url: URL(string: "scripted://\(name)/")!)
}

/// Signalled when the loading with this log has stopped or ended.
private func stops(_ log: CallLog) -> DispatchSemaphore {
  logs.withLock { $0.values.first { $0.log === log }! }.hasEnded
}

/// Responds to requests for the host "answer", and never to those for "hang".
private final class AnsweringProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  private var test: (log: CallLog, hasEnded: DispatchSemaphore)? {
    logs.withLock { $0[request.url?.host ?? ""] }
  }

  override func startLoading() {
    test?.log.append("start")
    guard request.url?.host == "answer" else { return }
    let response = URLResponse(
      url: request.url!, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("hello".utf8))
    client?.urlProtocolDidFinishLoading(self)
    test?.log.append("end")
    test?.hasEnded.signal()
  }

  override func stopLoading() {
    test?.log.append("stop")
    test?.hasEnded.signal()
  }
}

// MARK: The end of a session

/// Tells when a session has no more tasks.
private final class Invalidations: NSObject, URLSessionDelegate {
  private let (stream, continuation) = AsyncStream<Void>.makeStream()

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    continuation.yield()
  }

  func next() async { for await _ in stream { return } }
}
