import Foundation
import Streams
import StreamsFoundation

/// A `URLSession` that sends its requests to one server, and reports what happens to them.
///
/// `@unchecked` repeats what `URLSession` declares. The state added here is immutable.
final class LiveSession: URLSession, @unchecked Sendable {
  private let network: LiveNetwork

  init(
    configuration: URLSessionConfiguration, delegate: LiveDelegate, network: LiveNetwork,
    callbackQueue: OperationQueue
  ) {
    self.network = network
    super.init(configuration: configuration, delegate: delegate, delegateQueue: callbackQueue)
  }

  override func dataTask(with url: URL) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url))
  }

  override func dataTask(with request: URLRequest) -> URLSessionDataTask {
    let task = super.dataTask(with: rebased(request))
    network.open(task)
    return task
  }

  override func dataTask(
    with url: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  override func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    // The handler needs its task, which only exists after the handler was passed.
    let own = Locked<URLSessionTask?>(nil)
    let network = network
    let task = super.dataTask(with: rebased(request)) { data, response, error in
      guard let task = own.withLock({ $0.take() }) else {
        return completionHandler(data, response, error)
      }
      if error == nil, let response { network.receive(response, for: task) }
      if error == nil, let data, !data.isEmpty { network.receive(data, for: task) }
      let number = network.end(task, error)
      network.run(callbackOf: number) { completionHandler(data, response, error) }
    }
    own.withLock { $0 = task }
    network.open(task)
    return task
  }

  private func rebased(_ request: URLRequest) -> URLRequest {
    var request = request
    request.url = request.url.map(network.server.rebased)
    request.setValue(network.run, forHTTPHeaderField: "Scenario-Run")
    return request
  }
}

extension LiveSession: CancellationObserving {
  func willCancel(_ task: URLSessionTask) { network.noteCancellation(of: task) }
}

/// Reports the calls to a session's delegate, and forwards them to the scenario's own delegate.
///
/// `@unchecked` because a session calls its delegate one call at a time. The state here is
/// immutable.
final class LiveDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let delegate: (any URLSessionDelegate)?
  private let network: LiveNetwork

  init(_ delegate: (any URLSessionDelegate)?, network: LiveNetwork) {
    self.delegate = delegate
    self.network = network
  }

  private var taskDelegate: (any URLSessionTaskDelegate)? {
    delegate as? any URLSessionTaskDelegate
  }
  private var dataDelegate: (any URLSessionDataDelegate)? {
    delegate as? any URLSessionDataDelegate
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    network.endSession()
    delegate?.urlSession(session, didBecomeInvalidWithError: error)
  }

  func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let delegate else { return completionHandler(.performDefaultHandling, nil) }
    delegate.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let taskDelegate else { return completionHandler(.performDefaultHandling, nil) }
    taskDelegate.urlSession(
      session, task: task, didReceive: challenge, completionHandler: completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let taskDelegate else { return completionHandler(request) }
    taskDelegate.urlSession(
      session, task: task, willPerformHTTPRedirection: response, newRequest: request,
      completionHandler: completionHandler)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    network.receive(response, for: dataTask)
    guard let dataDelegate else { return completionHandler(.allow) }
    network.run(callbackOf: network.number(of: dataTask)) {
      dataDelegate.urlSession(
        session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    network.receive(data, for: dataTask)
    network.run(callbackOf: network.number(of: dataTask)) {
      dataDelegate?.urlSession(session, dataTask: dataTask, didReceive: data)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let number = network.end(task, error)
    network.run(callbackOf: number) {
      taskDelegate?.urlSession(session, task: task, didCompleteWithError: error)
    }
  }
}
