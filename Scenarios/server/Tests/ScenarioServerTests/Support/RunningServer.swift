import Foundation

/// A server that the tests have started, at a port that was free.
final class RunningServer: Sendable {
  let program: Program
  /// Where everything on it begins, without a slash at the end.
  let base: String
  let database: String

  private let folder: TemporaryFolder

  /// Starts a server and waits until it is ready.
  ///
  /// - Parameter folder: Holds the database; a server that is started later with the same folder
  ///   finds what this one has left.
  init(_ arguments: String..., in folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder()
    let database = folder.path("test.sqlite")
    program = try Program(serverProgram, ["--port", "0", "--database", database] + arguments)
    guard let line = program.nextLine() else {
      program.kill()
      throw Program.Failure(description: "the server has not started: \(try program.result())")
    }
    let words = line.split(separator: " ")
    guard words.count > 2, words.starts(with: ["listening", "on"]) else {
      throw Program.Failure(description: "the server says something else: \(line)")
    }
    self.folder = folder
    self.database = database
    base = String(words[2])
  }
}
