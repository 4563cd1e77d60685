import Foundation
import FoundationNetworking
import ServerTestSupport
import Synchronization
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

  /// Lets a program run with a small disk at a folder, which only it sees.
  private static func program(
    withDiskAt folder: String, _ path: String, _ arguments: [String]
  ) throws -> Program {
    let script = #"mount -t tmpfs -o size=2m none "$1" && shift && exec "$@""#
    return try Program(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["unshare", "-rm", "/bin/sh", "-c", script, "sh", folder, path] + arguments)
  }

  private static func canMountDisks() throws -> Bool {
    let folder = try TemporaryFolder()
    return try program(withDiskAt: folder.url.path, "/bin/true", []).result().status == 0
  }

  @Test(.enabled("this system mounts no disk for a test") { try canMountDisks() })
  func aSmallDiskKeepsRoomForDeleting() throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(in: folder) { database in
      try Self.program(
        withDiskAt: folder.url.path, limitedServerProgram.path,
        [database, "todosPerUser=100000"])
    }
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    var token = try session.signUp(at: server.base)
    // 800 bytes.
    let title = String(repeating: "\u{1F98A}", count: 200)
    var count = 0
    var last = try session.post(title, token, at: server.base)
    while last.status == 201, count < 2_000 {
      count += 1
      last = try session.post(title, token, at: server.base)
    }
    #expect(text(last) == full)
    #expect(count > 300)
    for _ in 1...20 { token = try session.logIn(at: server.base) }

    // Another program takes all that's left.
    let disk = "/proc/\(server.program.processID)/root\(folder.url.path)"
    let file = try #require(fopen("\(disk)/other", "w"))
    let block = [UInt8](repeating: 1, count: 4096)
    while fwrite(block, 1, block.count, file) == block.count, fflush(file) == 0 {}
    #expect(errno == ENOSPC)
    fclose(file)
    for id in 1...count {
      let deletion = TodoRequest(
        method: "DELETE", path: "/todos/\(id)", authorization: "Bearer \(token)")
      try #require(try session.reply(to: deletion, of: server.base).status == 200)
    }
    for _ in 1...20 { #expect(try session.post(title, token, at: server.base).status == 201) }

    server.program.kill()
    _ = try server.program.result()
  }

  /// Without a login, its users couldn't delete anything.
  @Test func aFullDatabaseRefusesChangesUntilThereIsRoom() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteTodoStore(path: folder.path("small.sqlite"), mostBytes: 512 << 10) { 0 }
    defer { store.close() }
    let api = TodoAPI(store: store, passwords: ModelPasswords(), tokens: RandomTokens(), now: { 0 })
    let users = try (1...2).map {
      try #require(try store.addUser(name: "A", email: "\($0)@b", passwordHash: "12345678"))
    }
    func send(
      _ method: String, _ path: String, _ authorization: String?, _ body: String = ""
    ) -> TodoReply {
      api.reply(
        to: TodoRequest(
          method: method, path: path, authorization: authorization,
          contentType: "application/json", body: Data(body.utf8)))
    }
    func logIn(_ user: TodoUser) throws -> String {
      let credentials = Data("\(user.email):12345678".utf8).base64EncodedString()
      let reply = send("POST", "/login", "Basic \(credentials)")
      #expect(reply.status == 200)
      struct Token: Decodable { let string: String }
      return try "Bearer \(JSONDecoder().decode(Token.self, from: reply.body).string)"
    }
    // 800 bytes.
    let title = #"{"title":"\#(String(repeating: "\u{1F98A}", count: 200))"}"#
    let token = try logIn(users[0])
    var count = 0
    var last = send("POST", "/todos", token, title)
    while last.status == 201, count < 1_000 {
      count += 1
      last = send("POST", "/todos", token, title)
    }
    #expect(text(last) == full)
    #expect(count > 100)
    #expect(try store.todos(userID: users[0].id).count == count)

    // There may be room for some more rows in pages that are in use.
    let domain = String(repeating: "b", count: 200)
    let password = #""password":"12345678","verifyPassword":"12345678""#
    let signUps = (1...50).map {
      send("POST", "/users", nil, #"{"name":"A","email":"\#($0)@\#(domain)",\#(password)}"#)
    }
    #expect(text(signUps[49]) == full)

    let tokens = try (1...60).flatMap { _ in try users.map(logIn) }
    #expect(text(send("POST", "/todos", tokens[118], title)) == full)
    for id in 1...100 { #expect(send("DELETE", "/todos/\(id)", tokens[118]).status == 200) }
    #expect(send("POST", "/todos", tokens[118], title).status == 201)
  }

  /// A database that doesn't grow needs no room.
  @Test func aDiskWithLittleRoomHasItForDeletions() throws {
    let folder = try TemporaryFolder()
    let free = Mutex(1 << 20)
    let store = try SQLiteTodoStore(
      path: folder.path("todos.sqlite"), freeBytes: { free.withLock { $0 } }
    ) { 0 }
    defer { store.close() }
    let user = try #require(try store.addUser(name: "A", email: "a@b", passwordHash: ""))
    var (todos, tokens) = (0, 0)
    func addTodo() throws {
      _ = try store.addTodo(title: String(repeating: "t", count: 800), userID: user.id)
      todos += 1
    }
    func addToken() throws {
      tokens += 1
      try store.addToken(
        digest: "\(tokens) \(String(repeating: "d", count: 800))", userID: user.id, expiry: 1)
    }
    func fill(_ change: () throws -> Void) {
      #expect(throws: TodoStoreIsFull.self) { for _ in 1...200 { try change() } }
    }
    for _ in 1...100 { try addTodo() }
    free.withLock { $0 -= 1 }
    // Pages that are in use may have room.
    fill(addTodo)
    #expect(todos < 110)
    for _ in 1...50 { try addToken() }
    free.withLock { $0 = 1 << 19 }
    for _ in 1...50 { try addToken() }
    free.withLock { $0 -= 1 }
    fill(addToken)
    #expect(tokens < 110)
    free.withLock { $0 = 0 }
    let last = todos
    for id in 1...last {
      #expect(
        try store.deleteTodo(id, userID: user.id)
          == .deleted(Todo(id: id, title: String(repeating: "t", count: 800))))
    }
    for _ in 1...50 { try addTodo() }
  }

  /// Todos get no page of the reserve, even if it's free for a while.
  @Test func todosDoNotTakeTheRoomOfTokens() throws {
    let folder = try TemporaryFolder()
    let now = Mutex<Int64>(0)
    let store = try SQLiteTodoStore(path: folder.path("small.sqlite"), mostBytes: 512 << 10) {
      now.withLock { $0 }
    }
    defer { store.close() }
    let user = try #require(try store.addUser(name: "A", email: "a@b", passwordHash: ""))
    func fill(_ change: () throws -> Void) -> Int {
      for count in 0..<2_000 {
        do { try change() } catch {
          #expect(error is TodoStoreIsFull)
          return count
        }
      }
      return 2_000
    }
    func addTodos() -> Int {
      fill { _ = try store.addTodo(title: String(repeating: "t", count: 800), userID: user.id) }
    }
    var number = 0
    func addTokens(expiry: Int64) -> Int {
      fill {
        number += 1
        // In no order, like digests.
        let digest =
          "\(number * 2_654_435_761 % 4_294_967_291) \(String(repeating: "d", count: 60))"
        try store.addToken(digest: digest, userID: user.id, expiry: expiry)
      }
    }
    #expect((100..<2_000).contains(addTodos()))
    let tokens = addTokens(expiry: 1)
    #expect((50..<2_000).contains(tokens))
    // If there's no room, expired tokens go.
    now.withLock { $0 = 2 }
    try store.addToken(digest: "new", userID: user.id, expiry: 3)
    #expect(addTodos() < 10)
    #expect(addTokens(expiry: 3) > tokens / 2)
  }
}
