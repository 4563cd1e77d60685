import Foundation
import VirtualTime

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
          + "uploadTask(withStreamedRequest:): use uploadTask(with:from:completionHandler:), or "
          + "data(for:) with the body in the request" : nil
    case is URLSessionDataTask: nil
    case is URLSessionDownloadTask:
      announced.download == nil
        ? "a stub can't make the file of download(from:), download(for:) and "
          + "downloadTask(withResumeData:): use downloadTask(with:completionHandler:)" : nil
    default: "a stub can't respond to a \(type(of: self)): use a data task"
    }
  }
}

/// Problems with requests: one for those that failed for the same reason, such as those of a retry.
struct RefusalList {
  private struct Refusal {
    /// Names the first request.
    let first: String
    /// The latest reason, unless `first` says it.
    var reason: String?
    var count = 1
    /// The time of the latest request, if it's known.
    var last: VirtualTime?

    var problem: String {
      var text = first
      if count > 1 { text += ", and \(count - 1) more" + (last.map { " until \($0)" } ?? "") }
      return text + (reason.map { ": \($0)" } ?? "")
    }
  }

  private var refusals: [Refusal] = []
  private var indices: [String: Int] = [:]

  /// One sentence for each topic, in the order in which they came up.
  var problems: [String] { refusals.map(\.problem) }

  /// Notes a request.
  ///
  /// - Parameters:
  ///   - topic: What requests have in common that are one problem; `nil` for both texts.
  ///   - first: Names the request, if it's the first one of its topic.
  ///   - reason: Why it failed.
  ///   - time: When.
  mutating func note(
    topic: String? = nil, _ first: String, because reason: String? = nil,
    at time: VirtualTime? = nil
  ) {
    let topic = topic ?? "\(first): \(reason ?? "")"
    if let index = indices[topic] {
      refusals[index].count += 1
      (refusals[index].reason, refusals[index].last) = (reason, time)
    } else {
      indices[topic] = refusals.count
      refusals.append(Refusal(first: first, reason: reason, last: time))
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

  // Without a network, which fails every task.
  private static let session = makeSession(StubURLProtocol.self)
  private static let silentSession = makeSession(SilentProtocol.self)

  private static func makeSession(_ protocolClass: URLProtocol.Type) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [protocolClass]
    return URLSession(configuration: configuration)
  }

  /// Makes a task whose `send`, `receive` and `sendPing` fail with
  /// `URLError.networkConnectionLost`, whether or not it is resumed.
  static func task(with request: URLRequest) -> URLSessionWebSocketTask {
    let task = session.webSocketTask(with: request)
    task.cancel(with: .abnormalClosure, reason: Data(reason.utf8))
    return task
  }

  /// Makes a task whose `send` and `receive` hear nothing until it's cancelled. Foundation fails a
  /// `sendPing` at once.
  static func silentTask(with request: URLRequest) -> URLSessionWebSocketTask {
    silentSession.webSocketTask(with: request)
  }
}

/// Never responds.
private final class SilentProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {}

  override func stopLoading() {}
}
