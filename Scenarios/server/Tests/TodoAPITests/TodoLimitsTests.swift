import Foundation
import Testing
import TodoAPI

/// The API stores a bounded number of users, todos and tokens.
@Suite struct TodoLimitsTests {
  private let api: TodoAPI

  init() {
    var limits = TodoLimits()
    limits.users = 2
    limits.todosOfAUser = 2
    limits.tokensOfAUser = 2
    api = TodoAPI(
      store: MemoryTodoStore(), passwords: ModelPasswords(), tokens: ModelTokens(), now: { 0 },
      limits: limits)
  }

  private func send(
    _ method: String, _ path: String, _ authorization: String? = nil, _ body: String = ""
  ) -> String {
    let reply = api.reply(
      to: TodoRequest(
        method: method, path: path, authorization: authorization,
        contentType: "application/json", body: Data(body.utf8)))
    return "\(reply.status) \(String(decoding: reply.body, as: UTF8.self))"
  }

  private func signUp(_ name: String) -> String {
    send(
      "POST", "/users", nil,
      #"{"name":"A","email":"\#(name)@b","password":"12345678","verifyPassword":"12345678"}"#)
  }

  private func logIn(_ name: String) -> String {
    send("POST", "/login", "Basic \(Data("\(name)@b:12345678".utf8).base64EncodedString())")
  }

  @Test func furtherUsersAreRefused() {
    #expect(
      ["ada", "bob", "eve", "ada"].map(signUp) == [
        #"201 {"email":"ada@b","id":1,"name":"A"}"#, #"201 {"email":"bob@b","id":2,"name":"A"}"#,
        #"507 {"error":true,"reason":"the server has no room to store this"}"#,
        #"409 {"error":true,"reason":"a user with this email already exists"}"#,
      ])
  }

  @Test func theOldestTokenGivesWay() {
    _ = [signUp("ada"), signUp("bob")]
    #expect(
      ["ada", "bob", "ada", "ada"].map(logIn)
        == (1...4).map { #"200 {"expiresIn":3600,"string":"token-\#($0)"}"# })
    #expect(
      (1...4).map { send("GET", "/todos", "Bearer token-\($0)") } == [
        #"401 {"error":true,"reason":"the token is unknown"}"#, "200 []", "200 []", "200 []",
      ])
  }

  @Test func furtherTodosAreRefusedUntilOneIsDeleted() {
    _ = [signUp("ada"), signUp("bob"), logIn("ada"), logIn("bob")]
    let (ada, bob) = ("Bearer token-1", "Bearer token-2")
    let todo = #"{"title":"t"}"#
    let full = #"409 {"error":true,"reason":"you have 2 todos, so delete one first"}"#
    #expect(
      [
        send("POST", "/todos", ada, todo), send("POST", "/todos", ada, todo),
        send("POST", "/todos", ada, todo), send("POST", "/todos", bob, todo),
        send("DELETE", "/todos/1", ada), send("POST", "/todos", ada, todo),
        send("POST", "/todos", ada, todo),
      ] == [
        #"201 {"id":1,"title":"t"}"#, #"201 {"id":2,"title":"t"}"#, full,
        #"201 {"id":3,"title":"t"}"#, #"200 {"id":1,"title":"t"}"#, #"201 {"id":4,"title":"t"}"#,
        full,
      ])
  }
}
