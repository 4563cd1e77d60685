import Foundation
import GRDB

extension SQLiteTodoStore {
  /// Marks the file as one of this program. The bytes spell "todo".
  private static let applicationID: Int64 = 0x746F_646F

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    // Another program, such as a backup, may hold the file for a moment.
    configuration.busyMode = .timeout(2)
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

  /// Refuses a log that lacks acknowledged changes. It may be missing.
  static func checkLog(_ path: String) throws {
    guard let log = try? WriteAheadLog(path: path + "-wal") else {
      throw DatabaseError(message: "can't read its log \(path)-wal")
    }
    guard !log.isDamaged else {
      throw DatabaseError(
        message: "its log \(path)-wal is damaged. Restore both from a copy, or use another file")
    }
  }

  /// Refuses a database that this server can't use, without changing it.
  static func check(_ path: String) throws {
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
