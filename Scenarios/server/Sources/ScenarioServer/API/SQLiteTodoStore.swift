import Foundation
import GRDB
import TodoAPI

/// Users, tokens and todos in an SQLite file.
///
/// What was acknowledged is on the disk: each change is a transaction of its own, and ends when the
/// system says that it is written. Values get into statements as arguments, and in no other way.
final class SQLiteTodoStore: TodoStore {
  private let database: DatabaseQueue
  private let now: @Sendable () -> Int64

  /// Opens a database, makes it if it is not there, and brings an older one up to date.
  ///
  /// - Parameters:
  ///   - path: The file. Two more are beside it while it is open, `-wal` and `-shm`.
  ///   - now: The time, on the clock of the tokens' expiry.
  /// - Throws: ``ScenarioServer/Failure``
  init(path: String, now: @escaping @Sendable () -> Int64) throws {
    self.now = now
    do {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = true
      // Another program, such as a backup, may hold the file for a moment.
      configuration.busyMode = .timeout(5)
      // One connection: the answers are quick, and the last to close must be one that may write, or
      // the log stays beside the file.
      database = try DatabaseQueue(path: path, configuration: configuration)
      try database.read(Self.checkOwner)
      // Not by the configuration, which would do this to whoever's file it is.
      try database.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
      }
      try Self.migrator.migrate(database)
    } catch let error as DatabaseError {
      throw ScenarioServer.Failure(
        description: "cannot use \(path) as database: \(error.reason)")
    }
  }

  /// Puts all that was written into the one file, and lets go of it.
  func close() {
    // A request that still runs keeps it open. Nothing is lost then: the next to open it goes on.
    try? database.close()
  }

  func addUser(name: String, email: String, passwordHash: String) throws -> TodoUser? {
    do {
      return try database.write { db in
        try db.execute(
          sql: "INSERT INTO user (name, email, emailKey, passwordHash) VALUES (?, ?, ?, ?)",
          arguments: [name, email, Self.key(email), passwordHash])
        return TodoUser(id: Int(db.lastInsertedRowID), name: name, email: email)
      }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      // Asked before, somebody else might have come between question and answer.
      return nil
    }
  }

  func user(email: String) throws -> (user: TodoUser, passwordHash: String)? {
    try database.read { db in
      try Row.fetchOne(
        db, sql: "SELECT id, name, email, passwordHash FROM user WHERE emailKey = ?",
        arguments: [Self.key(email)]
      )
      .map { (TodoUser(id: $0["id"], name: $0["name"], email: $0["email"]), $0["passwordHash"]) }
    }
  }

  func addToken(digest: String, userID: Int, expiry: Int64) throws {
    try database.write { db in
      // For a day one may still be told that a token has expired.
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

  /// What is the same for all spellings of an address.
  private static func key(_ email: String) -> String {
    email.lowercased().precomposedStringWithCanonicalMapping
  }
}

extension SQLiteTodoStore {
  /// Says whose file it is; "todo" in letters.
  private static let applicationID: Int64 = 0x746F_646F

  /// Refuses the database of another program, and one that a later version has made.
  private static func checkOwner(_ db: Database) throws {
    let owner = try Int64.fetchOne(db, sql: "PRAGMA application_id")
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
    guard isEmpty || owner == applicationID else {
      throw DatabaseError(message: "it is the database of another program")
    }
    guard try !migrator.hasBeenSuperseded(db) else {
      throw DatabaseError(message: "a later version of this program has made it")
    }
  }

  /// How the tables came to be what they are. What is here stays as it is; changes are added.
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("users, tokens and todos") { db in
      // AUTOINCREMENT: a number is not given again, even when the last one is gone.
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
  /// What went wrong, without the statement.
  fileprivate var reason: String { message ?? "SQLite error \(extendedResultCode.rawValue)" }
}
