import Foundation
import GRDB
import TodoAPI

/// Users, tokens and todos in an SQLite file.
///
/// An acknowledged change is on the disk: each change is a transaction of its own, which ends when
/// the system says that it's written. Values get into statements only as arguments.
final class SQLiteTodoStore: TodoStore {
  /// The connection that changes the database.
  private let writer: DatabaseQueue
  /// Connections that read, also while the other one writes or waits.
  private let readers: DatabasePool
  private let turns = WriteTurns()
  private let files: DatabaseFiles
  private let now: @Sendable () -> Int64
  /// The most pages with users and todos, so that logins find room when they don't. Without a
  /// login, users couldn't delete anything. In pages, because SQLite takes room in pages.
  private let mostPagesWithoutLogins: Int

  /// Opens a database. Creates it if it doesn't exist, and migrates an older one.
  ///
  /// - Parameters:
  ///   - path: The file. While it's open, there are two more files next to it, `-wal` and `-shm`.
  ///   - mostBytes: The size that the file can grow to, in bytes. A full database throws
  ///     `TodoStoreIsFull`. A sixteenth is reserved for tokens.
  ///   - lockSeconds: How long a change waits for another program that holds the database.
  ///   - now: Returns the time in milliseconds, on the same clock as the tokens' expiry.
  /// - Throws: ``ScenarioServer/Failure``. The file is as it was, and isn't there if it wasn't.
  init(
    path: String, mostBytes: Int = Limits.standard.databaseBytes,
    lockSeconds: Int = Limits.standard.databaseLockSeconds,
    now: @escaping @Sendable () -> Int64
  ) throws {
    self.now = now
    do {
      files = try DatabaseFiles(path: path)
    } catch { throw Self.failure(path, error) }
    do {
      try Self.checkLog(path)
      if files.hasDatabase { try Self.check(path) }
      let writer = try DatabaseQueue(
        path: path,
        configuration: Self.writingConfiguration(lockSeconds: lockSeconds, turns))
      self.writer = writer
      let pageSize = try writer.read { try Int.fetchOne($0, sql: "PRAGMA page_size") } ?? 4096
      let mostPages = max(1, mostBytes / pageSize)
      mostPagesWithoutLogins = mostPages - mostPages / 16
      do {
        try writer.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
          // A database that's larger already stays as large as it is.
          try db.execute(sql: "PRAGMA max_page_count = \(mostPages)")
        }
        try Self.migrator.migrate(writer)
        readers = try DatabasePool(path: path, configuration: Self.readingConfiguration)
      } catch {
        Self.abandon(writer)
        throw error
      }
    } catch {
      files.undo()
      throw Self.failure(path, error)
    }
  }

  /// Moves all changes from the log into the database file, and closes it.
  func close() {
    // A request that's still running keeps it open. Nothing is lost: the next start uses the log.
    // The last connection to close must be able to write, or the log file stays.
    try? readers.close()
    try? writer.close()
  }

  /// Leaves the files as they were before the start, because the server can't start.
  func undoStart() {
    Self.abandon(writer)
    try? readers.close()
    files.undo()
  }

  /// Keeps a connection open until the process ends, which leaves its files as they are. Closing it
  /// would move the log of an earlier server into the database.
  private static func abandon(_ writer: DatabaseQueue) {
    _ = Unmanaged.passRetained(writer)
  }

  /// Performs a change in a transaction.
  ///
  /// - Throws: `TodoStoreIsFull` if neither the database nor the disk has room for it, and
  ///   `TodoStoreIsBusy` if another program holds the database for too long, or if another change
  ///   waits for that program already.
  private func write<Value>(_ change: (Database) throws -> Value) throws -> Value {
    try translatingErrors { try turns.take { try writer.write(change) } }
  }

  /// Performs a change in a transaction. It mustn't take room that's reserved for tokens.
  private func writeOutsideReserve<Value>(_ change: (Database) throws -> Value) throws -> Value {
    try write { db in
      let before = try Self.pagesInUse(db)
      let value = try change(db)
      let after = try Self.pagesInUse(db)
      // An error undoes the change.
      guard after <= max(before, mostPagesWithoutLogins) else { throw TodoStoreIsFull() }
      return value
    }
  }

  private func read<Value>(_ query: (Database) throws -> Value) throws -> Value {
    try translatingErrors { try readers.read(query) }
  }

  private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_WRITE
    {
      throw TodoStoreIsFull()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw TodoStoreIsBusy()
    }
  }

  /// The pages of the database that aren't free.
  private static func pagesInUse(_ db: Database) throws -> Int {
    let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    return try all - (Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0)
  }

  func addUser(
    name: String, email: String, passwordHash: String, limit: Int
  ) throws -> TodoUser? {
    do {
      return try writeOutsideReserve { db in
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
    try read { db in
      try Row.fetchOne(
        db, sql: "SELECT id, name, email, passwordHash FROM user WHERE emailKey = ?",
        arguments: [TodoUser.key(email: email)]
      )
      .map { (TodoUser(id: $0["id"], name: $0["name"], email: $0["email"]), $0["passwordHash"]) }
    }
  }

  func addToken(digest: String, userID: Int, expiry: Int64, limit: Int) throws {
    // For a day after its expiry, a token is still reported as expired, not as unknown. If there's
    // no room for that, it goes at once.
    let day: Int64 = 24 * 3600 * 1000
    do {
      try addToken(digest, userID, expiry, limit, expiredBefore: now() - day)
    } catch is TodoStoreIsFull {
      try addToken(digest, userID, expiry, limit, expiredBefore: now())
    }
  }

  private func addToken(
    _ digest: String, _ userID: Int, _ expiry: Int64, _ limit: Int, expiredBefore time: Int64
  ) throws {
    try write { db in
      // First, because it makes room.
      try db.execute(sql: "DELETE FROM token WHERE expiry < ?", arguments: [time])
      // Row numbers grow with each insert.
      try db.execute(
        sql: """
          DELETE FROM token WHERE userID = ?1 AND rowid NOT IN
            (SELECT rowid FROM token WHERE userID = ?1 ORDER BY rowid DESC LIMIT ?2)
          """, arguments: [userID, max(0, limit - 1)])
      try db.execute(
        sql: "INSERT INTO token (digest, userID, expiry) VALUES (?, ?, ?)",
        arguments: [digest, userID, expiry])
    }
  }

  func token(digest: String) throws -> (userID: Int, expiry: Int64)? {
    try read { db in
      try Row.fetchOne(
        // Without its user, which may have been removed by hand, a token is worth nothing.
        db,
        sql: """
          SELECT userID, expiry FROM token JOIN user ON user.id = token.userID WHERE digest = ?
          """,
        arguments: [digest]
      )
      .map { ($0["userID"], $0["expiry"]) }
    }
  }

  func todos(userID: Int) throws -> [Todo] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, title FROM todo WHERE userID = ? ORDER BY id", arguments: [userID]
      )
      .map { Todo(id: $0["id"], title: $0["title"]) }
    }
  }

  func addTodo(title: String, userID: Int, limit: Int) throws -> Todo? {
    try writeOutsideReserve { db in
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
