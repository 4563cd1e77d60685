import Foundation
import GRDB
import TodoAPI

/// Users, tokens and todos in an SQLite file.
///
/// An acknowledged change is on the disk: each change is a transaction of its own, which ends when
/// the system says that it's written. Values get into statements only as arguments.
final class SQLiteTodoStore: TodoStore {
  private let database: DatabaseQueue
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
      var configuration = Configuration()
      configuration.foreignKeysEnabled = true
      // Another program, such as a backup, may hold the file for a moment.
      configuration.busyMode = .timeout(5)
      // One connection is enough, because the queries are quick. The last connection to close must
      // be able to write, or the log file stays.
      database = try DatabaseQueue(path: path, configuration: configuration)
      try database.read(Self.checkOwner)
      // Not in the configuration, which would change the file before its owner is checked.
      try database.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
      }
      try Self.migrator.migrate(database)
    } catch let error as DatabaseError {
      throw ScenarioServer.Failure(
        description: "can't use \(path) as a database: \(error.reason)")
    }
  }

  /// Moves all changes from the log into the database file, and closes it.
  func close() {
    // A request that's still running keeps it open. Nothing is lost: the next start uses the log.
    try? database.close()
  }

  func addUser(name: String, email: String, passwordHash: String) throws -> TodoUser? {
    do {
      return try database.write { db in
        try db.execute(
          sql: "INSERT INTO user (name, email, emailKey, passwordHash) VALUES (?, ?, ?, ?)",
          arguments: [name, email, TodoUser.key(email: email), passwordHash])
        return TodoUser(id: Int(db.lastInsertedRowID), name: name, email: email)
      }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      // No check before the insert: another request could add the same address in between.
      return nil
    }
  }

  func user(email: String) throws -> (user: TodoUser, passwordHash: String)? {
    try database.read { db in
      try Row.fetchOne(
        db, sql: "SELECT id, name, email, passwordHash FROM user WHERE emailKey = ?",
        arguments: [TodoUser.key(email: email)]
      )
      .map { (TodoUser(id: $0["id"], name: $0["name"], email: $0["email"]), $0["passwordHash"]) }
    }
  }

  func addToken(digest: String, userID: Int, expiry: Int64) throws {
    try database.write { db in
      // For a day after its expiry, a token is still reported as expired, not as unknown.
      let day: Int64 = 24 * 3600 * 1000
      try db.execute(sql: "DELETE FROM token WHERE expiry < ?", arguments: [now() - day])
      try db.execute(
        sql: "INSERT INTO token (digest, userID, expiry) VALUES (?, ?, ?)",
        arguments: [digest, userID, expiry])
    }
  }

  func token(digest: String) throws -> (userID: Int, expiry: Int64)? {
    try database.read { db in
      try Row.fetchOne(
        db, sql: "SELECT userID, expiry FROM token WHERE digest = ?", arguments: [digest]
      )
      .map { ($0["userID"], $0["expiry"]) }
    }
  }

  func todos(userID: Int) throws -> [Todo] {
    try database.read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, title FROM todo WHERE userID = ? ORDER BY id", arguments: [userID]
      )
      .map { Todo(id: $0["id"], title: $0["title"]) }
    }
  }

  func addTodo(title: String, userID: Int) throws -> Todo {
    try database.write { db in
      try db.execute(
        sql: "INSERT INTO todo (userID, title) VALUES (?, ?)", arguments: [userID, title])
      return Todo(id: Int(db.lastInsertedRowID), title: title)
    }
  }

  func deleteTodo(_ id: Int, userID: Int) throws -> TodoDeletion {
    try database.write { db in
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

extension SQLiteTodoStore {
  /// Marks the file as one of this program. The bytes spell "todo".
  private static let applicationID: Int64 = 0x746F_646F

  /// Refuses the database of another program or of a later version.
  private static func checkOwner(_ db: Database) throws {
    let owner = try Int64.fetchOne(db, sql: "PRAGMA application_id")
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
    guard isEmpty || owner == applicationID else {
      throw DatabaseError(message: "it belongs to another program")
    }
    guard try !migrator.hasBeenSuperseded(db) else {
      throw DatabaseError(message: "it was made by a later version of this program")
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
    return migrator
  }
}

extension DatabaseError {
  /// The reason, without the SQL statement.
  fileprivate var reason: String { message ?? "SQLite error \(extendedResultCode.rawValue)" }
}
