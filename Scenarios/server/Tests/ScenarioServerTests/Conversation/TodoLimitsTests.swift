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

  private func send(_ request: TodoRequest) -> String { api.reply(to: request).text }

  @Test func furtherUsersAreRefused() {
    #expect(
      ["ada@b", "bob@b", "eve@b", "ada@b"].map { send(.signUp($0)) } == [
        #"201 {"email":"ada@b","id":1,"name":"A"}"#, #"201 {"email":"bob@b","id":2,"name":"A"}"#,
        #"507 {"error":true,"reason":"the server has no room to store this"}"#,
        #"409 {"error":true,"reason":"a user with this email already exists"}"#,
      ])
  }

  @Test func theOldestTokenGivesWay() {
    _ = ["ada@b", "bob@b"].map { send(.signUp($0)) }
    #expect(
      ["ada@b", "bob@b", "ada@b", "ada@b"].map { send(.logIn($0)) }
        == (1...4).map { #"200 {"expiresIn":3600,"string":"token-\#($0)"}"# })
    #expect(
      (1...4).map { send(.json("GET", "/todos", "Bearer token-\($0)")) } == [
        #"401 {"error":true,"reason":"the token is unknown"}"#, "200 []", "200 []", "200 []",
      ])
  }

  @Test func furtherTodosAreRefusedUntilOneIsDeleted() {
    _ = ["ada@b", "bob@b"].map { send(.signUp($0)) }
    _ = ["ada@b", "bob@b"].map { send(.logIn($0)) }
    let (ada, bob) = ("Bearer token-1", "Bearer token-2")
    func post(_ user: String) -> String {
      send(.json("POST", "/todos", user, #"{"title":"t"}"#))
    }
    let full = #"409 {"error":true,"reason":"you have 2 todos, so delete one first"}"#
    #expect(
      [
        post(ada), post(ada), post(ada), post(bob), send(.json("DELETE", "/todos/1", ada)),
        post(ada), post(ada),
      ] == [
        #"201 {"id":1,"title":"t"}"#, #"201 {"id":2,"title":"t"}"#, full,
        #"201 {"id":3,"title":"t"}"#, #"200 {"id":1,"title":"t"}"#, #"201 {"id":4,"title":"t"}"#,
        full,
      ])
  }
}
