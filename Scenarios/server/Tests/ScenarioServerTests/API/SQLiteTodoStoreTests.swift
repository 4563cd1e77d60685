import Foundation
import GRDB
import Synchronization
import Testing
import TodoAPI

@testable import scenario_server

@Suite struct SQLiteTodoStoreTests {
  private let folder: TemporaryFolder
  private let store: SQLiteTodoStore
  private var path: String { folder.path("todos.sqlite") }
  /// Both stores have the same rules.
  private var stores: [any TodoStore] { [MemoryTodoStore(), store] }

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteTodoStore(path: folder.path("todos.sqlite")) { 0 }
  }

  private func addUser(_ email: String, to store: any TodoStore, limit: Int = 9) throws -> Int? {
    try store.addUser(name: "", email: email, passwordHash: "hash", limit: limit)?.id
  }

  // MARK: Users

  /// SQLite on its own ignores case for ASCII letters only.
  @Test func anAddressInEverySpellingIsTakenOnce() throws {
    for store in stores {
      #expect(
        try ["\u{C5}sa@b", "a\u{30A}sa@b", "\u{E5}SA@B", "ada@b"].map { try addUser($0, to: store) }
          == [1, nil, nil, 2])
      let found = try #require(try store.user(email: "A\u{30A}SA@b"))
      #expect(found.user == TodoUser(id: 1, name: "", email: "\u{C5}sa@b"))
      #expect(found.passwordHash == "hash")
      #expect(try store.user(email: "bob@b") == nil)
    }
  }

  @Test func thereIsABoundedNumberOfUsers() throws {
    for store in stores {
      #expect(
        try ["a@b", "A@b", "c@d"].map { try addUser($0, to: store, limit: 2) } == [1, nil, 2])
      #expect(throws: TodoStoreIsFull.self) { try addUser("e@f", to: store, limit: 2) }
      #expect(try addUser("C@d", to: store, limit: 2) == nil)
    }
  }

  @Test func ofManySimultaneousUsersOneGetsTheAddress() {
    let added = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 32) { _ in
      let result = Result { try addUser("ada@b", to: store) }
      added.withLock { $0.append("\(result)") }
    }
    #expect(
      added.withLock { $0.sorted() }
        == ["success(Optional(1))"] + Array(repeating: "success(nil)", count: 31))
  }

  // MARK: Tokens

  @Test func theOldestTokenOfAUserGivesWay() throws {
    for store in stores {
      for email in ["a@b", "c@d"] { _ = try addUser(email, to: store) }
      for (digest, user) in [("z", 1), ("other", 2), ("y", 1), ("x", 1), ("w", 1)] {
        try store.addToken(digest: digest, userID: user, expiry: 7, limit: 2)
      }
      #expect(
        try ["z", "other", "y", "x", "w"].map { try store.token(digest: $0)?.userID }
          == [nil, 2, nil, 1, 1])
    }
  }

  @Test func aTokenIsKeptUntilADayAfterItsExpiry() throws {
    let now = Mutex<Int64>(0)
    let store = try SQLiteTodoStore(path: folder.path("tokens.sqlite")) { now.withLock { $0 } }
    _ = try addUser("ada@b", to: store)
    func expiries(adding digest: String, at time: Int64) throws -> [Int64?] {
      now.withLock { $0 = time }
      try store.addToken(digest: digest, userID: 1, expiry: time + 1000, limit: 9)
      return try ["first", "second", "third"].map { try store.token(digest: $0)?.expiry }
    }
    let day: Int64 = 24 * 3600 * 1000
    #expect(try expiries(adding: "first", at: 0) == [1000, nil, nil])
    #expect(try expiries(adding: "second", at: day + 1000) == [1000, day + 2000, nil])
    #expect(try expiries(adding: "third", at: day + 1001) == [nil, day + 2000, day + 2001])
  }

  // MARK: Todos

  @Test func aUserSeesOnlyTheirOwnTodosInOrder() throws {
    for store in stores {
      for email in ["a@b", "c@d"] { _ = try addUser(email, to: store) }
      let titles = ["'); DROP TABLE todo; --", "\" OR 1 = 1", "?1", "\u{1F98A} \u{202E}"]
      let ids = try titles.enumerated().map {
        try store.addTodo(title: $1, userID: 1 + $0 % 2, limit: 9)?.id
      }
      #expect(ids == [1, 2, 3, 4])
      #expect(try store.todos(userID: 1) == [0, 2].map { Todo(id: $0 + 1, title: titles[$0]) })
      #expect(
        try [2, 3, 3].map { try store.deleteTodo($0, userID: 1) }
          == [.notYours, .deleted(Todo(id: 3, title: "?1")), .notThere])
      #expect(try [1, 2].map { try store.todos(userID: $0).map(\.id) } == [[1], [2, 4]])
    }
  }

  @Test func aUserHasABoundedNumberOfTodos() throws {
    for store in stores {
      for email in ["a@b", "c@d"] { _ = try addUser(email, to: store) }
      func add(_ user: Int) throws -> Int? {
        try store.addTodo(title: "t", userID: user, limit: 2)?.id
      }
      #expect(try [1, 1, 1, 2].map(add) == [1, 2, nil, 3])
      #expect(try store.deleteTodo(1, userID: 1) == .deleted(Todo(id: 1, title: "t")))
      #expect(try [1, 1].map(add) == [4, nil])
    }
  }

  // MARK: The file

  @Test func anotherStoreFindsEverythingAndUsesNoIDTwice() throws {
    _ = try addUser("ada@b", to: store)
    for title in ["first", "last"] {
      _ = try store.addTodo(title: title, userID: 1, limit: 9)
    }
    _ = try store.deleteTodo(2, userID: 1)
    try store.addToken(digest: "digest", userID: 1, expiry: 1000, limit: 9)
    // A connection that only reads must not be the last one to close.
    #expect(try store.todos(userID: 1).map(\.title) == ["first"])
    store.close()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["todos.sqlite"])
    let again = try SQLiteTodoStore(path: path) { 0 }
    #expect(try again.user(email: "ada@b")?.user.id == 1)
    #expect(try again.token(digest: "digest")?.expiry == 1000)
    #expect(try again.addTodo(title: "next", userID: 1, limit: 9)?.id == 3)
    #expect(try again.todos(userID: 1).map(\.title) == ["first", "next"])
  }

  /// Whatever another program does with the file, reading goes on.
  @Test func aFullAndALockedDatabaseRefuseChanges() throws {
    _ = try addUser("ada@b", to: store)
    try store.database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA max_page_count = 1")
    }
    let long = String(repeating: "t", count: 10_000)
    #expect(throws: TodoStoreIsFull.self) {
      try store.addTodo(title: long, userID: 1, limit: 9)
    }
    try DatabaseQueue(path: path).write { _ throws in
      #expect(throws: TodoStoreIsBusy.self) { try addUser("bob@b", to: store) }
      #expect(throws: TodoStoreIsBusy.self) {
        try store.addToken(digest: "d", userID: 1, expiry: 1, limit: 9)
      }
      #expect(throws: TodoStoreIsBusy.self) { try store.deleteTodo(1, userID: 1) }
      #expect(try store.todos(userID: 1) == [])
    }
    #expect(try addUser("bob@b", to: store) == 2)
  }

  @Test func theDatabaseOfAnotherProgramIsNotChanged() throws {
    let other = folder.path("other.sqlite")
    try DatabaseQueue(path: other).write { try $0.execute(sql: "CREATE TABLE user (id INTEGER)") }
    let before = try Data(contentsOf: URL(fileURLWithPath: other))
    #expect(failure(at: other) == "can't use \(other) as a database: it belongs to another program")
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
