import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` that notes which of its tasks stream to its delegate.
///
/// If a stub loads a body in parts, a task with a completion handler gets only the last part, even in
/// a session with a delegate. So the driver joins the parts, except for tasks that were made here
/// without a handler. The async functions don't call these methods to make their tasks, so their
/// bodies are joined too.
///
/// An invalidated session must not make tasks, because `URLSession` ends the program. But a pipeline
/// that retries makes one when its network is released. It gets a task that ends like the one before.
///
/// `@unchecked` repeats what `URLSession` declares. The state added here is immutable.
final class StubSession: URLSession, @unchecked Sendable {
  private let settler: Settler

  init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, settler: Settler
  ) {
    self.settler = settler
    super.init(configuration: configuration, delegate: delegate, delegateQueue: settler.mailbox)
  }

  override func dataTask(with url: URL) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url))
  }

  override func dataTask(with request: URLRequest) -> URLSessionDataTask {
    guard !settler.isInvalidated else { return settler.makeLateSession().dataTask(with: request) }
    let task = super.dataTask(with: request)
    if delegate is any URLSessionDataDelegate { settler.noteStreaming(task) }
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
    return super.dataTask(with: request, completionHandler: completionHandler)
  }
}
