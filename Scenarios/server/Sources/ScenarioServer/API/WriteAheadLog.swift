import Foundation

/// SQLite's log of changes that aren't in the database file yet.
///
/// SQLite reads the log up to the first damaged change, and ignores the rest without a word. That's
/// right for a change that a crash left unfinished, because it wasn't acknowledged. But a client
/// believes in every change before the last one, so if several are ignored, something is lost.
///
/// The format is described at https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
struct WriteAheadLog {
  private let bytes: Data

  /// - Parameter path: The log. If there's none, this is an empty one.
  /// - Throws: An error of Foundation's if the log can't be read.
  init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      bytes = Data()
      return
    }
    bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
  }

  /// Whether SQLite would ignore a change that was acknowledged.
  ///
  /// A crash may leave the last change unfinished, but no log of zeros.
  var isDamaged: Bool {
    contents.ignoredChanges > 1 || !bytes.isEmpty && bytes.allSatisfy { $0 == 0 }
  }

  /// Whether changes are missing that the index of the log knows.
  ///
  /// A change gets into the index when it's on the disk. So after a crash of the system, the index
  /// may know less than the log, but not more.
  func lacksChanges(of index: WriteAheadLogIndex) -> Bool {
    guard index.frames > 0 else { return false }
    let contents = contents
    guard contents.isHeaderValid else { return !index.isDatabaseComplete }
    guard contents.salts == index.salts else {
      // The first salt counts how often the log was started again.
      return Int32(bitPattern: contents.salts.0 &- index.salts.0) <= 0
    }
    return contents.validFrames < index.frames
  }

  private struct Contents {
    var isHeaderValid = false
    var salts: (UInt32, UInt32) = (0, 0)
    /// The frames before the first damage. Each has a page.
    var validFrames = 0
    /// The complete changes behind the first damage.
    var ignoredChanges = 0
  }

  /// A frame from before the last time that the log was started again has other salts.
  private var contents: Contents {
    let header = 32
    var contents = Contents()
    guard bytes.count >= header else { return contents }
    var sum: (UInt32, UInt32) = (0, 0)
    let isBigEndian = word(0) == 0x377F_0683
    checksum(0..<24, &sum, isBigEndian)
    contents.isHeaderValid =
      word(0) & ~1 == 0x377F_0682 && word(4) == 3_007_000 && sum == (word(24), word(28))
      && isPageSize(word(8))
    if contents.isHeaderValid { contents.salts = (word(16), word(20)) }
    guard bytes.count > header + 24 else { return contents }
    // If the header is damaged, the first frame has the salts, too.
    if !contents.isHeaderValid { contents.salts = (word(header + 8), word(header + 12)) }
    let page = contents.isHeaderValid ? Int(word(8)) : 4096
    var isValid = contents.isHeaderValid
    for frame in stride(from: header, through: bytes.count - page - 24, by: page + 24) {
      let isOfThisLog = (word(frame + 8), word(frame + 12)) == contents.salts
      if isValid {
        checksum(frame..<frame + 8, &sum, isBigEndian)
        checksum(frame + 24..<frame + 24 + page, &sum, isBigEndian)
        isValid = isOfThisLog && sum == (word(frame + 16), word(frame + 20))
      }
      if isValid { contents.validFrames += 1 }
      // The last frame of a change has the size of the database.
      if !isValid, isOfThisLog, word(frame + 4) > 0 { contents.ignoredChanges += 1 }
    }
    return contents
  }

  /// Whether a page can have this size. Otherwise, SQLite ignores the whole log.
  private func isPageSize(_ size: UInt32) -> Bool {
    (512...65_536).contains(size) && size.nonzeroBitCount == 1
  }

  private func word(_ offset: Int, isBigEndian: Bool = true) -> UInt32 {
    let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }

  private func checksum(_ range: Range<Int>, _ sum: inout (UInt32, UInt32), _ isBigEndian: Bool) {
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      sum.0 &+= word(offset, isBigEndian: isBigEndian) &+ sum.1
      sum.1 &+= word(offset + 4, isBigEndian: isBigEndian) &+ sum.0
    }
  }
}
