import Foundation
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
/// An invalidated session must not make tasks, because `URLSession` ends the program. But a
/// pipeline that retries makes one when its network is released. It gets a task that ends like the
/// one before.
///
/// `@unchecked` repeats what `URLSession` declares. The state added here is immutable.
final class StubSession: URLSession, @unchecked Sendable {
  private let settler: Settler
  private let sessionClass: SessionClass
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
    self.onRelease = onRelease
    sessionClass = SessionClass(of: settler, settings)
    sessionClass.attach(to: configuration)
    super.init(configuration: configuration, delegate: delegate, delegateQueue: settler.mailbox)
  }

  deinit { onRelease() }

  // MARK: Data tasks

  override func dataTask(with url: URL) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url))
  }

  override func dataTask(with request: URLRequest) -> URLSessionDataTask {
    guard !settler.isInvalidated else { return settler.makeLateSession().dataTask(with: request) }
    let task = super.dataTask(with: request)
    settler.announce(task, isStreaming: hasDataDelegate, recipient: TaskRecipient(of: self))
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
    guard !settler.isInvalidated else {
      return settler.makeLateSession().dataTask(
        with: request, completionHandler: completionHandler)
    }
    let task = super.dataTask(with: request, completionHandler: completionHandler)
    settler.announce(task)
    return task
  }

  // MARK: Upload tasks

  override func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    guard !settler.isInvalidated else {
      return settler.makeLateSession().uploadTask(with: request, from: bodyData)
    }
    return announce(super.uploadTask(with: request, from: bodyData), .data(bodyData))
  }

  override func uploadTask(
    with request: URLRequest, fromFile fileURL: URL
  ) -> URLSessionUploadTask {
    guard !settler.isInvalidated else {
      return settler.makeLateSession().uploadTask(with: request, fromFile: fileURL)
    }
    return announce(super.uploadTask(with: request, fromFile: fileURL), .file(fileURL))
  }

  override func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    // On Linux, Foundation ends the program if an upload task has no body.
    let body = bodyData ?? Data()
    guard !settler.isInvalidated else {
      return settler.makeLateSession().uploadTask(
        with: request, from: body, completionHandler: completionHandler)
    }
    let task = super.uploadTask(
      with: request, from: body, completionHandler: completionHandler)
    return announce(task, .data(body), hasHandler: true)
  }

  override func uploadTask(
    with request: URLRequest, fromFile fileURL: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    guard !settler.isInvalidated else {
      return settler.makeLateSession().uploadTask(
        with: request, fromFile: fileURL, completionHandler: completionHandler)
    }
    let task = super.uploadTask(
      with: request, fromFile: fileURL, completionHandler: completionHandler)
    return announce(task, .file(fileURL), hasHandler: true)
  }

  private func announce(
    _ task: URLSessionUploadTask, _ body: UploadBody, hasHandler: Bool = false
  ) -> URLSessionUploadTask {
    settler.announce(
      task, isStreaming: hasDataDelegate && !hasHandler, uploadBody: body,
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
    guard !settler.isInvalidated else {
      return settler.makeLateSession().downloadTask(with: Self.resumed)
    }
    return super.downloadTask(with: Self.resumed)
  }

  override func downloadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    guard !settler.isInvalidated else {
      return settler.makeLateSession().downloadTask(
        with: Self.resumed, completionHandler: completionHandler)
    }
    return super.downloadTask(with: Self.resumed, completionHandler: completionHandler)
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
    guard !settler.isInvalidated else {
      return settler.makeLateSession().downloadTask(with: request, completionHandler: handler)
    }
    let task = super.downloadTask(with: request, completionHandler: handler)
    download.begin(task)
    settler.announce(task, download: download, recipient: download.recipient)
    return task
  }

  private var hasDataDelegate: Bool { delegate is any URLSessionDataDelegate }

  // MARK: The end of the session

  // Without an open task, settling doesn't expect any work of the session.

  override func finishTasksAndInvalidate() {
    super.finishTasksAndInvalidate()
    settler.noteWork()
  }

  override func invalidateAndCancel() {
    super.invalidateAndCancel()
    settler.noteWork()
  }
}

extension StubSession: CancellationObserving {
  func willCancel(_ task: URLSessionTask) { settler.noteCancellation(of: task) }
}
