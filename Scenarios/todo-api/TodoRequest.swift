import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The parts of an HTTP request that the API needs.
public struct TodoRequest: Hashable, Sendable {
  /// The method, such as `GET`.
  public var method: String

  /// The path, percent-decoded, without the query.
  public var path: String

  /// The query's items, by name. If several have the same name, this is the last one.
  public var query: [String: String]

  /// The header field `Authorization`.
  public var authorization: String?

  /// The header field `Content-Type`.
  public var contentType: String?

  /// The body. Empty if the request has none.
  public var body: Data

  /// Makes a request.
  public init(
    method: String, path: String, query: [String: String] = [:], authorization: String? = nil,
    contentType: String? = nil, body: Data = Data()
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.authorization = authorization
    self.contentType = contentType
    self.body = body
  }
}

extension TodoRequest {
  /// Makes a request from one that a `URLSession` sends.
  public init(_ request: URLRequest) {
    let components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    let items = (components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    self.init(
      method: request.httpMethod ?? "GET", path: components?.path ?? "/",
      query: Dictionary(items) { _, last in last },
      authorization: request.value(forHTTPHeaderField: "Authorization"),
      contentType: request.value(forHTTPHeaderField: "Content-Type"),
      body: request.httpBody ?? Data())
  }
}

extension TodoRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the path. The rest may be secret.
  public var description: String { "\(method) \(path)" }

  /// The method and the path.
  public var debugDescription: String { description }

  /// A mirror without children, so that `dump` reveals no secrets either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
