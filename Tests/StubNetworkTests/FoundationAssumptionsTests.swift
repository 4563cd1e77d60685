import Foundation
import StreamsFoundation
import TestSupport
import Testing

@testable import StubNetwork

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Facts about swift-corelibs-foundation.
///
/// Settling relies on the first ones: if one of these tests fails, you can't trust any result in
/// virtual time on that version of Foundation. The last ones are facts that the documentation of
/// `StubNetwork` names.
@Suite(.serialized) struct FoundationAssumptionsTests {
  @Test func sessionsCallBackThroughAnOverriddenAddOperation() {
    let queue = KeepingQueue()
    let called = Locked(false)
    let task = session(queue).dataTask(with: URL(string: "https://example.com/")!) { _, _, _ in
      called.withLock { $0 = true }
    }
    task.resume()
    _ = task.priority
    #expect(called.withLock { $0 } == false, "a callback ran past the queue's override")
    #expect(queue.blocks.withLock { $0.count } == 1)
    for block in queue.blocks.withLock({ $0 }) { block() }
    #expect(called.withLock { $0 })
  }

  @Test func readingThePriorityWaitsForTheWorkQueue() {
    for round in 1...20 {
      let queue = KeepingQueue()
      let task = session(queue).dataTask(with: URL(string: "https://example.com/")!) { _, _, _ in }
      task.resume()
      _ = task.priority
      // The protocol is slow to start, and then adds the block.
      #expect(queue.blocks.withLock { $0.count } == 1, "the read didn't wait in round \(round)")
      for block in queue.blocks.withLock({ $0 }) { block() }
    }
  }

  /// The sentinel belongs to a session of its own.
  @Test func theSentinelWaitsForTheWorkQueuesOfAllSessions() {
    for round in 1...20 {
      let queues = (1...3).map { _ in KeepingQueue() }
      let tasks = queues.map { queue in
        session(queue).dataTask(with: URL(string: "https://example.com/")!) { _, _, _ in }
      }
      for task in tasks { task.resume() }
      Sentinel.shared.waitForWorkQueues()
      #expect(
        queues.map { $0.blocks.withLock { $0.count } } == [1, 1, 1],
        "the sentinel didn't wait in round \(round)")
      for queue in queues { for block in queue.blocks.withLock({ $0 }) { block() } }
    }
  }

  /// The chain: the task's work queue fails the task and sends to the session's work queue, which
  /// removes the task and then tells the delegate that the session has ended.
  @Test func theSentinelWaitsForTheLongestChain() {
    for round in 1...20 {
      let queue = KeepingQueue()
      let delegate = PlainDelegate()
      let session = session(queue, delegate: delegate)
      let task = session.dataTask(with: URL(string: "https://example.com/")!)
      session.finishTasksAndInvalidate()
      task.resume()
      Sentinel.shared.waitForWorkQueues()
      #expect(
        queue.blocks.withLock { $0.count } == 1, "the sentinel didn't wait in round \(round)")
      for block in queue.blocks.withLock({ $0 }) { block() }
      #expect(delegate.hasEnded.withLock { $0 })
    }
  }

  /// A stub's session keeps its delegate itself, so that it can let go of it.
  @Test func sessionsReadTheirDelegateThroughAnOverride() {
    let queue = KeepingQueue()
    let delegate = PlainDelegate()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [SlowFailingProtocol.self]
    let session = OverridingSession(configuration, keeps: delegate, queue)
    let task = session.dataTask(with: URL(string: "https://example.com/")!)
    #expect(task.delegate == nil, "a plain delegate isn't one of tasks")
    session.finishTasksAndInvalidate()
    task.resume()
    Sentinel.shared.waitForWorkQueues()
    for block in queue.blocks.withLock({ $0 }) { block() }
    #expect(delegate.hasEnded.withLock { $0 }, "the delegate was read past the override")
  }

  @Test func reportingARedirectEndsTheProgram() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.protocolClasses = [RedirectingProtocol.self]
      let session = URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)
      let task = session.dataTask(with: URL(string: "https://example.com/")!)
      task.resume()
      _ = task.priority
    }
    #expect(try fatalMessage(result).contains("doesn't currently handle redirects"))
  }

  @Test func aRealSessionFailsAnUploadOfAMissingFile() async {
    // The session fails before it connects.
    var request = URLRequest(url: URL(string: "http://127.0.0.1:1/")!)
    request.httpMethod = "POST"
    let file = URL(fileURLWithPath: "/missing/file")
    let code: URLError.Code? = await withCheckedContinuation { continuation in
      let task = URLSession(configuration: .ephemeral)
        .uploadTask(with: request, fromFile: file) { _, _, error in
          continuation.resume(returning: (error as? URLError)?.code)
        }
      task.resume()
    }
    #expect(code == .fileDoesNotExist)
  }

  /// The code of the error depends on how much has arrived.
  @Test(arguments: [
    ("HTTP/1.1 200 -\r\nContent-Length: 50\r\n\r\nshort", URLError.Code.unknown),
    ("HTTP/1.1 200 -\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", .unknown),
    ("", .badServerResponse),
  ])
  func aRealSessionHasItsOwnCodesForALostConnection(
    response: String, expected: URLError.Code
  ) async throws {
    let server = try LoopbackServer { _ in Data(response.utf8) }
    let url = try #require(URL(string: server.url))
    let code: URLError.Code? = await withCheckedContinuation { continuation in
      URLSession(configuration: .ephemeral)
        .dataTask(with: url) { _, _, error in
          continuation.resume(returning: (error as? URLError)?.code)
        }.resume()
    }
    #expect(code == expected)
  }

  /// A task's protocol can load its body in parts. Only a delegate gets all of them.
  @Test func aHandlerGetsTheLastPartOfABody() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [TwoPartsProtocol.self]
    let url = URL(string: "https://example.com/")!
    let session = URLSession(configuration: configuration)

    let byHandler: String? = await withCheckedContinuation { continuation in
      session.dataTask(with: url) { data, _, _ in
        continuation.resume(returning: data.map { String(decoding: $0, as: UTF8.self) })
      }.resume()
    }
    #expect(byHandler == "second")

    // A delegate of the task isn't told about the parts either.
    let taskDelegate = PartsDelegate()
    let withTaskDelegate: String? = await withCheckedContinuation { continuation in
      let task = session.dataTask(with: url) { data, _, _ in
        continuation.resume(returning: data.map { String(decoding: $0, as: UTF8.self) })
      }
      task.delegate = taskDelegate
      task.resume()
    }
    #expect(withTaskDelegate == "second")
    #expect(taskDelegate.parts == [])

    var byPublisher: [String] = []
    for try await (data, _) in session.dataTaskPublisher(for: url).values {
      byPublisher.append(String(decoding: data, as: UTF8.self))
    }
    #expect(byPublisher == ["second"])

    let parts: [String] = await withCheckedContinuation { continuation in
      let delegate = PartsDelegate { continuation.resume(returning: $0) }
      URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        .dataTask(with: url).resume()
    }
    #expect(parts == ["first ", "second"])
  }

  private func session(
    _ queue: OperationQueue, delegate: (any URLSessionDelegate)? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [SlowFailingProtocol.self]
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }
}

/// Keeps its blocks instead of running them.
private final class KeepingQueue: OperationQueue, @unchecked Sendable {
  let blocks = Locked<[@Sendable () -> Void]>([])

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    blocks.withLock { $0.append(block) }
  }
}

/// Fails on the work queue after a delay, so that a caller that doesn't wait is long gone.
private final class SlowFailingProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    // A delay: no code signals the semaphore.
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
    client?.urlProtocol(self, didFailWithError: URLError(.timedOut))
  }

  override func stopLoading() {}
}

private final class OverridingSession: URLSession, @unchecked Sendable {
  private let own: any URLSessionDelegate

  init(
    _ configuration: URLSessionConfiguration, keeps delegate: any URLSessionDelegate,
    _ queue: OperationQueue
  ) {
    own = delegate
    super.init(configuration: configuration, delegate: nil, delegateQueue: queue)
  }

  override var delegate: (any URLSessionDelegate)? { own }
}

/// A delegate without the methods of tasks.
private final class PlainDelegate: NSObject, URLSessionDelegate, Sendable {
  let hasEnded = Locked(false)

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    hasEnded.withLock { $0 = true }
  }
}

/// Loads a body in two parts.
private final class TwoPartsProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let response = HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("first ".utf8))
    client?.urlProtocol(self, didLoad: Data("second".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// Collects the parts of a body.
private final class PartsDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let state = Locked<[String]>([])
  private let onEnd: @Sendable ([String]) -> Void

  init(onEnd: @escaping @Sendable ([String]) -> Void = { _ in }) { self.onEnd = onEnd }

  var parts: [String] { state.withLock { $0 } }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    onEnd(parts)
    session.finishTasksAndInvalidate()
  }
}

/// Reports a redirect as soon as it is started.
private final class RedirectingProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    client?.urlProtocol(
      self, wasRedirectedTo: request,
      redirectResponse: URLResponse(
        url: request.url!, mimeType: nil, expectedContentLength: 0, textEncodingName: nil))
  }

  override func stopLoading() {}
}
