import Foundation
import FoundationNetworking
import Testing
import TodoAPI

/// Sends a request of the API to a server and waits for the response.
func send(_ request: TodoRequest, to base: String) async throws -> TodoReply {
  var components = try #require(URLComponents(string: base))
  components.path = request.path
  if !request.query.isEmpty {
    components.queryItems = request.query.map { URLQueryItem(name: $0.key, value: $0.value) }
  }
  var urlRequest = URLRequest(url: try #require(components.url))
  urlRequest.httpMethod = request.method
  urlRequest.setValue(request.authorization, forHTTPHeaderField: "Authorization")
  urlRequest.setValue(request.contentType, forHTTPHeaderField: "Content-Type")
  if !request.body.isEmpty { urlRequest.httpBody = request.body }
  let fetched = await fetch(urlRequest)
  if let error = fetched.error { throw URLError(error) }
  let headers = fetched.headers.map { ($0.key.capitalized, $0.value) }
  return TodoReply(
    status: try #require(fetched.status),
    headers: Dictionary(uniqueKeysWithValues: headers), body: fetched.body)
}

extension TodoRequest {
  /// A request with a body of JSON.
  static func json(
    _ method: String, _ path: String, _ authorization: String? = nil, _ body: String = ""
  ) -> TodoRequest {
    TodoRequest(
      method: method, path: path, authorization: authorization, contentType: "application/json",
      body: Data(body.utf8))
  }

  static func signUp(_ email: String) -> TodoRequest {
    json(
      "POST", "/users", nil,
      #"{"name":"A","email":"\#(email)","password":"12345678","verifyPassword":"12345678"}"#)
  }

  static func logIn(_ email: String, _ password: String = "12345678") -> TodoRequest {
    json("POST", "/login", "Basic \(Data("\(email):\(password)".utf8).base64EncodedString())")
  }
}

extension TodoReply {
  /// The status, the body, and when to try again.
  var text: String {
    let retry = headers["Retry-After"].map { ", retry after \($0) s" } ?? ""
    return "\(status) \(String(decoding: body, as: UTF8.self))\(retry)"
  }

  /// The token of a login, as the header field `Authorization`.
  var authorization: String {
    get throws {
      struct Body: Decodable { let string: String }
      return try "Bearer \(JSONDecoder().decode(Body.self, from: body).string)"
    }
  }
}
