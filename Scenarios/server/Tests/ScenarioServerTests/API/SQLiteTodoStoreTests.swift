import Foundation
import GRDB
import ServerTestSupport
import Synchronization
import Testing
import TodoAPI

@testable import ScenarioServer

@Suite struct SQLiteTodoStoreTests {
  private let folder: TemporaryFolder
  private let store: SQLiteTodoStore
  private var path: String { folder.path("todos.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteTodoStore(path: folder.path("todos.sqlite")) { 0 }
  }

  private func addAda() throws -> TodoUser {
    try #require(try store.addUser(name: "Ada", email: "Ada@example.com", passwordHash: "hash"))
  }

  /// Reads the file through another connection.
  private func look<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue(path: path).read(body)
  }

  /// A user can be removed by hand, with a program that doesn't know what depends on it.
  @Test func theTokenOfAUserWhoIsGoneIsUnknown() throws {
    let ada = try addAda()
    try store.addToken(digest: "t", userID: ada.id, expiry: .max)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF; DELETE FROM user")
    }
    let api = TodoAPI(store: store, passwords: ModelPasswords(), tokens: ModelTokens(), now: { 0 })
    for method in ["GET", "POST"] {
      let reply = api.reply(
        to: TodoRequest(
          method: method, path: "/todos", authorization: "Bearer t",
          contentType: "application/json", body: Data(#"{"title":"a"}"#.utf8)))
      #expect(reply.status == 401)
      #expect(
        String(decoding: reply.body, as: UTF8.self)
          == #"{"error":true,"reason":"the token is unknown"}"#)
    }
  }

  // MARK: Users

  @Test func findsAUserByEverySpellingOfTheEmailAddress() throws {
    let ada = try addAda()
    #expect(ada == TodoUser(id: 1, name: "Ada", email: "Ada@example.com"))
    for email in ["Ada@example.com", "ada@example.com", "ADA@EXAMPLE.COM"] {
      let found = try #require(try store.user(email: email))
      #expect(found.user == ada)
      #expect(found.passwordHash == "hash")
    }
    #expect(try store.user(email: "bob@example.com") == nil)
  }

  /// Like the store in memory. SQLite on its own ignores case for ASCII letters only.
  @Test func ignoresTheCaseOfAllLettersInAnAddress() throws {
    for store in [store, MemoryTodoStore()] as [any TodoStore] {
      _ = try store.addUser(name: "A", email: "\u{C5}sa@example.com", passwordHash: "hash")
      let same = try store.addUser(name: "B", email: "a\u{30A}sa@example.com", passwordHash: "")
      #expect(same == nil)
    }
  }

  @Test func anEmailAddressCanBeUsedOnce() throws {
    let ada = try addAda()
    #expect(try store.addUser(name: "Eve", email: "aDA@example.com", passwordHash: "other") == nil)
    #expect(try store.user(email: "ada@example.com")?.user == ada)
    #expect(try look { try Int.fetchOne($0, sql: "SELECT count(*) FROM user") } == 1)
  }

  @Test func ofManySimultaneousUsersOneGetsTheAddress() async throws {
    let store = store
    let added = Mutex<[TodoUser?]>([])
    let failures = Mutex<[any Error]>([])
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: 32) { number in
          do {
            let user = try store.addUser(
              name: "\(number)", email: "ada@example.com", passwordHash: "")
            added.withLock { $0.append(user) }
          } catch { failures.withLock { $0.append(error) } }
        }
        continuation.resume()
      }
    }
    #expect(failures.withLock { $0.isEmpty })
    let winners = added.withLock { $0.compactMap { $0 } }
    #expect(added.withLock { $0.count } == 32)
    #expect(try winners == [#require(try store.user(email: "ada@example.com")).user])
  }

  // MARK: Todos

  @Test func aUserSeesOnlyTheirOwnTodosInOrder() throws {
    let ada = try addAda().id
    let bob = try #require(
      try store.addUser(name: "Bob", email: "bob@example.com", passwordHash: "")
    ).id
    let swim = try store.addTodo(title: "Learn to swim", userID: ada)
    let bread = try store.addTodo(title: "Buy bread", userID: bob)
    let fly = try store.addTodo(title: "Learn to fly", userID: ada)
    #expect(try store.todos(userID: ada) == [swim, fly])
    #expect(try store.todos(userID: bob) == [bread])
    #expect(try store.deleteTodo(bread.id, userID: ada) == .notYours)
    #expect(try store.deleteTodo(fly.id, userID: ada) == .deleted(fly))
    #expect(try store.deleteTodo(fly.id, userID: ada) == .notThere)
    #expect(try store.todos(userID: ada) == [swim])
    #expect(try store.todos(userID: bob) == [bread])
  }

  @Test func anIDIsNotUsedTwice() throws {
    let ada = try addAda().id
    let last = try store.addTodo(title: "last", userID: ada)
    _ = try store.deleteTodo(last.id, userID: ada)
    let again = try SQLiteTodoStore(path: path) { 0 }
    #expect(try again.addTodo(title: "next", userID: ada).id == last.id + 1)
  }

  @Test func aTodoOfAnUnknownUserIsRefused() throws {
    #expect(throws: DatabaseError.self) { try store.addTodo(title: "any", userID: 7) }
  }

  @Test(arguments: [
    "'); DROP TABLE todo; --", "\" OR 1 = 1", "?1", ":title", "\u{1F98A} \u{202E}",
  ])
  func aTitleMayContainAnything(_ title: String) throws {
    let ada = try addAda().id
    let todo = try store.addTodo(title: title, userID: ada)
    #expect(try store.todos(userID: ada) == [todo])
    #expect(todo.title == title)
  }

  // MARK: Tokens

  @Test func aTokenIsKeptUntilADayAfterItsExpiry() throws {
    let now = Mutex<Int64>(0)
    let store = try SQLiteTodoStore(path: folder.path("tokens.sqlite")) { now.withLock { $0 } }
    let ada = try #require(
      try store.addUser(name: "Ada", email: "ada@example.com", passwordHash: "")
    ).id
    func expiry(_ digest: String) throws -> Int64? { try store.token(digest: digest)?.expiry }
    try store.addToken(digest: "first", userID: ada, expiry: 1000)
    #expect(try store.token(digest: "first")?.userID == ada)
    now.withLock { $0 = 1000 + 24 * 3600 * 1000 }
    try store.addToken(digest: "second", userID: ada, expiry: 99_000_000)
    #expect(try expiry("first") == 1000)
    now.withLock { $0 += 1 }
    try store.addToken(digest: "third", userID: ada, expiry: 99_000_000)
    #expect(try expiry("first") == nil)
    #expect(try expiry("second") == 99_000_000)
  }

  // MARK: The file

  @Test func anotherStoreFindsEverything() throws {
    let ada = try addAda()
    let todo = try store.addTodo(title: "Learn to swim", userID: ada.id)
    try store.addToken(digest: "digest", userID: ada.id, expiry: 1000)
    let again = try SQLiteTodoStore(path: path) { 0 }
    #expect(try again.user(email: "ada@example.com")?.user == ada)
    #expect(try again.todos(userID: ada.id) == [todo])
    #expect(try again.token(digest: "digest")?.expiry == 1000)
  }

  @Test func usesAWriteAheadLogAndRemovesItAtTheEnd() throws {
    #expect(try look { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    store.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(files == ["todos.sqlite"])
  }

  @Test func theTablesEnforceUniqueAddresses() throws {
    _ = try addAda()
    let queue = try DatabaseQueue(path: path)
    let insert = "INSERT INTO user (name, email, emailKey, passwordHash) VALUES ('', '', ?, '')"
    for key in ["ada@example.com", nil] {
      #expect(throws: DatabaseError.self) {
        try queue.write { try $0.execute(sql: insert, arguments: [key]) }
      }
    }
  }

  @Test func anUnusableFileIsReportedInOneLine() throws {
    let text = folder.path("notes.txt")
    try Data("This isn't a database, but it's long enough for a header.".utf8)
      .write(to: URL(fileURLWithPath: text))
    for (path, reason) in [
      (text, "file is not a database"), (folder.url.path, "unable to open database file"),
      (folder.path("missing/todos.sqlite"), "unable to open database file"),
    ] {
      #expect(failure(at: path)?.hasPrefix("can't use \(path) as a database: \(reason)") == true)
      #expect(failure(at: path)?.contains("\n") == false)
    }
    #expect(try String(contentsOfFile: text, encoding: .utf8).hasPrefix("This isn't a database"))
  }

  @Test func theDatabaseOfAnotherProgramIsNotChanged() throws {
    let other = folder.path("other.sqlite")
    try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE user (id INTEGER)") }
    let before = try Data(contentsOf: URL(fileURLWithPath: other))
    #expect(
      failure(at: other)
        == "can't use \(other) as a database: it belongs to another program")
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)
  }

  @Test func theDatabaseOfALaterVersionIsRefused() throws {
    try DatabaseQueue(path: path).write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('a later migration')")
    }
    #expect(
      failure(at: path)
        == "can't use \(path) as a database: it was made by a later version of this program")
  }

  private func failure(at path: String) -> String? {
    do {
      _ = try SQLiteTodoStore(path: path) { 0 }
      return nil
    } catch { return "\(error)" }
  }
}
