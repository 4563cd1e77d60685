import Foundation
import Streams
import StreamsFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` that notes what its tasks keep to themselves: which ones stream to the delegate,
/// the bodies of upload tasks, and the files of download tasks.
///
/// If a stub loads a body in parts, a task with a completion handler gets only the last part, even
/// in a session with a delegate. So the driver joins the parts, except for tasks that were made
/// here without a handler. The async functions don't call these methods to make their tasks. So the
/// chunks they receive are joined too, and their uploads and downloads are refused.
///
/// `URLSession` ends the program if an invalidated session makes a task. But code that outlives its
/// network may well try, and its async functions can't be overridden. So the network never
/// invalidates a session: it cancels the tasks, and takes the delegate away, which could otherwise
/// keep the session forever. That's why the delegate is kept here, and not by `URLSession`.
///
/// `@unchecked` repeats what `URLSession` declares. The state added here is immutable or locked.
final class StubSession: URLSession, @unchecked Sendable {
  /// Whether the user has invalidated the session.
  private enum Phase {
    case valid
    /// The call is under way.
    case invalidating
    case invalidated
  }

  private struct State {
    var delegate: (any URLSessionDelegate)?
    var phase = Phase.valid
  }

  private let settler: Settler
  private let sessionClass: SessionClass
  private let state: Locked<State>
  private let onRelease: @Sendable () -> Void

  /// - Parameters:
  ///   - configuration: The session's configuration, which loads from the stub from now on.
  ///   - settings: The settings of the configuration.
  ///   - delegate: The session's delegate.
  ///   - settler: The settler of the network.
  ///   - onRelease: Called when the session is released, on any thread.
  init(
    configuration: URLSessionConfiguration, settings: SessionSettings,
    delegate: (any URLSessionDelegate)?, settler: Settler,
    onRelease: @escaping @Sendable () -> Void
  ) {
    self.settler = settler
    state = Locked(State(delegate: delegate))
    self.onRelease = onRelease
    sessionClass = SessionClass(of: settler, settings)
    sessionClass.attach(to: configuration)
    super.init(configuration: configuration, delegate: nil, delegateQueue: settler.mailbox)
  }

  deinit { onRelease() }

  override var delegate: (any URLSessionDelegate)? { state.withLock { $0.delegate } }

  // MARK: Data tasks

  override func dataTask(with url: URL) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url))
  }

  override func dataTask(with request: URLRequest) -> URLSessionDataTask {
    let task = super.dataTask(with: request)
    settler.announce(
      task, of: self, isStreaming: hasDataDelegate, recipient: TaskRecipient(of: self))
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
    let task = super.dataTask(with: request, completionHandler: completionHandler)
    settler.announce(task, of: self)
    return task
  }

  // MARK: Upload tasks

  override func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    return announce(super.uploadTask(with: request, from: bodyData), .data(bodyData))
  }

  override func uploadTask(
    with request: URLRequest, fromFile fileURL: URL
  ) -> URLSessionUploadTask {
    return announce(super.uploadTask(with: request, fromFile: fileURL), .file(fileURL))
  }

  override func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    // On Linux, Foundation ends the program if an upload task has no body.
    let body = bodyData ?? Data()
    let task = super.uploadTask(
      with: request, from: body, completionHandler: completionHandler)
    return announce(task, .data(body), hasHandler: true)
  }

  override func uploadTask(
    with request: URLRequest, fromFile fileURL: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    let task = super.uploadTask(
      with: request, fromFile: fileURL, completionHandler: completionHandler)
    return announce(task, .file(fileURL), hasHandler: true)
  }

  // Refused when it starts.
  override func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    let task = super.uploadTask(withStreamedRequest: request)
    settler.announce(task, of: self)
    return task
  }

  private func announce(
    _ task: URLSessionUploadTask, _ body: UploadBody, hasHandler: Bool = false
  ) -> URLSessionUploadTask {
    settler.announce(
      task, of: self, isStreaming: hasDataDelegate && !hasHandler, uploadBody: body,
      recipient: hasHandler ? nil : TaskRecipient(of: self))
    return task
  }

  // MARK: Download tasks

  override func downloadTask(with url: URL) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url))
  }

  override func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    let download = Download(to: TaskRecipient(of: self))
    return downloadTask(with: request, download) { download.deliver($1, $2) }
  }

  override func downloadTask(
    with url: URL,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  override func downloadTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    let download = Download()
    return downloadTask(with: request, download) {
      download.deliver($1, $2, to: completionHandler)
    }
  }

  // On Linux, Foundation can't resume a download. These tasks fail like others that are refused.

  override func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    let task = super.downloadTask(with: Self.resumed)
    settler.announce(task, of: self)
    return task
  }

  override func downloadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    let task = super.downloadTask(with: Self.resumed, completionHandler: completionHandler)
    settler.announce(task, of: self)
    return task
  }

  /// Stands for the request that resume data hold.
  private static let resumed: URLRequest = {
    guard let url = URL(string: "https://resume-data.invalid/") else {
      preconditionFailure("the URL for resumed downloads is malformed")
    }
    return URLRequest(url: url)
  }()

  private func downloadTask(
    with request: URLRequest, _ download: Download,
    _ handler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    let task = super.downloadTask(with: request, completionHandler: handler)
    download.begin(task)
    settler.announce(task, of: self, download: download, recipient: download.recipient)
    return task
  }

  private var hasDataDelegate: Bool { delegate is any URLSessionDataDelegate }

  // MARK: Web sockets

  override func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
    webSocketTask(with: URLRequest(url: url))
  }

  override func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
    webSocketTask(with: URLRequest(url: url))
  }

  override func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
    let isAnswered = settler.refuseWebSocket(request, RefusedWebSocket.reason)
    return isAnswered
      ? RefusedWebSocket.task(with: request) : RefusedWebSocket.silentTask(with: request)
  }

  // MARK: Looking at the session

  // Without an open task, settling doesn't expect any work of the session.

  override func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    super.getAllTasks(completionHandler: completionHandler)
    settler.noteWork()
  }

  override func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable (
        [URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]
      ) -> Void
  ) {
    super.getTasksWithCompletionHandler(completionHandler)
    settler.noteWork()
  }

  /// Foundation empties the cache and the stored credentials on a global queue, which no clock
  /// waits for. A session of a stub has no cache, and uses no credentials.
  override func reset(completionHandler: @escaping @Sendable () -> Void) {
    flush(completionHandler: completionHandler)
  }

  // MARK: The end of the session

  override func finishTasksAndInvalidate() {
    invalidate { super.finishTasksAndInvalidate() }
  }

  override func invalidateAndCancel() {
    invalidate { super.invalidateAndCancel() }
  }

  private func invalidate(_ invalidate: () -> Void) {
    // The network has ended the session already. If code that outlives it makes another task, that
    // has to fail, without an end of the program.
    if settler.isInvalidated { return }
    // First, because it decides who tells the delegate: see `end()`.
    state.withLock { $0.phase = .invalidating }
    invalidate()
    state.withLock { $0.phase = .invalidated }
    settler.noteInvalidatedSession()
  }

  /// Releases the delegate of an invalidated session, once it was told about the end of all tasks
  /// and of the session. Called when nothing is pending.
  ///
  /// - Returns: Whether there is still a delegate to be released later.
  func keepsDelegateAfterInvalidation() -> Bool {
    guard state.withLock({ $0.phase == .invalidated && $0.delegate != nil }) else { return false }
    if settler.hasTasks(of: self) { return true }
    // Another thread may have invalidated it just now, and Foundation tells only a delegate that's
    // still there.
    Sentinel.shared.waitForWorkQueues()
    releaseDelegate()
    return false
  }

  /// Tells the delegate that the session has ended with its network, and releases it. The callbacks
  /// of the session's tasks wait in the mailbox already.
  ///
  /// If the user has invalidated the session, Foundation tells the delegate once all tasks have
  /// ended, so the session keeps it until then.
  func end() {
    let taken = state.withLock { state -> (any URLSessionDelegate)? in
      guard state.phase == .valid else { return nil }
      defer { state.delegate = nil }
      return state.delegate
    }
    guard let delegate = taken else { return }
    settler.mailbox.withOrigin(.max) {
      settler.mailbox.addOperation { delegate.urlSession(self, didBecomeInvalidWithError: nil) }
    }
  }

  /// Releases the delegate, outside the lock.
  func releaseDelegate() {
    _ = state.withLock { state in
      defer { state.delegate = nil }
      return state.delegate
    }
  }
}

extension StubSession: CancellationObserving {
  func willCancel(_ task: URLSessionTask) { settler.noteCancellation(of: task) }
}
