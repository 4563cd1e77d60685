import Foundation
import GRDB

extension SQLiteTodoStore {
  /// Marks the file as one of this program. The bytes spell "todo".
  private static let applicationID: Int64 = 0x746F_646F

  /// A connection that only reads. It can't change the database or its log, not even when it's
  /// closed.
  static var readingConfiguration: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.maximumReaderCount = DatabaseThreads.readers
    // Reading needn't wait, unless another server is starting or ending with the same file.
    configuration.busyMode = .timeout(2)
    return configuration
  }

  /// The connection that changes the database. If another program holds it, such as a backup, a
  /// change waits for it.
  ///
  /// - Parameters:
  ///   - seconds: How long a change waits.
  ///   - turns: Where the other changes wait. They are refused once one has waited for 0.1 s.
  static func writingConfiguration(lockSeconds seconds: Int, _ turns: WriteTurns) -> Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    let triesPerSecond = 100
    configuration.busyMode = .callback { tries in
      guard tries < seconds * triesPerSecond else { return false }
      if tries == triesPerSecond / 10 { turns.block() }
      Thread.sleep(forTimeInterval: 1 / Double(triesPerSecond))
      return true
    }
    return configuration
  }

  /// Returns the reason why a file can't be used, in one line.
  static func failure(_ path: String, _ error: any Error) -> ScenarioServer.Failure {
    let reason =
      switch error {
      case let error as DatabaseFiles.Failure: error.description
      case let error as DatabaseError: error.reason
      default: error.localizedDescription
      }
    return ScenarioServer.Failure(description: "can't use \(path) as a database: \(reason)")
  }

  /// Refuses a log that lacks acknowledged changes. It may be missing if it has none.
  static func checkLog(_ path: String) throws {
    guard let files = try? LogFiles(database: path) else {
      throw DatabaseError(message: "can't read its log \(path)-wal")
    }
    guard !files.areDamaged else {
      throw DatabaseError(
        message: "its log \(path)-wal is damaged. Restore both from a copy, or use another file")
    }
  }

  /// Refuses a database that this server can't use, without changing it.
  static func check(_ path: String) throws {
    let database = try DatabaseQueue(path: path, configuration: readingConfiguration)
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
  static var migrator: DatabaseMigrator {
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
