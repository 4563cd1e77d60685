import Foundation

/// A database file and the files that SQLite puts next to it, as they were before a start.
///
/// A start that fails must leave them like that.
struct DatabaseFiles: Sendable {
  private let path: String
  /// The files that weren't there, or that this created.
  private let created: [String]
  /// Whether the database was there, with no bytes in it.
  private let wasEmpty: Bool

  /// Whether there's a database to check. SQLite makes one from an empty file.
  let hasDatabase: Bool

  /// Remembers which files are there, and creates the database file if it isn't.
  ///
  /// If it can't be created, SQLite will find out why.
  ///
  /// - Throws: `Failure` if there's a log, but no database. Nothing is created then.
  init(path: String) throws {
    self.path = path
    try Self.checkLogs(of: path)
    var created = ["-wal", "-shm", "-journal"].map { path + $0 }.filter { !isThere($0) }
    // Atomic, so that of two servers that start at the same time one has created it.
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
      created.append(path)
    }
    self.created = created
    let size = file < 0 ? sizeOfFile(path) : nil
    wasEmpty = size == 0
    hasDatabase = size ?? 0 > 0
  }

  /// Refuses a log whose database is missing or empty. SQLite would delete the log, and with it
  /// changes that a client believes to be saved.
  private static func checkLogs(of path: String) throws {
    // The logs first: another server that starts at the same time writes its database before them.
    let logs = [
      ("-wal", sizeOfFile(path + "-wal") ?? 0 > 0),
      ("-journal", pagesBefore(journal: path + "-journal") > 0),
    ]
    guard let log = logs.first(where: \.1), !isThere(path) || sizeOfFile(path) == 0 else { return }
    throw Failure(
      description: "its log \(path)\(log.0) is there, but the database is missing or empty. "
        + "Put the database back, or move the log away")
  }

  /// The reason why files can't be used.
  struct Failure: Error {
    let description: String
  }

  /// - Parameter created: The files to remove.
  init(path: String, remembering created: [String]) {
    self.path = path
    self.created = created
    wasEmpty = false
    hasDatabase = true
  }

  /// Removes the files that this start has created, unless another process uses the database.
  ///
  /// Call it when nothing in this process uses the database any more.
  func undo() {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // SQLite holds a shared lock on these bytes while a database with a log is open.
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0002
    lock.l_len = 510
    guard fcntl(file, F_SETLK, &lock) == 0 else { return }
    if wasEmpty { ftruncate(file, 0) }
    for path in created { unlink(path) }
  }
}

private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Returns the size of a file; `nil` if there's none, or if it's something else, such as a folder.
private func sizeOfFile(_ path: String) -> Int? {
  var status = stat()
  guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  return Int(status.st_size)
}

/// Returns the size that a database had before the transaction of a rollback journal, in pages.
///
/// It's 0 if a server was killed while it made the database. Then nothing is lost.
private func pagesBefore(journal path: String) -> Int {
  // The journal's head: 8 bytes that mark it, and numbers of 4 bytes, of which this is the third.
  guard let file = FileHandle(forReadingAtPath: path),
    let head = try? file.read(upToCount: 20), head.count == 20
  else { return 0 }
  return head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
}
