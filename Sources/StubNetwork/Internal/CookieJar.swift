import Foundation
import Streams
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps the cookies of responses in a storage, which sessions may share.
///
/// A storage removes expired cookies when one is set, by the date of the wall clock. Under a stub,
/// the date is that of the virtual clock. So this type notes when cookies expire and doesn't tell
/// the storage, which keeps them as if they had no end.
final class CookieJar: Sendable {
  /// What makes two cookies the same one.
  private struct Name: Hashable {
    let domain, path, name: String

    init(_ cookie: HTTPCookie) {
      (domain, path, name) = (cookie.domain, cookie.path, cookie.name)
    }
  }

  private struct Expiry {
    let cookie: HTTPCookie
    let date: Date
  }

  let storage: HTTPCookieStorage
  private let expiries = Locked<[Name: Expiry]>([:])

  init(_ storage: HTTPCookieStorage) { self.storage = storage }

  /// Keeps the cookies of a response, and removes those that have expired by now.
  func keep(_ cookies: [HTTPCookie], from url: URL, at now: VirtualTime) {
    let date = now.date
    for cookie in cookies { keep(cookie, from: url, at: date) }
    let expired = expiries.withLock { expiries in
      defer { expiries = expiries.filter { $0.value.date > date } }
      return expiries.values.filter { $0.date <= date }
    }
    for expiry in expired { storage.deleteCookie(expiry.cookie) }
  }

  private func keep(_ cookie: HTTPCookie, from url: URL, at date: Date) {
    let endless = cookie.withoutEnd
    storage.setCookies([endless], for: url, mainDocumentURL: nil)
    let expiry = cookie.end(setAt: date).map { Expiry(cookie: endless, date: $0) }
    expiries.withLock { $0[Name(cookie)] = expiry }
  }
}

/// Keeps the cookies of a session's responses, as a real session on Linux does.
///
/// The session itself sends them: it puts those of its storage into the requests of the tasks that
/// it makes. Only its own protocol for HTTP fills the storage, so under a stub this type does.
struct SessionCookies: Sendable {
  private let jar: CookieJar
  private let accepts: Bool
  private let sends: Bool

  /// - Parameters:
  ///   - jar: Keeps the cookies of all sessions with the configuration's storage.
  ///   - configuration: The session's configuration.
  init(_ jar: CookieJar, _ configuration: URLSessionConfiguration) {
    self.jar = jar
    accepts = configuration.httpCookieAcceptPolicy != .never
    sends = configuration.httpShouldSetCookies
  }

  /// Keeps the cookies of a response, and removes those that have expired by now.
  func keepCookies(of headers: [String: String], from url: URL, at now: VirtualTime) {
    // A session on Linux looks for this spelling of the name only.
    guard accepts, let field = headers["Set-Cookie"] else { return }
    let fields = ["Set-Cookie": field]
    jar.keep(HTTPCookie.cookies(withResponseHeaderFields: fields, for: url), from: url, at: now)
  }

  /// Returns the request with its cookies sorted by name. A storage has them in no order, so they'd
  /// be sent in another one in each run.
  func sortCookies(of request: URLRequest) -> URLRequest {
    guard sends, let url = request.url, (jar.storage.cookies(for: url) ?? []).count > 1,
      let field = request.value(forHTTPHeaderField: "Cookie")
    else { return request }
    var sorted = request
    sorted.setValue(
      field.components(separatedBy: "; ").sorted().joined(separator: "; "),
      forHTTPHeaderField: "Cookie")
    return sorted
  }
}

extension VirtualTime {
  /// The date of a clock that starts at the reference date, as the dates of schedulers do.
  fileprivate var date: Date {
    Date(timeIntervalSinceReferenceDate: TimeInterval(nanoseconds) / 1e9)
  }
}

extension HTTPCookie {
  /// When the cookie expires, if it was set at a date; `nil` for never. As in Foundation, only a
  /// cookie of version 1 has a `Max-Age`.
  fileprivate func end(setAt date: Date) -> Date? {
    guard let end = expiresDate else { return nil }
    guard version == 1, let age = properties?[.maximumAge] as? String, let seconds = Int(age)
    else { return end }
    return date.addingTimeInterval(TimeInterval(seconds))
  }

  /// The same cookie, which never expires.
  fileprivate var withoutEnd: HTTPCookie {
    guard expiresDate != nil else { return self }
    var properties: [HTTPCookiePropertyKey: Any] = [
      .name: name, .value: value, .domain: domain, .path: path, .version: "\(version)",
    ]
    if isSecure { properties[.secure] = "TRUE" }
    if isHTTPOnly { properties[HTTPCookiePropertyKey(rawValue: "HttpOnly")] = "TRUE" }
    return HTTPCookie(properties: properties) ?? self
  }
}
