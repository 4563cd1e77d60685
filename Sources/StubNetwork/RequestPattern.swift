import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Which requests a stub answers.
public struct RequestPattern: Hashable, Sendable {
  /// What is asked of a request's body.
  public enum Body: Hashable, Sendable {
    /// Any body, or none.
    case any
    /// No body, or one without bytes.
    case empty
    /// Exactly these bytes.
    case data(Data)
    /// Exactly this text in UTF-8.
    case text(String)
    /// The same JSON value, whatever the order of keys and the white space.
    case json(String)
  }

  /// The method it must have.
  public let method: HTTPMethod

  /// The URL it must have, all of it; an empty path is the same as `/`.
  public let url: URL

  /// Header fields it must have, with these values; it may have others. Case matters in values,
  /// not in names.
  public let headers: [String: String]

  /// What its body must be.
  public let body: Body

  /// The URL in the one form that is compared.
  private let canonicalURL: String

  /// Makes a pattern.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - url: The absolute URL.
  ///   - headers: Header fields that the request must have among others.
  ///   - body: What the body must be.
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
  /// One thing in which a request is other than the pattern.
  struct Mismatch: Hashable, CustomStringConvertible {
    let field: String
    let expected: String
    let actual: String

    var description: String { "\(field) is \(actual), not \(expected)" }
  }

  /// Whether there are no ``mismatches(with:)``, found out without naming any.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - url: Its canonical URL.
  func matches(_ request: URLRequest, url: String) -> Bool {
    request.httpMethod == method.rawValue && url == canonicalURL
      && headers.allSatisfy { request.value(forHTTPHeaderField: $0.key) == $0.value }
      && body.difference(from: request) == nil
  }

  /// In what a request differs from the pattern; empty if it matches.
  func mismatches(with request: URLRequest) -> [Mismatch] {
    var mismatches: [Mismatch] = []
    func compare(_ field: String, _ expected: String?, _ actual: String?) {
      guard expected != actual else { return }
      mismatches.append(
        Mismatch(field: field, expected: expected ?? "missing", actual: actual ?? "missing"))
    }
    compare("method", method.rawValue, request.httpMethod)
    if canonicalURL != request.url?.canonicalString {
      let others = mismatches.count
      compare("scheme", url.scheme, request.url?.scheme)
      compare("host", url.host, request.url?.host)
      compare("port", url.port.map(String.init), request.url?.port.map(String.init))
      compare("path", url.pathOrRoot, request.url?.pathOrRoot)
      compare("query", url.query, request.url?.query)
      compare("fragment", url.fragment, request.url?.fragment)
      if mismatches.count == others {
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

extension URL {
  /// The whole URL, with `/` for an empty path.
  var canonicalString: String {
    guard path.isEmpty, var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
    else { return absoluteString }
    components.path = "/"
    return components.string ?? absoluteString
  }

  fileprivate var pathOrRoot: String { path.isEmpty ? "/" : path(percentEncoded: true) }
}

extension Data {
  /// The text in quotation marks, or the number of bytes if this is no text.
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
