import Foundation
import GRDB
import ServerTestSupport
import Testing

@testable import ScenarioServer

/// A server that can't start leaves all files as they are, and says why in one line.
@Suite struct DatabaseFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("todos.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// The files of the database, by name.
  private func files() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: folder.url.appendingPathComponent($0)))
      })
  }

  /// Makes a database of some hundred pages.
  private func makeDatabase() throws {
    let store = try SQLiteTodoStore(path: path) { 0 }
    let user = try #require(try store.addUser(name: "Ada", email: "ada@b", passwordHash: ""))
    let title = String(repeating: "t", count: 200)
    // In one transaction, which is quicker.
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      for _ in 1...2_000 {
        try db.execute(
          sql: "INSERT INTO todo (userID, title) VALUES (?, ?)", arguments: [user.id, title])
      }
    }
    try queue.close()
    store.close()
  }

  /// Makes a database and a log, like a server that was killed.
  ///
  /// - Parameter hasIndex: Whether the index of the log is there too, as after a kill. A backup may
  ///   lack it.
  private func makeDatabaseWithLog(hasIndex: Bool = false) throws {
    try makeDatabase()
    let other = folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    let original = other + "/todos.sqlite"
    try FileManager.default.copyItem(atPath: path, toPath: original)
    let store = try SQLiteTodoStore(path: original) { 0 }
    let user = try #require(try store.addUser(name: "Bob", email: "bob@b", passwordHash: ""))
    for number in 1...10 { _ = try store.addTodo(title: "\(number)", userID: user.id) }
    try FileManager.default.removeItem(atPath: path)
    for name in ["", "-wal"] + (hasIndex ? ["-shm"] : []) {
      try FileManager.default.copyItem(atPath: original + name, toPath: path + name)
    }
    store.close()
    try FileManager.default.removeItem(atPath: other)
  }

  private func overwrite(_ range: Range<Int>, of path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(range.lowerBound))
    try file.write(contentsOf: Data(repeating: 0xA5, count: range.count))
    try file.close()
  }

  private func start(_ options: String..., fileSize blocks: Int? = nil) throws -> Program.Result {
    let limit = blocks.map { "ulimit -f \($0); " } ?? ""
    return try Program(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", limit + #"exec "$0" "$@""#, serverProgram.path, "--database", path] + options
    ).result()
  }

  private func refusal(_ reason: String) -> Program.Result {
    Program.Result(
      status: 1, stdout: "",
      stderr: "scenario-server: can't use \(path) as a database: \(reason)\n")
  }

  /// Expects that a start refuses the log, and changes nothing.
  private func expectRefusalOfTheLog(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = try files()
    #expect(
      try start("--port", "\(portInUse())")
        == refusal(
          "its log \(path)-wal is damaged. Restore both from a copy, or use another file"),
      sourceLocation: sourceLocation)
    #expect(try files() == before, sourceLocation: sourceLocation)
  }

  // MARK: Damage

  /// Page 2 belongs to the tables, page 100 to the todos, and the first bytes are the head.
  @Test(arguments: [4096..<8192, 405_504..<409_600, 100..<200, 409_500..<409_700])
  func aDamagedDatabaseIsRefused(_ damage: Range<Int>) throws {
    try makeDatabase()
    try overwrite(damage, of: path)
    let before = try files()
    let result = try start("--port", "0")
    #expect(result.status == 1)
    #expect(result.stdout == "")
    #expect(result.stderr.hasPrefix("scenario-server: can't use \(path) as a database: "))
    #expect(result.stderr.split(separator: "\n").count == 1)
    #expect(try files() == before)
  }

  @Test func aDatabaseThatIsCutOffIsRefused() throws {
    try makeDatabase()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 50 * 4096)
    try file.close()
    let before = try files()
    #expect(try start("--port", "0").status == 1)
    #expect(try files() == before)
  }

  /// The log has changes that aren't in the database yet. They stay where they are.
  @Test func aDamagedDatabaseWithALogIsNotChanged() throws {
    try makeDatabaseWithLog()
    try overwrite(405_504..<409_600, of: path)
    let before = try files()
    #expect(Set(before.keys) == ["todos.sqlite", "todos.sqlite-wal"])
    #expect(
      try start("--port", "0")
        == refusal("it's damaged. Restore it from a copy, or use another file"))
    #expect(try files() == before)
  }

  /// SQLite would ignore all changes from the damage on, which a client believes to be saved.
  @Test(arguments: [0..<32, 32 + 24..<200, 10_000..<10_100])
  func aDamagedLogIsRefused(_ damage: Range<Int>) throws {
    try makeDatabaseWithLog()
    try overwrite(damage, of: path + "-wal")
    try expectRefusalOfTheLog()
  }

  /// SQLite ignores a log with such a page size.
  @Test(arguments: [0, 1, 100, 256, 4095, 6000, 131_072, .max])
  func aLogWithAnImpossiblePageSizeIsRefused(_ size: UInt32) throws {
    try makeDatabaseWithLog()
    let log = URL(fileURLWithPath: path + "-wal")
    var bytes = try [UInt8](Data(contentsOf: log))
    func set(_ word: UInt32, at offset: Int) {
      for (index, byte) in withUnsafeBytes(of: word.bigEndian, Array.init).enumerated() {
        bytes[offset + index] = byte
      }
    }
    set(size, at: 8)
    // The checksum of the header is right. Its words are in the order of this machine.
    #expect(bytes[3] == 0x82)
    var sum: (UInt32, UInt32) = (0, 0)
    for offset in stride(from: 0, to: 24, by: 8) {
      let words = bytes[offset..<offset + 8].withUnsafeBytes {
        ($0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
      }
      sum.0 &+= UInt32(littleEndian: words.0) &+ sum.1
      sum.1 &+= UInt32(littleEndian: words.1) &+ sum.0
    }
    set(sum.0, at: 24)
    set(sum.1, at: 28)
    try Data(bytes).write(to: log)
    try expectRefusalOfTheLog()
  }

  /// SQLite would start with an empty database, and delete the log and the changes in it.
  @Test(arguments: ["-wal", "-journal"], [true, false])
  func aLogWithoutItsDatabaseIsRefused(_ suffix: String, _ isEmpty: Bool) throws {
    try makeDatabaseWithLog()
    if suffix == "-journal" {
      try FileManager.default.removeItem(atPath: path + "-wal")
      try makeJournal()
    }
    try FileManager.default.removeItem(atPath: path)
    if isEmpty { try Data().write(to: URL(fileURLWithPath: path)) }
    let before = try files()
    #expect(Set(before.keys) == Set(["todos.sqlite\(suffix)"] + (isEmpty ? ["todos.sqlite"] : [])))
    #expect(
      try start("--port", "\(portInUse())")
        == refusal(
          "its log \(path)\(suffix) is there, but the database is missing or empty. "
            + "Put the database back, or move the log away"))
    #expect(try files() == before)
  }

  /// A server that's killed in its first start leaves an empty file, and a log without changes.
  @Test func theLogOfAnEmptyDatabaseIsNoObstacle() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    try makeJournal()
    let store = try SQLiteTodoStore(path: path) { 0 }
    store.close()
    try Data().write(to: URL(fileURLWithPath: path + "-wal"))
    try FileManager.default.removeItem(atPath: path)
    let another = try SQLiteTodoStore(path: path) { 0 }
    another.close()
  }

  /// Makes the log of a transaction that was interrupted.
  private func makeJournal() throws {
    let other = folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    let original = other + "/todos.sqlite"
    try FileManager.default.copyItem(atPath: path, toPath: original)
    let queue = try DatabaseQueue(path: original)
    try queue.writeWithoutTransaction { db in
      // Few pages fit into its memory, so SQLite writes some before the end of the transaction.
      try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 5")
      try db.execute(sql: "BEGIN; CREATE TABLE other (text TEXT)")
      for _ in 1...100 { try db.execute(sql: "INSERT INTO other VALUES (zeroblob(4000))") }
      try FileManager.default.copyItem(
        atPath: original + "-journal", toPath: path + "-journal")
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    try FileManager.default.removeItem(atPath: other)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-journal")).count > 512)
  }

  @Test(arguments: [true, false]) func aLogThatCannotBeReadIsRefused(_ hasDatabase: Bool) throws {
    if hasDatabase { try makeDatabase() }
    let log = path + "-wal"
    try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
    let before = try names()
    #expect(
      try start("--port", "\(portInUse())")
        == refusal("can't read its log \(log)"))
    #expect(try names() == before)
  }

  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
  }

  /// A start with this port ends, even if nothing's wrong with the database.
  private func portInUse() throws -> Substring {
    try #require(Self.otherServer.get().base.split(separator: ":").last)
  }

  private static let otherServer = Result { try RunningServer() }

  /// A server that's killed while it writes leaves the last change unfinished. That isn't damage.
  @Test(arguments: [1, 100, 4096, 5000]) func anUnfinishedChangeIsDropped(_ missing: Int) throws {
    try makeDatabaseWithLog()
    let log = try FileHandle(forUpdating: URL(fileURLWithPath: path + "-wal"))
    try log.truncate(atOffset: try log.seekToEnd() - UInt64(missing))
    try log.close()
    let store = try SQLiteTodoStore(path: path) { 0 }
    #expect(try store.todos(userID: 1).count == 2_000)
    #expect(try store.todos(userID: 2).count == 9)
    store.close()
  }

  /// What can happen to a log. Each loses changes that a client believes to be saved.
  enum Loss: CaseIterable {
    case oneByte, lastChange, half, all, zeros, file
  }

  /// The index of the log knows how many changes there were.
  @Test(arguments: Loss.allCases) func aLogThatLacksChangesIsRefused(_ loss: Loss) throws {
    try makeDatabaseWithLog(hasIndex: true)
    try lose(loss)
    try expectRefusalOfTheLog()
  }

  private func lose(_ loss: Loss) throws {
    let url = URL(fileURLWithPath: path + "-wal")
    let bytes = try Data(contentsOf: url)
    let frame = 24 + 4096
    switch loss {
    case .oneByte: try bytes.dropLast().write(to: url)
    case .lastChange: try bytes.dropLast(frame).write(to: url)
    case .half: try bytes.prefix(32 + bytes.count / frame / 2 * frame).write(to: url)
    case .all: try Data().write(to: url)
    case .zeros: try Data(count: bytes.count).write(to: url)
    case .file: try FileManager.default.removeItem(at: url)
    }
  }

  /// A log of zeros can't be what a server left. Other losses can't be seen without the index.
  @Test func aLogOfZerosIsRefusedAlsoWithoutItsIndex() throws {
    try makeDatabaseWithLog()
    try lose(.zeros)
    try expectRefusalOfTheLog()
  }

  /// A server that's killed leaves an index, and the next one starts.
  @Test func anIndexThatFitsItsLogIsNoObstacle() throws {
    try makeDatabaseWithLog(hasIndex: true)
    let store = try SQLiteTodoStore(path: path) { 0 }
    #expect(try store.todos(userID: 2).count == 10)
    store.close()
  }

  /// All changes are in the database, so the log may be gone: a server that ends deletes it before
  /// the index.
  @Test func anIndexWhoseChangesAreAllInTheDatabaseIsNoObstacle() throws {
    try makeDatabase()
    let other = folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: path, toPath: other + "/todos.sqlite")
    let store = try SQLiteTodoStore(path: other + "/todos.sqlite") { 0 }
    _ = try store.addTodo(title: "last", userID: 1)
    let queue = try DatabaseQueue(path: other + "/todos.sqlite")
    _ = try queue.writeWithoutTransaction { try $0.checkpoint(.full) }
    try queue.close()
    for name in ["", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + name)
      try FileManager.default.copyItem(atPath: other + "/todos.sqlite" + name, toPath: path + name)
    }
    store.close()
    let next = try SQLiteTodoStore(path: path) { 0 }
    #expect(try next.todos(userID: 1).count == 2_001)
    next.close()
  }

  // MARK: Starts that fail

  @Test(arguments: [0, 1, 8, 32]) func aFullDiskLeavesNoNewFile(_ blocks: Int) throws {
    let result = try start("--port", "0", fileSize: blocks)
    #expect(result.status == 1)
    #expect(result.stderr.hasPrefix("scenario-server: can't use \(path) as a database: "))
    #expect(result.stderr.split(separator: "\n").count == 1)
    #expect(try files() == [:])
  }

  @Test(arguments: [0, 8, 32]) func aFullDiskLeavesOtherFilesAsTheyAre(_ blocks: Int) throws {
    try makeDatabaseWithLog()
    let before = try files()
    #expect(try start("--port", "0", fileSize: blocks).status == 1)
    #expect(try files() == before)
  }

  @Test func aFullDiskLeavesAnEmptyFileEmpty() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(try start("--port", "0", fileSize: 8).status == 1)
    #expect(try files() == ["todos.sqlite": Data()])
  }

  @Test func aPortInUseLeavesTheFilesAsTheyAre() throws {
    let server = try RunningServer()
    let port = try #require(server.base.split(separator: ":").last)
    #expect(try start("--port", "\(port)").status == 1)
    #expect(try files() == [:])
    try makeDatabaseWithLog()
    let before = try files()
    #expect(try start("--port", "\(port)").status == 1)
    #expect(try files() == before)
    // Nothing is lost: the next start uses the log.
    let store = try SQLiteTodoStore(path: path) { 0 }
    #expect(try store.todos(userID: 2).count == 10)
    store.close()
  }

  /// Another server works with the database, so its files must stay.
  @Test func aFailedStartLeavesTheFilesOfARunningServer() throws {
    let running = try RunningServer(in: folder)
    let port = try #require(running.base.split(separator: ":").last)
    let paths = ["", "-wal", "-shm"].map { running.database + $0 }
    #expect(paths.filter(FileManager.default.fileExists) == paths)
    DatabaseFiles(path: running.database, remembering: paths).undo()
    #expect(paths.filter(FileManager.default.fileExists) == paths)
    let result = try Program(
      serverProgram, ["--port", "\(port)", "--database", running.database]
    ).result()
    #expect(result.status == 1)
    #expect(paths.filter(FileManager.default.fileExists) == paths)
  }
}
