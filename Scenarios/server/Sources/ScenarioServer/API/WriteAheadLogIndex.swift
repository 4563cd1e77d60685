import Foundation

/// The index of SQLite's log (`-shm`): what the last connection knew about the log.
///
/// It's in memory that processes share, and the file keeps it after a kill. It's not there if the
/// last connection was closed, and it may not be there in a copy.
///
/// The format is described at https://www.sqlite.org/walformat.html#the_wal_index_file_format.
struct WriteAheadLogIndex: Equatable {
  private var bytes: Data

  /// - Parameter path: The index. If there's none, this is one of an empty log.
  init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      bytes = Data()
      return
    }
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    bytes = try file.read(upToCount: 100) ?? Data()
    if !isValid { bytes = Data() }
  }

  /// The number of frames in the log, up to the last change.
  var frames: Int { bytes.isEmpty ? 0 : Int(word(16)) }

  /// The salts of the log.
  var salts: (UInt32, UInt32) { (UInt32(bigEndian: word(32)), UInt32(bigEndian: word(36))) }

  /// Whether all changes of the log are in the database.
  var isDatabaseComplete: Bool { word(96) >= frames }

  /// Whether this is a header, its copy, and the beginning of what follows.
  ///
  /// The header is written while others may read, so both are equal only when it's complete.
  private var isValid: Bool {
    guard bytes.count == 100, bytes[..<48].elementsEqual(bytes[48..<96]), word(0) == 3_007_000,
      bytes[12] == 1
    else { return false }
    var sum: (UInt32, UInt32) = (0, 0)
    for offset in stride(from: 0, to: 40, by: 8) {
      sum.0 &+= word(offset) &+ sum.1
      sum.1 &+= word(offset + 4) &+ sum.0
    }
    return sum == (word(40), word(44))
  }

  /// A number in the byte order of the machine.
  private func word(_ offset: Int) -> UInt32 {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  }
}

/// A log and its index.
struct LogFiles {
  private let log: WriteAheadLog
  private let index: WriteAheadLogIndex

  /// - Parameter database: The path of the database.
  init(database: String) throws {
    func readIndex() throws -> WriteAheadLogIndex {
      try WriteAheadLogIndex(path: database + "-shm")
    }
    var log: WriteAheadLog
    var index: WriteAheadLogIndex
    repeat {
      index = try readIndex()
      log = try WriteAheadLog(path: database + "-wal")
      // Another server may have changed both in between.
    } while try readIndex() != index
    self.log = log
    self.index = index
  }

  /// Whether an acknowledged change is missing.
  var areDamaged: Bool { log.isDamaged || log.lacksChanges(of: index) }
}
