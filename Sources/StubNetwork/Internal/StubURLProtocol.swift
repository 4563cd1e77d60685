import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The protocol that loads the requests of a session under a stub.
///
/// It only notes that `URLSession` created, started or stopped a task. The driver responds later,
/// on its own thread. Only a task that no stub can respond to fails at once, because a test may be
/// waiting for it.
///
/// `startLoading` and `stopLoading` must not call the session: `cancel()` and `resume()` crash
/// there. Each further `resume()` calls `startLoading` again, and `stopLoading` may come without a
/// start. The driver expects both.
class StubURLProtocol: URLProtocol {
  /// The network of the class's sessions, and their settings.
  class var home: NetworkRegistry.Home { NetworkRegistry.Home() }

  // These are written only in `init`, before the session knows the protocol.
  private var settler: Settler?
  /// The settings of the task's session.
  private(set) var settings = SessionSettings()
  /// The number of the task: tasks are numbered from 1, in the order they were created.
  private(set) var taskNumber = 0
  /// Why a stub can't respond to the task; `nil` if it can.
  private(set) var refusal: String?

  override class func canInit(with request: URLRequest) -> Bool {
    // Always, because nothing may reach a real network.
    true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  // Runs inside the task's first `resume()` or `cancel()`, on the caller's thread. So tasks are
  // numbered in the order of these calls.
  required convenience init(
    task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    guard let request = task.currentRequest else {
      preconditionFailure("a session started a task without a request")
    }
    self.init(request: request, cachedResponse: cachedResponse, client: client)
    self.task = task
    let home = Self.home
    (settler, settings) = (home.settler, home.settings)
    if let settler { (taskNumber, refusal) = settler.noteCreation(of: self) }
  }

  override func startLoading() {
    // Without a settler, this is a web socket that's refused: see ``RefusedWebSocket``.
    let error: URLError? = settler.map { $0.noteStart(of: self) } ?? URLError(.cancelled)
    if let error { client?.urlProtocol(self, didFailWithError: error) }
  }

  override func stopLoading() { settler?.noteStop(of: self) }
}
