import Dispatch
import Foundation
import Streams
import StreamsFoundation

/// Receives a server's response to one request.
///
/// This is a delegate, because a session on Linux never calls a completion handler if the response
/// requires authentication.
final class ServerProbe: NSObject, URLSessionDataDelegate {
  /// The server's response so far, or the error.
  struct Outcome {
    var response: URLResponse?
    var data = Data()
    var error: (any Error)?
  }

  private let server: ServerURL
  private let arrival = Locked(ArrivalState())
  private let end = Locked<Outcome?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(of server: ServerURL) { self.server = server }

  /// Sends a request and waits for its response. The body is complete if the status is 200.
  ///
  /// - Returns: `nil` if no response came in time.
  func request(_ url: URL, until limit: TimeLimit) -> Outcome? {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    // Longer than the limit, which also holds if the server sends a byte now and then.
    configuration.timeoutIntervalForRequest = TimeInterval(limit.seconds + 1)
    let session = URLSession(
      configuration: configuration, delegate: self, delegateQueue: ArrivalQueue())
    let transferQueue = session.transferQueue
    let task = session.dataTask(with: url)
    defer { end(session, task, transferQueue) }
    task.resume()
    if isDone.wait(timeout: .now() + .milliseconds(10)) == .timedOut {
      SessionBrake.shared.hold {
        while !limit.isReached {
          if isDone.wait(timeout: .now() + .milliseconds(50)) == .success { return }
        }
      }
    }
    return end.withLock { $0 }
  }

  /// Ends a session without waiting for it. A server may keep the session's thread busy forever,
  /// and all calls wait for that.
  private func end(
    _ session: URLSession, _ task: URLSessionTask, _ transferQueue: DispatchQueue?
  ) {
    arrival.withLock { $0.cancel() }
    transferQueue?.suspend()
    DispatchQueue.global().async {
      session.invalidateAndCancel()
      // Reading this waits until the cancellation is done.
      _ = task.priority
      transferQueue?.resume()
    }
  }

  /// Ends with the response so far, or with an error. Only the first call has an effect.
  private func finish(_ error: (any Error)?) {
    let arrival = arrival.withLock { $0 }
    let isFirst = end.withLock { end in
      defer {
        end = end ?? Outcome(response: arrival.response, data: arrival.body, error: error)
      }
      return end == nil
    }
    if isFirst { isDone.signal() }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let (isFinal, isOpen) = arrival.withLock { ($0.receive(response), $0.isOpen) }
    completionHandler(.allow)
    if !isOpen { finish(URLError(.dataLengthExceedsMaximum)) }
    // The body of any other status doesn't matter, and may never come.
    if isFinal, (response as? HTTPURLResponse)?.statusCode != 200 { finish(nil) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // A body beyond the limit isn't that of the scenarios' server, so what came so far is enough.
    if !arrival.withLock({ $0.receive(data, keeps: true) }) { finish(nil) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let redirection = arrival.withLock { $0.redirect(to: request.url, of: server) }
    switch redirection {
    case .follow: completionHandler(request)
    case .refuse, .ignore:
      // The session is about to be invalidated, so no decision is needed.
      _ = arrival.withLock { $0.receive(response) }
      finish(nil)
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    finish(arrival.withLock { $0.result(error) })
  }
}
