import Foundation

/// A server that the tests have started, on a free port.
final class RunningServer: Sendable {
  let program: Program
  /// The base URL, without a slash at the end.
  let base: String
  let database: String

  private let folder: TemporaryFolder

  /// Starts a server and waits until it is ready.
  ///
  /// - Parameter folder: The folder for the database. If you start another server with the same
  ///   folder later, it uses the same database.
  init(_ arguments: String..., in folder: TemporaryFolder? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    database = self.folder.path("test.sqlite")
    program = try Program(serverProgram, ["--port", "0", "--database", database] + arguments)
    guard let words = program.firstLine()?.split(separator: " "), words.count > 2 else {
      throw Program.Failure(description: "the server hasn't started: \(try program.result())")
    }
    base = String(words[2])
  }

  /// Kills the server, and waits until it's gone.
  func kill() throws -> Program.Result {
    program.signal(SIGKILL)
    return try program.result()
  }
}
