import Foundation
import Streams

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The bytes of a download task, which become a file for its handler or its delegate.
///
/// Foundation's own protocols name the file in a property that no other protocol can set. With a
/// delegate, Foundation stops the program if it isn't set; a handler gets no file. So the session
/// of a stub makes each download task with a handler, which writes the file itself, and tells the
/// delegate if there is one.
final class Download: Sendable {
  private struct State {
    var body = Data()
    weak var task: URLSessionDownloadTask?
  }

  /// The delegate to tell; `nil` for a task with a handler.
  let recipient: TaskRecipient?
  private let state = Locked(State())

  /// - Parameter recipient: The delegate to tell; `nil` for a task with a handler.
  init(to recipient: TaskRecipient? = nil) { self.recipient = recipient }

  /// Sets the task, once it's made.
  func begin(_ task: URLSessionDownloadTask) { state.withLock { $0.task = task } }

  /// Sets the whole body, before the task's handler is called.
  func finish(_ body: Data) { state.withLock { $0.body = body } }

  /// Tells a delegate about a chunk, on the queue of its session.
  func report(_ count: Int, total: Int) {
    guard let recipient, let session = recipient.session,
      recipient.delegate is any URLSessionDownloadDelegate
    else { return }
    session.delegateQueue.addOperation { [self] in
      // A suspended task is still told about what had arrived.
      guard let task = state.withLock({ $0.task }),
        task.state == .running || task.state == .suspended,
        let delegate = recipient.delegate as? any URLSessionDownloadDelegate
      else { return }
      delegate.urlSession(
        session, downloadTask: task, didWriteData: Int64(count), totalBytesWritten: Int64(total),
        totalBytesExpectedToWrite: task.response?.expectedContentLength ?? -1)
    }
  }

  /// Calls a handler with the file, which is removed afterwards: move it to keep it.
  func deliver(
    _ response: URLResponse?, _ error: (any Error)?,
    to handler: (URL?, URLResponse?, (any Error)?) -> Void
  ) {
    guard error == nil else { return handler(nil, response, error) }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("download-\(UUID().uuidString).tmp")
    do {
      try state.withLock { $0.body }.write(to: file)
    } catch {
      return handler(nil, response, URLError(.cannotCreateFile))
    }
    handler(file, response, nil)
    try? FileManager.default.removeItem(at: file)
  }

  /// Tells the delegate about the end.
  func deliver(_ response: URLResponse?, _ error: (any Error)?) {
    guard let recipient, let session = recipient.session, let task = state.withLock({ $0.task })
    else { return }
    deliver(response, error) { file, _, error in
      if let file, let delegate = recipient.delegate as? any URLSessionDownloadDelegate {
        delegate.urlSession(session, downloadTask: task, didFinishDownloadingTo: file)
      }
      recipient.delegate.urlSession(session, task: task, didCompleteWithError: error)
    }
  }
}
