import Foundation

/// A server that the tests have started, on a free port.
package final class RunningServer: Sendable {
  package let program: Program
  /// The base URL, without a slash at the end.
  package let base: String
  package let database: String

  private let folder: TemporaryFolder

  /// Starts a server and waits until it is ready.
  ///
  /// - Parameter folder: The folder for the database. If you start another server with the same
  ///   folder later, it uses the same database.
  package convenience init(_ arguments: String..., in folder: TemporaryFolder? = nil) throws {
    try self.init(in: folder ?? TemporaryFolder()) { database in
      try Program(serverProgram, ["--port", "0", "--database", database] + arguments)
    }
  }

  /// Starts a server with other limits and waits until it is ready.
  package convenience init(limits: KeyValuePairs<String, Int>) throws {
    try self.init(in: TemporaryFolder()) { database in
      try Program(limitedServerProgram, [database] + limits.map { "\($0.key)=\($0.value)" })
    }
  }

  /// Starts a program that prints the line of a server, and waits for it.
  package init(
    in folder: TemporaryFolder, _ start: (_ database: String) throws -> Program
  ) throws {
    let database = folder.path("test.sqlite")
    program = try start(database)
    guard let line = program.nextLine() else {
      program.kill()
      throw Program.Failure(description: "the server hasn't started: \(try program.result())")
    }
    let words = line.split(separator: " ")
    guard words.count > 2, words.starts(with: ["listening", "on"]) else {
      throw Program.Failure(
        description: "expected \"listening on URL\", but the server printed \"\(line)\"")
    }
    self.folder = folder
    self.database = database
    base = String(words[2])
  }
}
