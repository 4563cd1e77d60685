import Foundation
import GRDB
import TodoAPI

/// Users, tokens and todos in an SQLite file.
///
/// An acknowledged change is on the disk: each change is a transaction of its own, which ends when
/// the system says that it's written. Values get into statements only as arguments. While another
/// program holds the database, such as a backup, changes throw `TodoStoreIsBusy` at once, and
/// reading goes on.
final class SQLiteTodoStore: TodoStore {
  let database: DatabasePool
  private let now: @Sendable () -> Int64

  /// Opens a database. Creates it if it doesn't exist, and migrates an older one.
  ///
  /// - Parameters:
  ///   - path: The file. While it's open, there are two more files next to it, `-wal` and `-shm`.
  ///   - now: Returns the time in milliseconds, on the same clock as the tokens' expiry.
  /// - Throws: ``ScenarioServer/Failure``
  init(path: String, now: @escaping @Sendable () -> Int64) throws {
    self.now = now
    do {
      try Self.checkOwner(path)
      database = try DatabasePool(path: path)
      try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try Self.migrator.migrate(database)
    } catch {
      let reason = (error as? DatabaseError)?.message ?? error.localizedDescription
      throw ScenarioServer.Failure(description: "can't use \(path) as a database: \(reason)")
    }
  }

  /// Moves all changes from the log into the database file, and closes it.
  func close() {
    try? database.close()
    // The pool's last connections only read, so they leave the log where it is.
    try? DatabaseQueue(path: database.path).close()
  }

  // MARK: The file

  /// Marks the file as one of this program. The bytes spell "todo".
  private static let applicationID: Int64 = 0x746F_646F

  /// Refuses the database of another program or of a later version, without changing it.
  private static func checkOwner(_ path: String) throws {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isThere, !isFolder.boolValue else { return }
    var configuration = Configuration()
    configuration.readonly = true
    try DatabaseQueue(path: path, configuration: configuration).read { db in
      let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
      let owner = try Int64.fetchOne(db, sql: "PRAGMA application_id")
      guard isEmpty || owner == applicationID else {
        throw DatabaseError(message: "it belongs to another program")
      }
      guard try !migrator.hasBeenSuperseded(db) else {
        throw DatabaseError(message: "it was made by a later version of this program")
      }
    }
  }

  /// The migrations, oldest first. Never change one. To change the tables, add another migration.
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("users, tokens and todos") { db in
      // AUTOINCREMENT: an ID is never used twice, even after the newest row was deleted.
      try db.execute(
        sql: """
          PRAGMA application_id = \(applicationID);
          CREATE TABLE user (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            email TEXT NOT NULL,
            emailKey TEXT NOT NULL UNIQUE,
            passwordHash TEXT NOT NULL
          ) STRICT;
          CREATE TABLE token (
            digest TEXT NOT NULL PRIMARY KEY,
            userID INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            expiry INTEGER NOT NULL
          ) STRICT;
          CREATE INDEX tokenByExpiry ON token (expiry);
          CREATE TABLE todo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            userID INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            title TEXT NOT NULL
          ) STRICT;
          CREATE INDEX todoByUser ON todo (userID);
          """)
    }
    migrator.registerMigration("tokens of a user") { db in
      try db.execute(sql: "CREATE INDEX tokenByUser ON token (userID)")
    }
    return migrator
  }

  private func read<Value>(_ query: (Database) throws -> Value) throws -> Value {
    try translatingErrors { try database.read(query) }
  }

  /// Performs a change in a transaction.
  private func write<Value>(_ change: (Database) throws -> Value) throws -> Value {
    try translatingErrors { try database.write(change) }
  }

  private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_BUSY: throw TodoStoreIsBusy()
      case .SQLITE_FULL: throw TodoStoreIsFull()
      default: throw error
      }
    }
  }

  // MARK: Users

  func addUser(
    name: String, email: String, passwordHash: String, limit: Int
  ) throws -> TodoUser? {
    let key = TodoUser.key(email: email)
    return try write { db in
      let others = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM user WHERE emailKey = ?", arguments: [key])
      guard others == 0 else { return nil }
      guard try Int.fetchOne(db, sql: "SELECT count(*) FROM user") ?? 0 < limit else {
        throw TodoStoreIsFull()
      }
      try db.execute(
        sql: "INSERT INTO user (name, email, emailKey, passwordHash) VALUES (?, ?, ?, ?)",
        arguments: [name, email, key, passwordHash])
      return TodoUser(id: Int(db.lastInsertedRowID), name: name, email: email)
    }
  }

  func user(email: String) throws -> (user: TodoUser, passwordHash: String)? {
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT id, name, email, passwordHash FROM user WHERE emailKey = ?",
        arguments: [TodoUser.key(email: email)]
      )
      .map { (TodoUser(id: $0["id"], name: $0["name"], email: $0["email"]), $0["passwordHash"]) }
    }
  }

  // MARK: Tokens

  func addToken(digest: String, userID: Int, expiry: Int64, limit: Int) throws {
    try write { db in
      // For a day after its expiry, a token is still reported as expired, not as unknown.
      try db.execute(
        sql: "DELETE FROM token WHERE expiry < ?", arguments: [now() - 24 * 3600 * 1000])
      try db.execute(
        sql: "INSERT INTO token (digest, userID, expiry) VALUES (?, ?, ?)",
        arguments: [digest, userID, expiry])
      // Row numbers grow with each insert.
      try db.execute(
        sql: """
          DELETE FROM token WHERE userID = ?1 AND rowid NOT IN
            (SELECT rowid FROM token WHERE userID = ?1 ORDER BY rowid DESC LIMIT ?2)
          """, arguments: [userID, limit])
    }
  }

  func token(digest: String) throws -> (userID: Int, expiry: Int64)? {
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT userID, expiry FROM token WHERE digest = ?", arguments: [digest]
      )
      .map { ($0["userID"], $0["expiry"]) }
    }
  }

  // MARK: Todos

  func todos(userID: Int) throws -> [Todo] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, title FROM todo WHERE userID = ? ORDER BY id", arguments: [userID]
      )
      .map { Todo(id: $0["id"], title: $0["title"]) }
    }
  }

  func addTodo(title: String, userID: Int, limit: Int) throws -> Todo? {
    try write { db in
      let count = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM todo WHERE userID = ?", arguments: [userID])
      guard count ?? 0 < limit else { return nil }
      try db.execute(
        sql: "INSERT INTO todo (userID, title) VALUES (?, ?)", arguments: [userID, title])
      return Todo(id: Int(db.lastInsertedRowID), title: title)
    }
  }

  func deleteTodo(_ id: Int, userID: Int) throws -> TodoDeletion {
    try write { db in
      guard
        let row = try Row.fetchOne(
          db, sql: "SELECT userID, title FROM todo WHERE id = ?", arguments: [id])
      else { return .notThere }
      guard row["userID"] == userID else { return .notYours }
      try db.execute(sql: "DELETE FROM todo WHERE id = ?", arguments: [id])
      return .deleted(Todo(id: id, title: row["title"]))
    }
  }
}
