import Dispatch
import Foundation
import StreamsFoundation

/// The delegate of a session with a real server. It's called on the world's thread, lets the
/// network record each event, and passes it to the scenario's delegate or completion handler.
///
/// `@unchecked` because `NSObject` isn't `Sendable`. The state added here is constant, and only the
/// world's thread calls the scenario's delegate.
final class LiveDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let delegate: (any URLSessionDelegate)?
  private let network: LiveNetwork

  init(_ delegate: (any URLSessionDelegate)?, network: LiveNetwork) {
    self.delegate = delegate
    self.network = network
  }

  private var dataDelegate: (any URLSessionDataDelegate)? {
    delegate as? any URLSessionDataDelegate
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard let number = network.receive(response, for: dataTask), let dataDelegate else {
      return completionHandler(.allow)
    }
    network.run(callbackOf: number) {
      dataDelegate.urlSession(
        session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    switch network.receive(data, for: dataTask) {
    case .keep: break
    case .pass(let number):
      network.run(callbackOf: number) {
        dataDelegate?.urlSession(session, dataTask: dataTask, didReceive: data)
      }
    case .refuse: end(dataTask, of: session, URLError(.dataLengthExceedsMaximum))
    }
  }

  /// A scenario has no credentials, so the response that asks for them is the result, as on Apple's
  /// platforms. Foundation on Linux would wait forever.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    if let response = challenge.failureResponse { network.note(response, for: task) }
    end(task, of: session, nil)
  }

  /// Ends a task before Foundation does, which then has nothing more to say about it.
  private func end(_ task: URLSessionTask, of session: URLSession, _ error: URLError?) {
    // This waits until the session is done with the bytes that it has received, so not here.
    DispatchQueue.global().async { task.cancel() }
    urlSession(session, task: task, didCompleteWithError: error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let (exchange, error) = network.end(task, error) else { return }
    network.run(callbackOf: exchange.number) {
      if let handler = exchange.handler {
        error == nil ? handler(exchange.body, exchange.response, nil) : handler(nil, nil, error)
      } else {
        (delegate as? any URLSessionTaskDelegate)?.urlSession(
          session, task: task, didCompleteWithError: error)
      }
    }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    network.endSession()
    delegate?.urlSession(session, didBecomeInvalidWithError: error)
  }
}
