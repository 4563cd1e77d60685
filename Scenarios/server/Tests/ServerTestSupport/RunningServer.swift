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
  package init(_ arguments: String..., in folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder()
    let database = folder.path("test.sqlite")
    program = try Program(serverProgram, ["--port", "0", "--database", database] + arguments)
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
