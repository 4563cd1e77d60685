import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionTask {
  /// Why a stub can't respond to this task; `nil` if it can.
  ///
  /// - Parameter announced: The facts that the session told when it made the task. The async
  ///   functions make tasks without telling any.
  func refusal(_ announced: Settler.Announcement) -> String? {
    switch self {
    case is URLSessionUploadTask:
      announced.uploadBody == nil
        ? "a stub can't see the body of upload(for:from:), upload(for:fromFile:) and "
          + "uploadTask(withStreamedRequest:): use uploadTask(with:from:completionHandler:), or data(for:) "
          + "with the body in the request" : nil
    case is URLSessionDataTask: nil
    case is URLSessionDownloadTask:
      announced.download == nil
        ? "a stub can't make the file of download(from:), download(for:) and "
          + "downloadTask(withResumeData:): use downloadTask(with:completionHandler:)" : nil
    default: "a stub can't respond to a \(type(of: self)): use a data task"
    }
  }
}

/// Web socket tasks that have failed already.
///
/// Under a stub they would neither open nor fail, because such a task learns of its opening only
/// from Foundation's own protocol. So they come from a session of their own, whose callbacks don't
/// wait for a network to settle. One is enough for the whole process.
enum RefusedWebSocket {
  static let reason =
    "a stub can't respond to a web socket: put a protocol in front of URLSessionWebSocketTask, and "
    + "pass the test's own implementation, such as one with a subject"

  private static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    // Without a network, which fails every task.
    configuration.protocolClasses = [StubURLProtocol.self]
    return URLSession(configuration: configuration)
  }()

  /// Makes a task whose `send`, `receive` and `sendPing` fail with
  /// `URLError.networkConnectionLost`, whether or not it is resumed.
  static func task(with request: URLRequest) -> URLSessionWebSocketTask {
    let task = session.webSocketTask(with: request)
    task.cancel(with: .abnormalClosure, reason: Data(reason.utf8))
    return task
  }
}
