import Foundation
import FoundationNetworking
import ServerTestSupport
import Testing
import TodoAPI

@testable import ScenarioServer

/// If there's no room, changes are refused and reading goes on.
@Suite struct FullDiskTests {
  private let full = #"507 {"error":true,"reason":"the server has no room to store this"}"#

  private func text(_ reply: TodoReply) -> String {
    "\(reply.status) \(String(decoding: reply.body, as: UTF8.self))"
  }

  /// Makes it look as if the disk of a program has no more room, or some again.
  ///
  /// - Parameter bytes: The size that its files can grow to.
  private func limitFiles(of program: Program, to bytes: String) throws {
    let result = try Program(
      URL(fileURLWithPath: "/usr/bin/prlimit"),
      ["--pid", "\(program.processID)", "--fsize=\(bytes):unlimited"]
    ).result()
    #expect(result == Program.Result(status: 0, stdout: "", stderr: ""))
  }

  @Test func aFullDiskRefusesChangesUntilThereIsRoom() throws {
    let server = try RunningServer()
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let token = try session.signUp(at: server.base)
    let list = TodoRequest(method: "GET", path: "/todos", authorization: "Bearer \(token)")
    #expect(try session.post("before", token, at: server.base).status == 201)

    try limitFiles(of: server.program, to: "0")
    for _ in 1...3 { #expect(try text(session.post("lost", token, at: server.base)) == full) }
    #expect(
      try text(session.reply(to: list, of: server.base)) == #"200 [{"id":1,"title":"before"}]"#)

    try limitFiles(of: server.program, to: "unlimited")
    let after = try session.post("after", token, at: server.base)
    #expect(after.status == 201)
    let todos = try session.reply(to: list, of: server.base)
    #expect(
      try JSONDecoder().decode([Todo].self, from: todos.body).map(\.title) == ["before", "after"])

    // Acknowledged todos are there after a kill, too.
    server.program.kill()
    _ = try server.program.result()
    let store = try SQLiteTodoStore(path: server.database) { 0 }
    #expect(try store.todos(userID: 1).map(\.title) == ["before", "after"])
    store.close()
  }

  @Test func aFullDatabaseRefusesChangesUntilThereIsRoom() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteTodoStore(path: folder.path("small.sqlite"), mostBytes: 128 << 10) { 0 }
    defer { store.close() }
    let api = TodoAPI(store: store, passwords: ModelPasswords(), tokens: ModelTokens(), now: { 0 })
    let user = try #require(try store.addUser(name: "A", email: "a@b", passwordHash: ""))
    try store.addToken(digest: "token", userID: user.id, expiry: .max)
    func send(_ method: String, _ path: String, _ body: String = "") -> TodoReply {
      api.reply(
        to: TodoRequest(
          method: method, path: path, authorization: "Bearer token",
          contentType: "application/json", body: Data(body.utf8)))
    }
    let title = #"{"title":"\#(String(repeating: "t", count: 200))"}"#
    var count = 0
    var last = send("POST", "/todos", title)
    while last.status == 201, count < 1_000 {
      count += 1
      last = send("POST", "/todos", title)
    }
    #expect(text(last) == full)
    #expect(count > 100)
    #expect(try store.todos(userID: user.id).count == count)
    for id in 1...50 { #expect(send("DELETE", "/todos/\(id)").status == 200) }
    #expect(send("POST", "/todos", title).status == 201)
  }
}
