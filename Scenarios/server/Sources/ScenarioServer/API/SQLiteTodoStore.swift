import Foundation
import GRDB
import TodoAPI

/// Users, tokens and todos in an SQLite file.
///
/// An acknowledged change is on the disk: each change is a transaction of its own, which ends when
/// the system says that it's written. Values get into statements only as arguments.
final class SQLiteTodoStore: TodoStore {
  private let database: DatabaseQueue
  private let files: DatabaseFiles
  private let now: @Sendable () -> Int64

  /// Opens a database. Creates it if it doesn't exist, and migrates an older one.
  ///
  /// - Parameters:
  ///   - path: The file. While it's open, there are two more files next to it, `-wal` and `-shm`.
  ///   - mostBytes: The size that the file can grow to, in bytes. A full database throws
  ///     `TodoStoreIsFull`.
  ///   - now: Returns the time in milliseconds, on the same clock as the tokens' expiry.
  /// - Throws: ``ScenarioServer/Failure``. The file is as it was, and isn't there if it wasn't.
  init(
    path: String, mostBytes: Int = Limits.standard.databaseBytes,
    now: @escaping @Sendable () -> Int64
  ) throws {
    self.now = now
    files = DatabaseFiles(path: path)
    do {
      if files.hasDatabase { try Self.check(path) }
      // One connection is enough, because the queries are quick. The last connection to close must
      // be able to write, or the log file stays.
      let database = try DatabaseQueue(path: path, configuration: Self.configuration)
      self.database = database
      do {
        try database.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
          let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
          // A database that's larger already stays as large as it is.
          try db.execute(sql: "PRAGMA max_page_count = \(max(1, mostBytes / pageSize))")
        }
        try Self.migrator.migrate(database)
      } catch {
        Self.abandon(database)
        throw error
      }
    } catch let error as DatabaseError {
      files.undo()
      throw ScenarioServer.Failure(
        description: "can't use \(path) as a database: \(error.reason)")
    }
  }

  /// Moves all changes from the log into the database file, and closes it.
  func close() {
    // A request that's still running keeps it open. Nothing is lost: the next start uses the log.
    try? database.close()
  }

  /// Leaves the files as they were before the start, because the server can't start.
  func undoStart() {
    Self.abandon(database)
    files.undo()
  }

  /// Keeps a connection open until the process ends, which leaves its files as they are. Closing it
  /// would move the log of an earlier server into the database.
  private static func abandon(_ database: DatabaseQueue) {
    _ = Unmanaged.passRetained(database)
  }

  /// Performs a change in a transaction.
  ///
  /// - Throws: `TodoStoreIsFull` if neither the database nor the disk has room for it.
  private func write<Value>(_ change: (Database) throws -> Value) throws -> Value {
    do {
      return try database.write(change)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_WRITE
    {
      throw TodoStoreIsFull()
    }
  }

  func addUser(
    name: String, email: String, passwordHash: String, limit: Int
  ) throws -> TodoUser? {
    do {
      return try write { db in
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM user") ?? 0
        guard count < limit else {
          let isTaken = try Row.fetchOne(
            db, sql: "SELECT id FROM user WHERE emailKey = ?",
            arguments: [TodoUser.key(email: email)])
          guard isTaken == nil else { return nil }
          throw TodoStoreIsFull()
        }
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

  func addToken(digest: String, userID: Int, expiry: Int64, limit: Int) throws {
    try write { db in
      // For a day after its expiry, a token is still reported as expired, not as unknown.
      let day: Int64 = 24 * 3600 * 1000
      try db.execute(sql: "DELETE FROM token WHERE expiry < ?", arguments: [now() - day])
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

  func addTodo(title: String, userID: Int, limit: Int) throws -> Todo? {
    try write { db in
      let count =
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM todo WHERE userID = ?", arguments: [userID]) ?? 0
      guard count < limit else { return nil }
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

extension SQLiteTodoStore {
  /// Marks the file as one of this program. The bytes spell "todo".
  private static let applicationID: Int64 = 0x746F_646F

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    // Another program, such as a backup, may hold the file for a moment.
    configuration.busyMode = .timeout(5)
    return configuration
  }

  /// Refuses a database that this server can't use, without changing it.
  private static func check(_ path: String) throws {
    guard try !WriteAheadLog(path: path + "-wal").isDamaged else {
      throw DatabaseError(
        message: "its log \(path)-wal is damaged. Restore both from a copy, or use another file")
    }
    var configuration = configuration
    // A connection that can't write leaves the database and the log as they are when it's closed.
    configuration.readonly = true
    let database = try DatabaseQueue(path: path, configuration: configuration)
    try database.read { db in
      try checkOwner(db)
      try checkPages(db)
    }
    try database.close()
  }

  /// Refuses a database with damaged pages.
  ///
  /// `integrity_check` took 1.9 s for 115 MB. `quick_check` took 0.2 s, but it doesn't compare
  /// indexes with their tables. The file is small, so a start can afford the thorough one.
  private static func checkPages(_ db: Database) throws {
    guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else {
      throw DatabaseError(message: "it's damaged. Restore it from a copy, or use another file")
    }
  }

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
    migrator.registerMigration("tokens of a user") { db in
      try db.execute(sql: "CREATE INDEX tokenByUser ON token (userID)")
    }
    return migrator
  }
}

extension DatabaseError {
  /// The reason, without the SQL statement.
  fileprivate var reason: String { message ?? "SQLite error \(extendedResultCode.rawValue)" }
}
