/// A user as the API tells of one.
public struct TodoUser: Hashable, Sendable, Codable {
  /// The number of the user, from 1.
  public let id: Int
  /// What the user is called.
  public let name: String
  /// Where mail goes, in the spelling that was given.
  public let email: String

  /// Makes a user.
  public init(id: Int, name: String, email: String) {
    self.id = id
    self.name = name
    self.email = email
  }
}

/// Something to be done.
public struct Todo: Hashable, Sendable, Codable {
  /// Its number, from 1, which is never given again.
  public let id: Int
  /// What is to be done.
  public let title: String

  /// Makes a todo.
  public init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// What came of a request to delete a todo.
public enum TodoDeletion: Hashable, Sendable {
  /// This one is gone.
  case deleted(Todo)
  /// There was none with that number.
  case notThere
  /// It is somebody else's, and still there.
  case notYours
}

/// Where the API keeps users, tokens and todos.
///
/// Each call is done as a whole or not at all, whatever else is going on: several threads may call
/// at once. What is returned without an error is kept. An error thrown becomes an answer with
/// status 500 that says nothing of it.
public protocol TodoStore: Sendable {
  /// Adds a user, unless somebody has the e-mail address already, in capitals or not.
  ///
  /// - Returns: The user; `nil` if the address is taken.
  func addUser(name: String, email: String, passwordHash: String) throws -> TodoUser?

  /// The user with an e-mail address, in capitals or not, and the hash of the password.
  func user(email: String) throws -> (user: TodoUser, passwordHash: String)?

  /// Keeps a token, by its digest, until it expires.
  ///
  /// - Parameter expiry: In milliseconds, on the API's clock.
  func addToken(digest: String, userID: Int, expiry: Int64) throws

  /// Whose token has this digest, and until when.
  func token(digest: String) throws -> (userID: Int, expiry: Int64)?

  /// The todos of a user, in the order of their numbers.
  func todos(userID: Int) throws -> [Todo]

  /// Adds a todo of a user's.
  func addTodo(title: String, userID: Int) throws -> Todo

  /// Deletes a todo, if it is the user's.
  func deleteTodo(_ id: Int, userID: Int) throws -> TodoDeletion
}
