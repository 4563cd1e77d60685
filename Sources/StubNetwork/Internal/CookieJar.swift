import Foundation
import Streams
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps the cookies of a network's responses, in the storages of its sessions.
///
/// A storage removes expired cookies when one is set, by the date of the wall clock. Under a stub,
/// the date is that of the virtual clock. So this type notes when cookies expire and doesn't tell
/// the storage, which keeps them as if they had no end.
final class CookieJar: Sendable {
  /// What makes two cookies the same one.
  private struct Name: Hashable {
    let storage: ObjectIdentifier
    let domain, path, name: String
  }

  private struct Expiry {
    let cookie: HTTPCookie
    let date: Date
    let storage: HTTPCookieStorage
  }

  private struct State {
    var shared: HTTPCookieStorage?
    var expiries: [Name: Expiry] = [:]
  }

  private let state = Locked(State())

  /// Stands for `HTTPCookieStorage.shared`, which is for all tests, and in a file.
  var shared: HTTPCookieStorage? {
    state.withLock { state in
      state.shared = state.shared ?? URLSessionConfiguration.ephemeral.httpCookieStorage
      return state.shared
    }
  }

  /// Keeps the cookies of a response, and removes those of the storage that have expired by now.
  func keep(
    _ cookies: [HTTPCookie], in storage: HTTPCookieStorage, from url: URL, at now: VirtualTime
  ) {
    let date = now.date
    for cookie in cookies {
      let endless = cookie.withoutEnd
      storage.setCookies([endless], for: url, mainDocumentURL: nil)
      let name = Name(
        storage: ObjectIdentifier(storage), domain: cookie.domain, path: cookie.path,
        name: cookie.name)
      let expiry = cookie.end(setAt: date).map {
        Expiry(cookie: endless, date: $0, storage: storage)
      }
      state.withLock { $0.expiries[name] = expiry }
    }
    let expired = state.withLock { state in
      let expired = state.expiries.filter { $0.value.storage === storage && $0.value.date <= date }
      for name in expired.keys { state.expiries[name] = nil }
      return expired.values
    }
    for expiry in expired { storage.deleteCookie(expiry.cookie) }
  }
}

/// Keeps the cookies of a session's responses, as a real session on Linux does.
///
/// The session itself sends them: it puts those of its storage into the requests of the tasks that
/// it makes. Only its own protocol for HTTP fills the storage, so under a stub this type does.
struct SessionCookies: Sendable {
  private let jar: CookieJar
  private let storage: HTTPCookieStorage
  private let accepts: Bool
  private let sends: Bool

  /// - Returns: `nil` if the session's configuration has no storage.
  init?(_ configuration: URLSessionConfiguration, _ jar: CookieJar) {
    guard let storage = configuration.httpCookieStorage else { return nil }
    self.jar = jar
    self.storage = storage
    accepts = configuration.httpCookieAcceptPolicy != .never
    sends = configuration.httpShouldSetCookies
  }

  /// Keeps the cookies of a response, and removes those that have expired by now.
  func keepCookies(of headers: [String: String], from url: URL, at now: VirtualTime) {
    // A session on Linux looks for this spelling of the name only.
    guard accepts, let field = headers["Set-Cookie"] else { return }
    let fields = ["Set-Cookie": field]
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: fields, for: url)
    jar.keep(cookies, in: storage, from: url, at: now)
  }

  /// Returns the request with its cookies sorted by name. A storage has them in no order, so they'd
  /// be sent in another one in each run.
  func sortCookies(of request: URLRequest) -> URLRequest {
    guard sends, let url = request.url, (storage.cookies(for: url) ?? []).count > 1,
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
