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
  init(path: String) {
    self.path = path
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
