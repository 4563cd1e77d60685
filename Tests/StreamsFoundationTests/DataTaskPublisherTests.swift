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
    _ protocolClass: AnyClass, delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
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

  @Test func anErrorOfAnotherTypeBecomesUnknown() async {
    let history = await history(session(OddlyFailingProtocol.self).dataTaskPublisher(for: request))
    #expect(history.completion?.error?.code == .unknown)
    #expect(history.lines.count == 2)
  }

  @Test func finishingWithoutAResponseFailsWithUnknown() async {
    let history = await history(session(SilentProtocol.self).dataTaskPublisher(for: request))
    #expect(history.completion?.error?.code == .unknown)
    #expect(history.lines.count == 2)
  }

  @Test func requestsAndCancellationsMayMeetFromManyThreads() {
    let session = session(RespondingProtocol.self)
    for _ in 0..<200 {
      let history = History<URLSession.DataTaskPublisher.Output, URLError>(demand: .none)
      session.dataTaskPublisher(for: request).subscribe(history)
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        if index == 3 { history.cancel() } else { history.request(.max(1)) }
      }
      // A cancellation may be too late to prevent the value, but it must do no harm.
      #expect(history.values.count <= 1)
    }
    session.invalidateAndCancel()
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

/// Fails with an error that isn't a `URLError`.
private final class OddlyFailingProtocol: RespondingProtocol {
  override func startLoading() {
    client?.urlProtocol(self, didFailWithError: TestError("odd"))
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
