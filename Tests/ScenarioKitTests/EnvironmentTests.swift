import Foundation
import TestSupport
import Testing

/// What a program says, and how it ends, where the system limits what it writes.
@Suite struct EnvironmentTests {
  private let program = builtProduct("new-scenario").path

  /// Lets a shell become the program.
  private func run(_ preparation: String, _ arguments: String = "") async throws -> ExecutableResult
  {
    try await TestSupport.run(
      URL(fileURLWithPath: "/bin/bash"),
      arguments: ["-c", "\(preparation) exec '\(program)' \(arguments)"])
  }

  @Test func aLimitOnTheSizeOfFilesIsReported() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("file").path
    expectSameResult(
      try await run("ulimit -f 0; ", ">'\(path)'"),
      as: ExecutableResult(
        status: 1, stdout: "", stderr: "new-scenario: can't write the output: File too large\n"))
    expectSameResult(
      try await run("ulimit -f 0; ", "--player '\(path).html'"),
      as: ExecutableResult(
        status: 1, stdout: "", stderr: "new-scenario: can't write \(path).html: File too large\n"))
    #expect(folder.files == ["file": ""])
  }
}
