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
  let waitsForConnectivity: Bool
  private let requestTimeout: TimeInterval

  /// How long a request may take in all; `nil` for any time. The default of a week means any time
  /// too, so that a request that waits for connectivity doesn't keep the clock running for a week.
  let resourceLimit: VirtualTime.Interval?

  /// The fields that the session adds to each request that doesn't have them.
  let additionalHeaders: [String: String]

  /// The session's cookies; `nil` if it has none.
  let cookies: SessionCookies?

  /// The settings of a session that follows the timeouts of its requests only.
  static let plain = SessionSettings(
    waitsForConnectivity: false, requestTimeout: defaultTimeout,
    resourceTimeout: defaultResourceTimeout, additionalHeaders: [:], cookies: nil)

  /// - Parameters:
  ///   - configuration: The session's configuration.
  ///   - waitsForConnectivity: Whether its requests wait for connectivity.
  ///   - jar: Keeps the cookies of the configuration's storage; `nil` if it has none.
  init(_ configuration: URLSessionConfiguration, waitsForConnectivity: Bool, jar: CookieJar?) {
    var headers: [String: String] = [:]
    // On Linux, a session with anything but strings here ends the program when it's made.
    for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    self.init(
      waitsForConnectivity: waitsForConnectivity,
      requestTimeout: configuration.timeoutIntervalForRequest,
      resourceTimeout: configuration.timeoutIntervalForResource,
      additionalHeaders: headers, cookies: jar.map { SessionCookies($0, configuration) })
  }

  private init(
    waitsForConnectivity: Bool, requestTimeout: TimeInterval, resourceTimeout: TimeInterval,
    additionalHeaders: [String: String], cookies: SessionCookies?
  ) {
    self.waitsForConnectivity = waitsForConnectivity
    // Not a number isn't equal to itself, and means no limit.
    self.requestTimeout = requestTimeout.isNaN ? .infinity : requestTimeout
    let isLimit = resourceTimeout < StubResponse.longestTimeout
    resourceLimit =
      isLimit && resourceTimeout != Self.defaultResourceTimeout
      ? .seconds(max(0, resourceTimeout)) : nil
    self.additionalHeaders = additionalHeaders
    self.cookies = cookies
  }

  /// Returns how many seconds a request waits for the next byte.
  ///
  /// The request's own timeout wins if it was set. Foundation keeps to itself whether it was, so 60
  /// seconds count as unset.
  func timeout(of request: URLRequest) -> TimeInterval {
    request.timeoutInterval == Self.defaultTimeout ? requestTimeout : request.timeoutInterval
  }
}
