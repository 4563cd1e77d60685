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
    /// The same JSON value. The order of keys and white space don't matter. If the text isn't JSON,
    /// the network says so when it gets the stub.
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

  /// Whether a request matches, except for its URL.
  func matchesExceptURL(_ request: URLRequest) -> Bool {
    var matches = true
    compare(request, includesURL: false) { _ in
      matches = false
      return false
    }
    return matches
  }

  /// Returns the differences between a request and the pattern. Empty if, and only if, it matches.
  func mismatches(with request: URLRequest) -> [Mismatch] {
    var mismatches: [Mismatch] = []
    compare(request, includesURL: true) { mismatch in
      mismatches.append(mismatch())
      return true
    }
    return mismatches
  }

  /// Calls a closure with each difference. This is what decides whether a request matches, so one
  /// that doesn't always has a reason.
  ///
  /// - Parameter note: Gets a closure that describes the difference, which takes longer than to
  ///   find it. Returns whether to go on.
  private func compare(
    _ request: URLRequest, includesURL: Bool, _ note: (() -> Mismatch) -> Bool
  ) {
    if request.httpMethod != method.rawValue,
      !note({ Mismatch(Mismatch.method, method.rawValue, request.httpMethod) })
    {
      return
    }
    if includesURL, canonicalURL != request.url?.canonicalString {
      for mismatch in urlMismatches(with: request.url) where !note({ mismatch }) { return }
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      let actual = request.value(forHTTPHeaderField: name)
      if actual != value, !note({ Mismatch("header \(name)", value, actual) }) { return }
    }
    let data = request.httpBody ?? Data()
    if !body.matches(data) { _ = note { body.mismatch(with: data) } }
  }

  /// The differences of a URL that isn't the same. There's at least one.
  private func urlMismatches(with other: URL?) -> [Mismatch] {
    let (expected, actual) = (url.canonical, other?.canonical)
    let parts: [(name: String, expected: String?, actual: String?)] = [
      ("scheme", expected.scheme, actual?.scheme),
      ("host", expected.host, actual?.host),
      ("port", expected.port.map(String.init), actual?.port.map(String.init)),
      ("path", expected.path(percentEncoded: true), actual?.path(percentEncoded: true)),
      ("query", expected.query, actual?.query),
    ]
    let mismatches = parts.filter { $0.expected != $0.actual }
      .map { Mismatch($0.name, $0.expected, $0.actual) }
    return mismatches.isEmpty
      ? [Mismatch("URL", url.absoluteString, other?.absoluteString)] : mismatches
  }
}

extension RequestPattern.Body {
  /// Why no request can match; `nil` if one can.
  var mistake: String? {
    guard case .json(let text) = self, Data(text.utf8).canonicalJSON == nil else { return nil }
    return "the pattern's body isn't JSON: \(Data(text.utf8).quoted)"
  }

  fileprivate func matches(_ actual: Data) -> Bool {
    switch self {
    case .any: return true
    case .empty: return actual.isEmpty
    case .data(let data): return actual == data
    case .text(let text): return actual == Data(text.utf8)
    case .json(let text):
      guard let expected = Data(text.utf8).canonicalJSON else { return false }
      return actual.canonicalJSON == expected
    }
  }

  /// The difference to a body that doesn't match.
  fileprivate func mismatch(with actual: Data) -> RequestPattern.Mismatch {
    switch self {
    case .any, .empty: return .init("body", "empty", actual.quoted)
    case .data(let data): return .init(expected: data, actual: actual)
    case .text(let text): return .init(expected: Data(text.utf8), actual: actual)
    case .json(let text):
      let expected = Data(text.utf8).quoted
      if mistake != nil {
        return .init(
          "body", "\(expected), which isn't JSON, so that no body can match", actual.quoted)
      }
      let remark = actual.canonicalJSON == nil ? " (not JSON)" : ""
      return .init("body", expected, actual.quoted + remark)
    }
  }
}

extension RequestPattern.Mismatch {
  fileprivate init(_ field: String, _ expected: String?, _ actual: String?) {
    self.init(field: field, expected: expected ?? "missing", actual: actual ?? "missing")
  }

  /// Two different bodies. If they would read the same, this says where they differ.
  fileprivate init(expected: Data, actual: Data) {
    guard expected.quoted == actual.quoted else {
      self.init("body", expected.quoted, actual.quoted)
      return
    }
    let (first, second) = (Array(expected), Array(actual))
    let offset = zip(first, second).prefix { $0 == $1 }.count
    func text(_ bytes: [UInt8]) -> String {
      guard offset < bytes.count else { return "\(bytes.count) bytes long" }
      let part = bytes[offset...].prefix(4).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return part.joined(separator: " ")
    }
    self.init("body from byte \(offset + 1) on", text(first), text(second))
  }
}

extension Data {
  /// The text in quotation marks, or the number of bytes if this isn't UTF-8.
  fileprivate var quoted: String {
    String(data: self, encoding: .utf8).map { "\"\($0)\"" }
      ?? (count == 1 ? "1 byte" : "\(count) bytes")
  }

  fileprivate var canonicalJSON: Data? {
    guard let value = try? JSONSerialization.jsonObject(with: self, options: .fragmentsAllowed)
    else { return nil }
    return try? JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
  }
}
