import Dispatch
import Foundation
import Streams
import StreamsFoundation

/// Receives what a server sends, applies the limits, and passes the rest on to the world's thread.
///
/// The session calls this at each arrival, on its ``ArrivalQueue``. The scenario's own delegate or
/// completion handler is called later, when the world runs the callbacks of its network.
///
/// `@unchecked` because `NSObject` isn't `Sendable`. The state added here is immutable or behind a
/// lock, except the scenario's delegate, which only the world's thread calls, and a queue that's
/// set once.
final class LiveDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  typealias Handler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  private struct Followed {
    var state = ArrivalState()
    /// The completion handler; `nil` if the scenario's delegate follows the task.
    let handler: Handler?
  }

  private let delegate: (any URLSessionDelegate)?
  private let network: LiveNetwork
  private let tasks = Locked<[Int: Followed]>([:])
  /// Set before the session has tasks.
  var transferQueue: DispatchQueue?

  init(_ delegate: (any URLSessionDelegate)?, network: LiveNetwork) {
    self.delegate = delegate
    self.network = network
  }

  private var dataDelegate: (any URLSessionDataDelegate)? {
    delegate as? any URLSessionDataDelegate
  }

  /// Follows a task from now on. Call it before the task is resumed.
  func follow(_ task: URLSessionTask, _ handler: Handler?) {
    tasks.withLock { $0[task.taskIdentifier] = Followed(handler: handler) }
  }

  /// Changes the state of a task that is still open.
  private func update<Result>(
    _ task: URLSessionTask, _ change: (inout Followed) -> Result
  ) -> Result? {
    tasks.withLock { tasks in
      guard var followed = tasks[task.taskIdentifier], followed.state.isOpen else { return nil }
      defer { tasks[task.taskIdentifier] = followed }
      // The copy in the dictionary would make each change copy the whole body.
      tasks[task.taskIdentifier] = nil
      return change(&followed)
    }
  }

  /// Notes that a task is about to be cancelled; `nil` for all tasks.
  func noteCancellation(of task: URLSessionTask?) {
    tasks.withLock { tasks in
      for key in tasks.keys where task.map({ $0.taskIdentifier == key }) ?? true {
        tasks[key]?.state.cancel()
      }
    }
  }

  /// Cancels a task at once, but without waiting for the session's thread.
  private func cancel(_ task: URLSessionTask) {
    transferQueue?.suspend()
    DispatchQueue.global().async { [transferQueue] in
      task.cancel()
      // Reading this waits until the cancellation is done.
      _ = task.priority
      transferQueue?.resume()
    }
  }

  /// Makes the session stop to exchange bytes, so that all its tasks can be cancelled at once.
  func stopTransfers() { transferQueue?.suspend() }

  /// Ends the effect of one call of ``stopTransfers()``.
  func continueTransfers() { transferQueue?.resume() }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let update = update(dataTask) { task in
      let isFinal = task.state.receive(response)
      return (isForDelegate: isFinal && task.handler == nil, isOpen: task.state.isOpen)
    }
    if update?.isOpen == false { cancel(dataTask) }
    guard update?.isForDelegate == true else { return completionHandler(.allow) }
    network.deliver { [self, network] in
      network.receive(response, for: dataTask)
      guard let dataDelegate else { return completionHandler(.allow) }
      network.run(callbackOf: network.number(of: dataTask)) {
        dataDelegate.urlSession(
          session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
      }
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let update = update(dataTask) { task in
      let isKept = task.handler != nil
      var fits = task.state.receive(data, keeps: isKept)
      if fits, !isKept, !network.reserve(data.count) {
        task.state.fail(.dataLengthExceedsMaximum)
        fits = false
      }
      return (fits: fits, isKept: isKept)
    }
    guard let update else { return }
    if !update.fits { return cancel(dataTask) }
    if update.isKept { return }
    network.deliver { [self, network] in
      network.release(data.count)
      network.receive(data, for: dataTask)
      network.run(callbackOf: network.number(of: dataTask)) {
        dataDelegate?.urlSession(session, dataTask: dataTask, didReceive: data)
      }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let server = network.server
    let redirection = update(task) { $0.state.redirect(to: request.url, of: server) }
    switch redirection ?? .ignore {
    case .follow: completionHandler(request)
    case .refuse: completionHandler(nil)
    case .ignore: break
    }
  }

  /// A scenario has no credentials, so the response that asks for them is the result, as on Apple's
  /// platforms. Foundation on Linux would wait forever.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    _ = update(task) { task in
      if let response = challenge.failureResponse, task.state.response == nil {
        _ = task.state.receive(response)
      }
      task.state.challenge()
    }
    // This cancels the task, which waits for the session's thread.
    DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let followed = tasks.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    let result = followed.map { $0.state.result(error) } ?? error
    network.deliver { [self, network] in
      guard let handler = followed?.handler else {
        let number = network.end(task, result)
        return network.run(callbackOf: number) {
          (delegate as? any URLSessionTaskDelegate)?.urlSession(
            session, task: task, didCompleteWithError: result)
        }
      }
      let response = followed?.state.response
      let body = followed?.state.body ?? Data()
      if result == nil, let response { network.receive(response, for: task) }
      if result == nil, !body.isEmpty { network.receive(body, for: task) }
      let number = network.end(task, result)
      network.run(callbackOf: number) {
        result == nil ? handler(body, response, nil) : handler(nil, nil, result)
      }
    }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    network.deliver { [self, network] in
      network.endSession()
      delegate?.urlSession(session, didBecomeInvalidWithError: error)
    }
  }
}
