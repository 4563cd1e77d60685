import Foundation

/// The most that a scenario takes from a server. The scenarios' own server stays far below.
enum ResponseLimits {
  /// The most bytes of one body. A longer one fails with `URLError.dataLengthExceedsMaximum`.
  static let bodyBytes = 1 << 20

  /// The most bytes of all bodies that wait for the world's thread.
  static let waitingBytes = 8 << 20

  /// The least that a chunk counts, in bytes. It bounds the number of chunks, and so the events of
  /// a response.
  static let leastBytesOfChunk = 256

  /// The most redirects of one request. After more of them, it fails with
  /// `URLError.httpTooManyRedirects`. Foundation's own limit is 20, and it traps there.
  static let redirects = 10
}

/// What one task has received so far, within the limits.
struct ArrivalState {
  enum Redirection {
    case follow
    /// The redirect itself becomes the response.
    case refuse
  }

  /// Why the task fails, though the session doesn't report that.
  private(set) var failure: URLError.Code?
  /// Whether the server asked for credentials.
  private(set) var isChallenged = false
  private(set) var response: URLResponse?
  private(set) var body = Data()
  private var countedBytes = 0
  private var redirects = 0

  /// Whether events of the task are still passed on.
  var isOpen: Bool { failure == nil }

  mutating func receive(_ response: URLResponse) { self.response = response }

  /// - Parameter keeps: Whether to add the data to the body.
  /// - Returns: Whether the data is within the limit.
  mutating func receive(_ data: Data, keeps: Bool) -> Bool {
    countedBytes += max(data.count, ResponseLimits.leastBytesOfChunk)
    guard countedBytes <= ResponseLimits.bodyBytes else {
      fail(.dataLengthExceedsMaximum)
      return false
    }
    if keeps { body.append(data) }
    return true
  }

  mutating func redirect(to url: URL?, of server: ServerURL) -> Redirection {
    redirects += 1
    guard redirects <= ResponseLimits.redirects else {
      fail(.httpTooManyRedirects)
      return .refuse
    }
    return server.contains(url) ? .follow : .refuse
  }

  mutating func challenge() { isChallenged = true }

  mutating func fail(_ code: URLError.Code) {
    failure = failure ?? code
    body = Data()
  }

  /// The result of the task, if the session ends it with an error or without one.
  func result(_ error: (any Error)?) -> (any Error)? {
    if let failure { return URLError(failure) }
    return isChallenged && response != nil ? nil : error
  }
}
