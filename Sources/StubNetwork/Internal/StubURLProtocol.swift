import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a session under a stub loads with: it only notes what URLSession does, in the words of
/// tasks that are born, started and stopped. The driver answers, at its time and on its thread.
///
/// It must not call the session from `startLoading` and `stopLoading`: `cancel()` and `resume()`
/// crash there. A second `startLoading` comes with each `resume()`, and a `stopLoading` may come
/// without a start; the driver expects both.
class StubURLProtocol: URLProtocol {
  /// The network's settler; `nil` after the network is gone.
  class var settler: Settler? { nil }

  /// Whether requests of the session wait for a network where there is none.
  class var waitsForConnectivity: Bool { false }

  /// The same of this one's session.
  var waitsForConnectivity: Bool { Self.waitsForConnectivity }

  // Both are written in `init` only, before the session knows the protocol.
  private var settler: Settler?
  private(set) var birth = 0

  override class func canInit(with request: URLRequest) -> Bool {
    // Always: nothing may reach a real network.
    true
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  // Runs inside the task's `resume()` or `cancel()`, on the caller's thread: births have the order
  // of these calls.
  required convenience init(
    task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    guard let request = task.currentRequest else {
      preconditionFailure("a session loads a task without a request")
    }
    self.init(request: request, cachedResponse: cachedResponse, client: client)
    self.task = task
    settler = Self.settler
    birth = settler?.noteBirth(of: self) ?? 0
  }

  override func startLoading() {
    if let settler, !settler.mailbox.isClosed {
      settler.noteStart(of: self)
    } else {
      // The network is over; there is no driver left who could say so.
      client?.urlProtocol(self, didFailWithError: URLError(.cancelled))
    }
  }

  override func stopLoading() { settler?.noteStop(of: self) }
}
