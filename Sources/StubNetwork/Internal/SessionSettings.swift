import Foundation
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The settings of a session that its requests follow under a stub.
struct SessionSettings: Sendable {
  /// Foundation's default for a request's timeout, and for a session's timeout of a request.
  private static let defaultTimeout: TimeInterval = 60
  /// Foundation's default for a session's timeout of a resource: seven days.
  private static let defaultResourceTimeout: TimeInterval = 604_800

  private(set) var waitsForConnectivity = false
  private var requestTimeout = Self.defaultTimeout

  /// How long a request may take in all; `nil` for any time. The default of a week means any time
  /// too, so that a request that waits for connectivity doesn't keep the clock running for a week.
  private(set) var resourceLimit: VirtualTime.Interval?

  /// The fields that the session adds to each request that doesn't have them.
  private(set) var additionalHeaders: [String: String] = [:]

  /// The session's cookies; `nil` if it has none.
  private(set) var cookies: SessionCookies?

  /// Makes the settings of a session that follows the timeouts of its requests only.
  init() {}

  /// - Parameters:
  ///   - configuration: The session's configuration.
  ///   - waitsForConnectivity: Whether its requests wait for connectivity.
  ///   - jar: Keeps the cookies of the network.
  init(_ configuration: URLSessionConfiguration, waitsForConnectivity: Bool, jar: CookieJar) {
    self.waitsForConnectivity = waitsForConnectivity
    let timeout = configuration.timeoutIntervalForRequest
    // Not a number means no limit.
    requestTimeout = timeout.isNaN ? .infinity : timeout
    let limit = configuration.timeoutIntervalForResource
    if limit < StubResponse.longestTimeout, limit != Self.defaultResourceTimeout {
      resourceLimit = .seconds(max(0, limit))
    }
    // On Linux, a session with anything but strings here ends the program when it's made.
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      if let name = name as? String, let value = value as? String {
        additionalHeaders[name] = value
      }
    }
    cookies = SessionCookies(configuration, jar)
  }

  /// Returns how many seconds a request waits for the next byte.
  ///
  /// The request's own timeout wins if it was set. Foundation keeps to itself whether it was, so 60
  /// seconds count as unset.
  func timeout(of request: URLRequest) -> TimeInterval {
    request.timeoutInterval == Self.defaultTimeout ? requestTimeout : request.timeoutInterval
  }
}
