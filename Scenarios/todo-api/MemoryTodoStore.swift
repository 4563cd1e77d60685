import Foundation

/// A store in memory, for models and tests.
///
/// `@unchecked`: the state is behind the lock.
public final class MemoryTodoStore: TodoStore, @unchecked Sendable {
  private struct State {
    var users: [(user: TodoUser, passwordHash: String)] = []
    /// Oldest first.
    var tokens: [(digest: String, userID: Int, expiry: Int64)] = []
    var todos: [(todo: Todo, userID: Int)] = []
    var lastTodo = 0

    func user(email: String) -> (user: TodoUser, passwordHash: String)? {
      users.first { TodoUser.key(email: $0.user.email) == TodoUser.key(email: email) }
    }
  }

  private let lock = NSLock()
  private var state = State()

  /// Makes an empty store.
  public init() {}

  public func addUser(
    name: String, email: String, passwordHash: String, limit: Int
  ) throws -> TodoUser? {
    try lock.withLock {
      guard state.user(email: email) == nil else { return nil }
      guard state.users.count < limit else { throw TodoStoreIsFull() }
      let user = TodoUser(id: state.users.count + 1, name: name, email: email)
      state.users.append((user, passwordHash))
      return user
    }
  }

  public func user(email: String) -> (user: TodoUser, passwordHash: String)? {
    lock.withLock { state.user(email: email) }
  }

  public func addToken(digest: String, userID: Int, expiry: Int64, limit: Int) {
    lock.withLock {
      state.tokens.append((digest, userID, expiry))
      while state.tokens.count(where: { $0.userID == userID }) > limit,
        let oldest = state.tokens.firstIndex(where: { $0.userID == userID })
      {
        state.tokens.remove(at: oldest)
      }
    }
  }

  public func token(digest: String) -> (userID: Int, expiry: Int64)? {
    lock.withLock {
      state.tokens.first { $0.digest == digest }.map { ($0.userID, $0.expiry) }
    }
  }

  public func todos(userID: Int) -> [Todo] {
    lock.withLock { state.todos.filter { $0.userID == userID }.map(\.todo) }
  }

  public func addTodo(title: String, userID: Int, limit: Int) -> Todo? {
    lock.withLock {
      guard state.todos.count(where: { $0.userID == userID }) < limit else { return nil }
      state.lastTodo += 1
      let todo = Todo(id: state.lastTodo, title: title)
      state.todos.append((todo, userID))
      return todo
    }
  }

  public func deleteTodo(_ id: Int, userID: Int) -> TodoDeletion {
    lock.withLock {
      guard let index = state.todos.firstIndex(where: { $0.todo.id == id }) else {
        return .notThere
      }
      guard state.todos[index].userID == userID else { return .notYours }
      return .deleted(state.todos.remove(at: index).todo)
    }
  }
}
