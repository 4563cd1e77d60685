import Dispatch
import Foundation
import StreamsFoundation

/// Receives a server's response to one request.
///
/// This is a delegate, because a session on Linux never calls a completion handler if the response
/// requires authentication.
final class ServerProbe: NSObject, URLSessionDataDelegate {
  /// What the server has sent, or why the request failed.
  struct Outcome {
    var response: URLResponse?
    var data = Data()
    var error: (any Error)?
  }

  private let outcome = Locked(Outcome())
  private let isDone = DispatchSemaphore(value: 0)

  /// Waits for the response. Its body is complete if the status is 200.
  ///
  /// - Returns: `nil` if no response came in time.
  func wait(seconds: Int) -> Outcome? {
    isDone.wait(timeout: .now() + .seconds(seconds)) == .success ? outcome.withLock { $0 } : nil
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    outcome.withLock { $0.response = response }
    completionHandler(.allow)
    // The body of any other status doesn't matter, and may never come.
    if (response as? HTTPURLResponse)?.statusCode != 200 { isDone.signal() }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    outcome.withLock { $0.data += data }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    outcome.withLock { $0.error = error }
    isDone.signal()
  }
}
