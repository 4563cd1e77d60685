import Testing
import TodoAPI

/// The functions of a store, for tests that aren't about its limits.
extension TodoStore {
  func addUser(name: String, email: String, passwordHash: String) throws -> TodoUser? {
    try addUser(name: name, email: email, passwordHash: passwordHash, limit: .max)
  }

  func addToken(digest: String, userID: Int, expiry: Int64) throws {
    try addToken(digest: digest, userID: userID, expiry: expiry, limit: .max)
  }

  func addTodo(title: String, userID: Int) throws -> Todo {
    try #require(try addTodo(title: title, userID: userID, limit: .max))
  }
}
