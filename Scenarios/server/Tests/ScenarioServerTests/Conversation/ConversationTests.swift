import Foundation
import GRDB
import Testing
import TodoAPI

/// Sends the conversation that every implementation of the API must pass, over real HTTP.
@Suite struct ConversationTests {
  @Test func theServerPassesTheConversation() async throws {
    let server = try RunningServer()
    // The step that waits for a token to expire repeats its request until it has.
    let outcomes = try await TodoConversation.run { try await send($0, to: server.base) }
    for outcome in outcomes where !outcome.isAsExpected { Issue.record("\(outcome)") }
    #expect(outcomes.count == TodoConversation.steps.count)

    // The files contain no secrets, and only their owner can read them.
    let database = try DatabaseQueue(path: server.database)
    let hashes = try await database.read {
      try String.fetchAll($0, sql: "SELECT passwordHash FROM user")
    }
    #expect(!hashes.isEmpty && hashes.allSatisfy { $0.hasPrefix("$pbkdf2-sha256$i=600000$") })
    #expect(Set(hashes).count == hashes.count)
    let digests = try await database.read {
      try String.fetchAll($0, sql: "SELECT digest FROM token")
    }
    #expect(!digests.isEmpty && digests.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}/) != nil })
    for file in [server.database, server.database + "-wal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
      #expect(bytes.range(of: Data("correct horse".utf8)) == nil)
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
  }

  /// The server responds before it has read the whole body.
  @Test func aBodyThatIsMuchTooLongIsRefused() async throws {
    let server = try RunningServer()
    let body = String(repeating: " ", count: 900_000)
    #expect(
      try await send(.json("POST", "/users", nil, body), to: server.base).text
        == #"413 {"error":true,"reason":"the body is larger than 64 KiB"}"#)
  }

  @Test func anUnknownPathIsRefusedByTheAPI() async throws {
    let server = try RunningServer()
    for (method, path) in [("GET", "/nowhere"), ("POST", "/quote"), ("GET", "/todos%2F1/x")] {
      let refused = try await fetch(server.base + path, method: method)
      #expect(refused.status == 404)
      #expect(refused.text == #"{"error":true,"reason":"there's nothing at this path"}"#)
    }
  }

  @Test func theDatabaseIsLockedForAWhile() async throws {
    let server = try RunningServer()
    _ = try await send(.signUp("a@b"), to: server.base)
    let token = try await send(.logIn("a@b"), to: server.base).authorization
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: server.database, configuration: configuration)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let post = TodoRequest.json("POST", "/todos", token, #"{"title":"t"}"#)
    let locked = try await send(post, to: server.base)
    let list = try await send(.json("GET", "/todos", token), to: server.base)
    try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    #expect(
      [locked.text, list.text, try await send(post, to: server.base).text] == [
        #"503 {"error":true,"reason":"another program is using the server's data"}"#
          + ", retry after 1 s",
        "200 []", #"201 {"id":1,"title":"t"}"#,
      ])
  }
}
