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
  /// The free bytes of the disk.
  private let freeBytes: @Sendable () -> Int

  /// The bytes of the disk that are kept free: all of them when users and todos make the database
  /// grow, and half of them when tokens do, so that users can log in and delete todos.
  ///
  /// A deletion needs room in the log only. The log is moved into the database when it has
  /// `logPages`, so both can still grow by about that much after the last change that grew.
  private static let reservedBytes = 1 << 20

  /// The size at which the log is moved into the database, in pages of 4 KiB.
  private static let logPages = 50

  /// Opens a database. Creates it if it doesn't exist, and migrates an older one.
  ///
  /// - Parameters:
  ///   - path: The file. While it's open, there are two more files next to it, `-wal` and `-shm`.
  ///   - mostBytes: The size that the file can grow to, in bytes. A full database throws
  ///     `TodoStoreIsFull`. A sixteenth is reserved for tokens.
  ///   - lockSeconds: How long a change waits for another program that holds the database.
  ///   - freeBytes: Returns the free bytes of the disk; `nil` to ask the system.
  ///   - now: Returns the time in milliseconds, on the same clock as the tokens' expiry.
  /// - Throws: ``ScenarioServer/Failure``. The file is as it was, and isn't there if it wasn't.
  init(
    path: String, mostBytes: Int = Limits.standard.databaseBytes,
    lockSeconds: Int = Limits.standard.databaseLockSeconds,
    freeBytes: (@Sendable () -> Int)? = nil,
    now: @escaping @Sendable () -> Int64
  ) throws {
    self.now = now
    self.freeBytes = freeBytes ?? { Self.freeBytes(at: path) }
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
          try db.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.logPages)")
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
    try translatingErrors {
      try turns.take {
        do {
          return try writer.write(change)
        } catch let error as DatabaseError
          where error.isAboutRoom && freeBytes() < Self.reservedBytes
        {
          // The disk is full, so the log can't grow. Once it's moved into the database, it begins
          // again in its place.
          _ = try? writer.writeWithoutTransaction { try $0.checkpoint(.restart) }
          return try writer.write(change)
        }
      }
    }
  }

  /// Performs a change in a transaction. It mustn't take room that's reserved for others.
  ///
  /// - Parameters:
  ///   - mostPages: The most pages that may be in use.
  ///   - reservedBytes: The bytes of the disk to leave if the database grows.
  private func write<Value>(
    within mostPages: Int = .max, leaving reservedBytes: Int,
    _ change: (Database) throws -> Value
  ) throws -> Value {
    try write { db in
      let before = try Self.pages(db)
      let value = try change(db)
      let after = try Self.pages(db)
      // An error undoes the change.
      guard after.inUse <= max(before.inUse, mostPages),
        after.all <= before.all || freeBytes() >= reservedBytes
      else { throw TodoStoreIsFull() }
      return value
    }
  }

  /// Performs a change in a transaction. It mustn't take room that's reserved for tokens.
  private func writeOutsideReserve<Value>(_ change: (Database) throws -> Value) throws -> Value {
    try write(within: mostPagesWithoutLogins, leaving: Self.reservedBytes, change)
  }

  private func read<Value>(_ query: (Database) throws -> Value) throws -> Value {
    try translatingErrors { try readers.read(query) }
  }

  private func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where error.isAboutRoom {
      throw TodoStoreIsFull()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw TodoStoreIsBusy()
    }
  }

  /// The pages of the database, and those of them that aren't free.
  private static func pages(_ db: Database) throws -> (all: Int, inUse: Int) {
    let all = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    return try (all, all - (Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0))
  }

  /// The bytes that a file's disk has left for this user; many if the system can't tell.
  private static func freeBytes(at path: String) -> Int {
    var disk = statvfs()
    guard statvfs(path, &disk) == 0 else { return .max }
    let (bytes, isMore) = Int(clamping: disk.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: disk.f_frsize))
    return isMore ? .max : bytes
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
    try write(leaving: Self.reservedBytes / 2) { db in
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

extension DatabaseError {
  /// Whether the database or the disk has no room.
  fileprivate var isAboutRoom: Bool {
    resultCode == .SQLITE_FULL || extendedResultCode == .SQLITE_IOERR_WRITE
  }
}
