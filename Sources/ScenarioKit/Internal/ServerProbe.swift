import Dispatch
import Foundation
import StreamsFoundation

/// Hears what a server answers to one request.
///
/// A completion handler will not do: a session on Linux never calls it for an answer that asks for
/// a password.
final class ServerProbe: NSObject, URLSessionDataDelegate {
  struct ServerReply {
    var response: URLResponse?
    var data = Data()
    var error: (any Error)?
  }

  private let answer = Locked(ServerReply())
  private let isDone = DispatchSemaphore(value: 0)

  /// Waits for the answer, which is whole if its status is 200.
  ///
  /// - Returns: `nil` if there was none for so long.
  func wait(seconds: Int) -> ServerReply? {
    isDone.wait(timeout: .now() + .seconds(seconds)) == .success ? answer.withLock { $0 } : nil
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    answer.withLock { $0.response = response }
    completionHandler(.allow)
    // What else it has to say does not matter, and may never come.
    if (response as? HTTPURLResponse)?.statusCode != 200 { isDone.signal() }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    answer.withLock { $0.data += data }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    answer.withLock { $0.error = error }
    isDone.signal()
  }
}
