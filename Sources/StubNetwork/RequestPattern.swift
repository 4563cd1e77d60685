import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A description of the requests that a stub responds to.
public struct RequestPattern: Hashable, Sendable {
  /// A condition on a request's body.
  public enum Body: Hashable, Sendable {
    /// Any body, or none.
    case any
    /// No body, or an empty one.
    case empty
    /// Exactly these bytes.
    case data(Data)
    /// Exactly this text in UTF-8.
    case text(String)
    /// The same JSON value. The order of keys and white space don't matter.
    case json(String)
  }

  /// The method that a request must have.
  public let method: HTTPMethod

  /// The URL that a request must have, as far as a server can tell: the fragment doesn't matter,
  /// nor do credentials, capitals in the host, the scheme's own port, or an empty path, which is
  /// the same as `/`.
  public let url: URL

  /// The header fields that a request must have. It may have more. Values are case-sensitive, names
  /// aren't.
  public let headers: [String: String]

  /// The condition on a request's body.
  public let body: Body

  /// The URL in canonical form, ready to be compared.
  let canonicalURL: String

  /// Makes a pattern.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL.
  ///   - headers: Header fields that the request must have. It may have more.
  ///   - body: The condition on the request's body.
  public init(
    _ method: HTTPMethod, _ url: URL, headers: [String: String] = [:], body: Body = .any
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    canonicalURL = url.canonicalString
  }
}

extension RequestPattern: CustomStringConvertible {
  /// The method and the URL.
  public var description: String { "\(method) \(url.absoluteString)" }
}

extension RequestPattern {
  /// One difference between a request and the pattern.
  struct Mismatch: Hashable, CustomStringConvertible {
    static let method = "method"

    let field: String
    let expected: String
    let actual: String

    var description: String { "\(field) is \(actual), not \(expected)" }
  }

  /// Whether a request matches, except for its URL. Faster than ``mismatches(with:)``, because it
  /// describes nothing.
  func matchesExceptURL(_ request: URLRequest) -> Bool {
    request.httpMethod == method.rawValue
      && headers.allSatisfy { request.value(forHTTPHeaderField: $0.key) == $0.value }
      && body.difference(from: request) == nil
  }

  /// Returns the differences between a request and the pattern. Empty if it matches.
  func mismatches(with request: URLRequest) -> [Mismatch] {
    var mismatches: [Mismatch] = []
    func compare(_ field: String, _ expected: String?, _ actual: String?) {
      guard expected != actual else { return }
      mismatches.append(
        Mismatch(field: field, expected: expected ?? "missing", actual: actual ?? "missing"))
    }
    compare(Mismatch.method, method.rawValue, request.httpMethod)
    if canonicalURL != request.url?.canonicalString {
      let countBefore = mismatches.count
      let (expected, actual) = (url.canonical, request.url?.canonical)
      compare("scheme", expected.scheme, actual?.scheme)
      compare("host", expected.host, actual?.host)
      compare("port", expected.port.map(String.init), actual?.port.map(String.init))
      compare("path", expected.path(percentEncoded: true), actual?.path(percentEncoded: true))
      compare("query", expected.query, actual?.query)
      if mismatches.count == countBefore {
        compare("URL", url.absoluteString, request.url?.absoluteString)
      }
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      compare("header \(name)", value, request.value(forHTTPHeaderField: name))
    }
    if let (expected, actual) = body.difference(from: request) {
      compare("body", expected, actual)
    }
    return mismatches
  }
}

extension RequestPattern.Body {
  fileprivate func difference(from request: URLRequest) -> (expected: String, actual: String)? {
    guard self != .any else { return nil }
    let actual = request.httpBody ?? Data()
    switch self {
    case .any:
      return nil
    case .empty:
      return actual.isEmpty ? nil : ("empty", actual.quoted)
    case .data(let data):
      return actual == data ? nil : (data.quoted, actual.quoted)
    case .text(let text):
      return actual == Data(text.utf8) ? nil : (Data(text.utf8).quoted, actual.quoted)
    case .json(let text):
      let expected = Data(text.utf8)
      if let canonical = actual.canonicalJSON, canonical == expected.canonicalJSON { return nil }
      return (expected.quoted, actual.quoted)
    }
  }
}

extension Data {
  /// The text in quotation marks, or the number of bytes if this isn't UTF-8.
  fileprivate var quoted: String {
    String(data: self, encoding: .utf8).map { "\"\($0)\"" } ?? "\(count) bytes"
  }

  fileprivate var canonicalJSON: Data? {
    guard let value = try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed)
    else { return nil }
    return try? JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
  }
}
