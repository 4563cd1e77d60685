import Foundation

/// A store in memory, for models and tests.
///
/// `@unchecked`: the state is behind the lock.
public final class MemoryTodoStore: TodoStore, @unchecked Sendable {
  private struct State {
    var users: [(user: TodoUser, passwordHash: String)] = []
    var tokens: [String: (userID: Int, expiry: Int64)] = [:]
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

  public func addUser(name: String, email: String, passwordHash: String) -> TodoUser? {
    lock.withLock {
      guard state.user(email: email) == nil else { return nil }
      let user = TodoUser(id: state.users.count + 1, name: name, email: email)
      state.users.append((user, passwordHash))
      return user
    }
  }

  public func user(email: String) -> (user: TodoUser, passwordHash: String)? {
    lock.withLock { state.user(email: email) }
  }

  public func addToken(digest: String, userID: Int, expiry: Int64) {
    lock.withLock { state.tokens[digest] = (userID, expiry) }
  }

  public func token(digest: String) -> (userID: Int, expiry: Int64)? {
    lock.withLock { state.tokens[digest] }
  }

  public func todos(userID: Int) -> [Todo] {
    lock.withLock { state.todos.filter { $0.userID == userID }.map(\.todo) }
  }

  public func addTodo(title: String, userID: Int) -> Todo {
    lock.withLock {
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
