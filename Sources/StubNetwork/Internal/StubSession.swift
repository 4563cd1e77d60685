import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URLSession that notes which of its tasks stream to its delegate.
///
/// A task with a completion handler, also one of a session with a delegate, gets only the last
/// part of a body that a stub loads in parts. So the driver has to join the parts for all tasks but
/// those that were made here without a handler. The async functions make theirs past these methods.
///
/// An invalidated session must not make tasks: URLSession ends the program. A pipeline that retries
/// does so when its network is released, though, and gets a task that ends like the one before.
///
/// `@unchecked` says again what URLSession says: what is added here is immutable.
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
