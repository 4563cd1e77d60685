import Foundation

/// A user, as the API's responses contain it.
public struct TodoUser: Hashable, Sendable, Codable {
  /// The user's number, from 1.
  public let id: Int
  /// The user's name.
  public let name: String
  /// The e-mail address, spelled as the user entered it.
  public let email: String

  /// Makes a user.
  public init(id: Int, name: String, email: String) {
    self.id = id
    self.name = name
    self.email = email
  }

  /// Returns the same text for all spellings of an e-mail address: the case of letters doesn't
  /// matter, nor how a keyboard composes them.
  public static func key(email: String) -> String {
    email.lowercased().precomposedStringWithCanonicalMapping
  }
}

/// A task on a user's list.
public struct Todo: Hashable, Sendable, Codable {
  /// The todo's number, from 1. No number is used twice.
  public let id: Int
  /// The text of the todo.
  public let title: String

  /// Makes a todo.
  public init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// The result of deleting a todo.
public enum TodoDeletion: Hashable, Sendable {
  /// The todo was deleted.
  case deleted(Todo)
  /// There's no todo with this number.
  case notThere
  /// The todo belongs to another user, and wasn't deleted.
  case notYours
}

/// The error of a store that has no room, such as one on a full disk. Nothing was changed.
public struct TodoStoreIsFull: Error {
  /// Makes the error.
  public init() {}
}

/// The error of a store that another program is using right now. Nothing was changed, and the same
/// call may succeed soon.
public struct TodoStoreIsBusy: Error {
  /// Makes the error.
  public init() {}
}

/// Storage for the API's users, tokens and todos.
///
/// Several threads may call it at once, and each call must be atomic. If a call returns without an
/// error, its changes are stored. If it throws ``TodoStoreIsFull``, the API replies with status
/// 507. If it throws ``TodoStoreIsBusy``, the API replies with status 503 and `Retry-After: 1`. If
/// it throws another error, the API replies with status 500 and doesn't mention the error.
public protocol TodoStore: Sendable {
  /// Adds a user, unless the e-mail address is taken. The case of letters doesn't matter.
  ///
  /// - Parameter limit: The most users.
  /// - Returns: The user; `nil` if the address is taken.
  /// - Throws: ``TodoStoreIsFull`` if there are that many users.
  func addUser(
    name: String, email: String, passwordHash: String, limit: Int
  ) throws -> TodoUser?

  /// Returns the user with an e-mail address, and the hash of the password. The case of letters
  /// doesn't matter.
  func user(email: String) throws -> (user: TodoUser, passwordHash: String)?

  /// Stores a token's digest until the token expires.
  ///
  /// - Parameters:
  ///   - expiry: The time in milliseconds, on the API's clock.
  ///   - limit: The most tokens of a user. If there are more, the oldest are deleted.
  func addToken(digest: String, userID: Int, expiry: Int64, limit: Int) throws

  /// Returns the user ID and the expiry of the token with a digest.
  func token(digest: String) throws -> (userID: Int, expiry: Int64)?

  /// Returns a user's todos, in the order of their numbers.
  func todos(userID: Int) throws -> [Todo]

  /// Adds a todo for a user.
  ///
  /// - Parameter limit: The most todos of a user.
  /// - Returns: The todo; `nil` if the user has that many.
  func addTodo(title: String, userID: Int, limit: Int) throws -> Todo?

  /// Deletes a todo if it belongs to the user.
  func deleteTodo(_ id: Int, userID: Int) throws -> TodoDeletion
}
