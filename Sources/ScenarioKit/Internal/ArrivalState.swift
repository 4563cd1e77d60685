import Foundation

/// The part of a response that has arrived so far, within the limits.
struct ArrivalState {
  enum Redirection {
    case follow
    /// The redirect itself becomes the response.
    case refuse
    /// Nothing. The task is about to be cancelled, and then Foundation traps on any decision.
    case ignore
  }

  /// Why the task fails, though the session doesn't report that.
  private(set) var failure: URLError.Code?
  /// Whether the task was cancelled, or is about to be.
  private(set) var isCancelled = false
  /// Whether the server asked for credentials.
  private(set) var isChallenged = false
  private(set) var response: URLResponse?
  private(set) var body = Data()
  private var countedBytes = 0
  private var redirects = 0

  /// Whether events of the task are still passed on.
  var isOpen: Bool { failure == nil }

  /// - Returns: Whether this is the final response. Those before it, such as `100 Continue`, only
  ///   count, because a server may send them forever.
  mutating func receive(_ response: URLResponse) -> Bool {
    if let status = (response as? HTTPURLResponse)?.statusCode, (100...199).contains(status) {
      _ = count(ResponseLimits.leastBytesOfChunk)
      return false
    }
    self.response = response
    return true
  }

  /// - Parameter keeps: Whether to add the data to the body.
  /// - Returns: Whether the data is within the limit.
  mutating func receive(_ data: Data, keeps: Bool) -> Bool {
    guard count(max(data.count, ResponseLimits.leastBytesOfChunk)) else { return false }
    if keeps { body.append(data) }
    return true
  }

  private mutating func count(_ bytes: Int) -> Bool {
    countedBytes += bytes
    if countedBytes > ResponseLimits.bodyBytes { fail(.dataLengthExceedsMaximum) }
    return isOpen
  }

  mutating func redirect(to url: URL?, of server: ServerURL) -> Redirection {
    guard isOpen, !isCancelled else { return .ignore }
    redirects += 1
    guard redirects <= ResponseLimits.redirects else {
      fail(.httpTooManyRedirects)
      return .refuse
    }
    return server.contains(url) ? .follow : .refuse
  }

  mutating func cancel() { isCancelled = true }

  mutating func challenge() { isChallenged = true }

  mutating func fail(_ code: URLError.Code) {
    failure = failure ?? code
    body = Data()
  }

  /// The result of the task, if the session ends it with an error or without one.
  ///
  /// The session may end it without a response too. It does so with a redirect that has no usable
  /// `Location`.
  func result(_ error: (any Error)?) -> (any Error)? {
    if let failure { return URLError(failure) }
    if isChallenged, response != nil { return nil }
    return error ?? (response == nil ? URLError(.badServerResponse) : nil)
  }
}
