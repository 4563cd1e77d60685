import Foundation
import FoundationNetworking
import GRDB
import ServerTestSupport
import Testing
import TodoAPI

@testable import ScenarioServer

/// While another program holds the database, changes are refused and reading goes on.
@Suite struct BusyDatabaseTests {
  @Test func aDatabaseThatAnotherProgramHoldsRefusesChangesForNow() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("todos.sqlite")
    let store = try SQLiteTodoStore(path: path) { 0 }
    defer { store.close() }
    let api = TodoAPI(store: store, passwords: ModelPasswords(), tokens: ModelTokens(), now: { 0 })
    let user = try #require(try store.addUser(name: "A", email: "a@b", passwordHash: "12345678"))
    try store.addToken(digest: "token", userID: user.id, expiry: .max)
    _ = try store.addTodo(title: "before", userID: user.id)
    func send(_ method: String, _ path: String, _ authorization: String, _ body: String = "")
      -> TodoReply
    {
      api.reply(
        to: TodoRequest(
          method: method, path: path, authorization: authorization,
          contentType: "application/json", body: Data(body.utf8)))
    }
    let signUp = #"{"name":"B","email":"c@d","password":"12345678","verifyPassword":"12345678"}"#
    let changes = [
      { send("POST", "/users", "", signUp) },
      { send("POST", "/login", "Basic \(Data("a@b:12345678".utf8).base64EncodedString())") },
      { send("POST", "/todos", "Bearer token", #"{"title":"after"}"#) },
      { send("DELETE", "/todos/1", "Bearer token") },
    ]
    let other = try DatabaseQueue(path: path)
    try other.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      for change in changes {
        let reply = change()
        #expect(reply.status == 503)
        #expect(reply.headers == ["Retry-After": "1"])
        #expect(
          String(decoding: reply.body, as: UTF8.self)
            == #"{"error":true,"reason":"another program is using the server's data"}"#)
      }
      #expect(send("GET", "/todos", "Bearer token").status == 200)
      try db.execute(sql: "ROLLBACK")
    }
    try other.close()
    #expect(changes.map { $0().status } == [201, 200, 201, 200])
    #expect(try store.todos(userID: user.id).map(\.title) == ["after"])
  }

  /// One change waits for the other program. Further ones are refused, and reading goes on.
  @Test func onlyOneChangeWaits() throws {
    let server = try RunningServer(limits: ["databaseLockSeconds": 50])
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let token = try session.signUp(at: server.base)
    func send(_ method: String, _ body: String = "") throws -> RawConnection {
      let connection = try RawConnection(to: server.base)
      connection.send(
        """
        \(method) /todos HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\
        Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
        """)
      return connection
    }
    func get() throws -> String { try send("GET").read().summary }
    func responses(_ posts: [RawConnection]) -> [String] {
      // A response that doesn't come is empty.
      posts.map { $0.read(patience: 100).summary }
    }
    let other = try DatabaseQueue(path: server.database)
    let posts = try other.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      let posts = try (1...20).map { try send("POST", #"{"title":"\#($0)"}"#) }
      #expect(try get() == "200 []")
      // Reads all but the one that waits.
      var refused: [String] = []
      var waiting = posts
      while refused.count < 19 {
        let texts = responses(waiting)
        refused += texts.filter { !$0.isEmpty }
        waiting = zip(waiting, texts).filter { $1.isEmpty }.map(\.0)
      }
      #expect(
        Set(refused) == [
          #"503 {"error":true,"reason":"another program is using the server's data"}"#
        ])
      #expect(try get() == "200 []")
      try db.execute(sql: "ROLLBACK")
      return waiting
    }
    try other.close()
    #expect(posts.count == 1)
    let stored = try #require(posts.first).read().summary
    #expect(stored.hasPrefix("201 "))
    #expect(try get() == "200 [\(stored.dropFirst(4))]")
    // Nothing blocks the next one.
    #expect(try send("POST", #"{"title":"last"}"#).read().summary.hasPrefix("201 "))
  }
}
