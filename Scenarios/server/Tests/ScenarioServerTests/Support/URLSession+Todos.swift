import Foundation
import FoundationNetworking
import Testing
import TodoAPI

extension URLSession {
  /// Signs a user up and logs in.
  ///
  /// - Returns: The token.
  func signUp(at base: String) throws -> String {
    let body = #"{"name":"A","email":"a@b","password":"12345678","verifyPassword":"12345678"}"#
    let user = try reply(
      to: TodoRequest(
        method: "POST", path: "/users", contentType: "application/json", body: Data(body.utf8)),
      of: base)
    #expect(user.status == 201)
    return try logIn(at: base)
  }

  /// Logs the user in once more.
  ///
  /// - Returns: The token.
  func logIn(at base: String) throws -> String {
    let credentials = Data("a@b:12345678".utf8).base64EncodedString()
    let login = try reply(
      to: TodoRequest(method: "POST", path: "/login", authorization: "Basic \(credentials)"),
      of: base)
    struct Token: Decodable { let string: String }
    return try JSONDecoder().decode(Token.self, from: login.body).string
  }

  func post(_ title: String, _ token: String, at base: String) throws -> TodoReply {
    try reply(
      to: TodoRequest(
        method: "POST", path: "/todos", authorization: "Bearer \(token)",
        contentType: "application/json", body: JSONEncoder().encode(["title": title])),
      of: base)
  }
}
