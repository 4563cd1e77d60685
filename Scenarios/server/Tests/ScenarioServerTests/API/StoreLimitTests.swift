import ServerTestSupport
import Testing
import TodoAPI

@testable import ScenarioServer

/// The limits of the store in a file are those of the store in memory.
@Suite struct StoreLimitTests {
  private let folder: TemporaryFolder
  private let stores: [any TodoStore]

  init() throws {
    folder = try TemporaryFolder()
    stores = [
      MemoryTodoStore(), try SQLiteTodoStore(path: folder.path("todos.sqlite")) { 0 },
    ]
  }

  @Test func aStoreHasABoundedNumberOfUsers() throws {
    for store in stores {
      func add(_ email: String) throws -> Int? {
        try store.addUser(name: "", email: email, passwordHash: "", limit: 2)?.id
      }
      #expect(try ["a@b", "A@b", "c@d"].map(add) == [1, nil, 2])
      #expect(throws: TodoStoreIsFull.self) { try add("e@f") }
      #expect(try add("C@d") == nil)
      #expect(try store.user(email: "e@f") == nil)
    }
  }

  @Test func theOldestTokenOfAUserGivesWay() throws {
    for store in stores {
      for email in ["a@b", "c@d"] {
        _ = try store.addUser(name: "", email: email, passwordHash: "")
      }
      for (digest, user) in [("z", 1), ("other", 2), ("y", 1), ("x", 1), ("w", 1)] {
        try store.addToken(digest: digest, userID: user, expiry: 7, limit: 2)
      }
      #expect(
        try ["z", "other", "y", "x", "w"].map { try store.token(digest: $0)?.userID }
          == [nil, 2, nil, 1, 1])
    }
  }

  @Test func aUserHasABoundedNumberOfTodos() throws {
    for store in stores {
      for email in ["a@b", "c@d"] {
        _ = try store.addUser(name: "", email: email, passwordHash: "")
      }
      func add(_ user: Int) throws -> Int? {
        try store.addTodo(title: "t", userID: user, limit: 2)?.id
      }
      #expect(try [1, 1, 1, 2].map(add) == [1, 2, nil, 3])
      #expect(try store.deleteTodo(1, userID: 1) == .deleted(Todo(id: 1, title: "t")))
      #expect(try [1, 1].map(add) == [4, nil])
      #expect(try store.todos(userID: 1).map(\.id) == [2, 4])
    }
  }
}
