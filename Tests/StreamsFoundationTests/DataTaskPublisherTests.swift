import StreamsFoundation
import TestSupport
import Testing

/// Tests with real sessions, threads and queues, without a stub network. `StubNetworkTests` compare
/// whole histories in virtual time.
@Suite struct DataTaskPublisherTests {
  private let request = URLRequest(url: URL(string: "scripted://host/path")!)

  /// Subscribes and waits for the completion, which arrives on a thread of the session.
  private func history(
    _ publisher: URLSession.DataTaskPublisher
  ) async -> History<URLSession.DataTaskPublisher.Output, URLError> {
    await withCheckedContinuation { continuation in
      let history = History<URLSession.DataTaskPublisher.Output, URLError>()
      history.onCompletion = { _ in continuation.resume(returning: history) }
      publisher.subscribe(history)
    }
  }

  private func session(
    _ protocolClass: AnyClass, hasCache: Bool = false, delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    if !hasCache { configuration.urlCache = nil }
    configuration.protocolClasses = [protocolClass]
    return URLSession(configuration: configuration, delegate: nil, delegateQueue: delegateQueue)
  }

  @Test func carriesItsRequestAndSession() {
    let session = URLSession(configuration: .ephemeral)
    let publishers = [
      session.dataTaskPublisher(for: request),
      session.dataTaskPublisher(for: request.url!),
      URLSession.DataTaskPublisher(request: request, session: session),
    ]
    for publisher in publishers {
      #expect(publisher.request == request)
      #expect(publisher.session === session)
    }
  }

  @Test func deliversOnTheDelegateQueueOfTheUser() async {
    let queue = OperationQueue()
    queue.underlyingQueue = usersQueue
    let names = Locked<[String?]>([])
    await withCheckedContinuation { continuation in
      let history = History<URLSession.DataTaskPublisher.Output, URLError>()
      history.onValue = { _ in
        names.withLock { $0.append(DispatchQueue.getSpecific(key: queueName)) }
        return .none
      }
      history.onCompletion = { _ in
        names.withLock { $0.append(DispatchQueue.getSpecific(key: queueName)) }
        continuation.resume()
      }
      session(RespondingProtocol.self, delegateQueue: queue)
        .dataTaskPublisher(for: request).subscribe(history)
    }
    #expect(names.withLock { $0 } == ["the user's", "the user's"])
  }

  @Test func startsItsTaskOnceTheSubscriberHasItsSubscription() async {
    let history = History<URLSession.DataTaskPublisher.Output, URLError>()
    await withCheckedContinuation { continuation in
      history.onSubscription = { subscription in
        subscription.request(.max(1))
        // If the task had started already, it would load now.
        _ = LoggingProtocol.hasLoaded.wait(timeout: .now() + .milliseconds(200))
        LoggingProtocol.log.append("has its subscription")
      }
      history.onCompletion = { _ in continuation.resume() }
      session(LoggingProtocol.self).dataTaskPublisher(for: request).subscribe(history)
    }
    #expect(LoggingProtocol.log.lines == ["has its subscription", "load"])
    #expect(history.values.map(\.data) == [Data("hello".utf8)])
  }

  @Test func deliversBodyAndResponse() async {
    let history = await history(
      session(RespondingProtocol.self).dataTaskPublisher(for: request))
    #expect(history.values.map { String(decoding: $0.data, as: UTF8.self) } == ["hello"])
    #expect(history.values.map(\.response.url) == [request.url])
    #expect(history.lines.last == "finished")
    #expect(history.lines.count == 3)
  }

  /// On Linux, `as? URLError` is `nil` for an `NSError`.
  @Test(arguments: ReportedFailure.all)
  func anErrorKeepsItsCodeAndUserInfo(_ failure: ReportedFailure) async throws {
    let history = await history(
      session(FailingProtocol.self).dataTaskPublisher(for: failure.request))
    let error = try #require(history.completion?.error)
    #expect(error.code == failure.code)
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == failure.text)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == failure.cause)
    #expect(history.lines.count == 2)
  }

  @Test func finishingWithoutAResponseFailsWithUnknown() async {
    let history = await history(session(SilentProtocol.self).dataTaskPublisher(for: request))
    #expect(history.completion?.error?.code == .unknown)
    #expect(history.lines.count == 2)
  }

  @Test(arguments: [false, true])
  func requestsAndCancellationsMayMeetFromManyThreads(hasCache: Bool) {
    let session = session(RespondingProtocol.self, hasCache: hasCache)
    for _ in 0..<200 {
      let history = History<URLSession.DataTaskPublisher.Output, URLError>(demand: .none)
      session.dataTaskPublisher(for: request).subscribe(history)
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        if index == 3 { history.cancel() } else { history.request(.max(1)) }
      }
      // A cancellation may be too late to prevent the value, but it must do no harm.
      #expect(history.values.count <= 1)
    }
    session.finishTasksAndInvalidate()
  }
}

private let queueName = DispatchSpecificKey<String>()

/// A queue whose name can be read by code that runs on it. It's global, because an operation queue
/// doesn't keep its underlying queue alive.
private let usersQueue: DispatchQueue = {
  let queue = DispatchQueue(label: "the user's")
  queue.setSpecific(key: queueName, value: "the user's")
  return queue
}()

extension Subscribers.Completion {
  fileprivate var error: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}

/// Responds to each request with "hello", at once.
private class RespondingProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let response = URLResponse(
      url: request.url!, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("hello".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

/// A failure of `FailingProtocol`, which the path of the request names.
struct ReportedFailure: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let error: @Sendable () -> any Error
  let code: URLError.Code
  var text: String?
  var cause: Int?

  var request: URLRequest {
    URLRequest(url: URL(string: "scripted://host/" + testDescription)!)
  }

  private static let timeoutInfo: [String: any Sendable] = [
    NSLocalizedDescriptionKey: "too late", NSUnderlyingErrorKey: NSError(domain: "cause", code: 7),
  ]

  static let all = [
    ReportedFailure(
      testDescription: "NSError",
      error: { NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut, userInfo: timeoutInfo) },
      code: .timedOut, text: "too late", cause: 7),
    ReportedFailure(
      testDescription: "URLError", error: { URLError(.timedOut, userInfo: timeoutInfo) },
      code: .timedOut, text: "too late", cause: 7),
    ReportedFailure(
      testDescription: "code-without-a-name",
      error: { NSError(domain: NSURLErrorDomain, code: -4242, userInfo: timeoutInfo) },
      code: .unknown, text: "too late", cause: 7),
    ReportedFailure(
      testDescription: "another-domain",
      error: {
        NSError(domain: NSPOSIXErrorDomain, code: NSURLErrorTimedOut, userInfo: timeoutInfo)
      },
      code: .unknown),
    ReportedFailure(
      testDescription: "subclass", error: { StubError(domain: NSURLErrorDomain, code: -1001) },
      code: .timedOut),
    ReportedFailure(testDescription: "Swift-error", error: { TestError("odd") }, code: .unknown),
  ]
}

private final class StubError: NSError, @unchecked Sendable {}

/// Fails with the error that its path names.
private final class FailingProtocol: RespondingProtocol {
  override func startLoading() {
    let failure = ReportedFailure.all.first { $0.testDescription == request.url?.lastPathComponent }
    client?.urlProtocol(self, didFailWithError: failure!.error())
  }
}

/// Finishes without a response, a body or an error.
private final class SilentProtocol: RespondingProtocol {
  override func startLoading() { client?.urlProtocolDidFinishLoading(self) }
}

/// Responds like its superclass, and logs each load. Only one test uses it.
private final class LoggingProtocol: RespondingProtocol {
  static let log = CallLog()
  static let hasLoaded = DispatchSemaphore(value: 0)

  override func startLoading() {
    Self.log.append("load")
    Self.hasLoaded.signal()
    super.startLoading()
  }
}
