import Foundation
import TestSupport
import Testing

/// What a program says, and how it ends, where the system withholds something from it.
@Suite struct EnvironmentTests {
  private let program = builtProduct("new-scenario").path

  /// Lets a shell become the program.
  private func run(_ preparation: String, _ arguments: String = "") async throws -> ExecutableResult
  {
    try await TestSupport.run(
      URL(fileURLWithPath: "/bin/bash"),
      arguments: ["-c", "\(preparation) exec '\(program)' \(arguments)"])
  }

  /// Some supervisors ignore the signal, and a program inherits that. It can't wait for its
  /// children then.
  @Test func aFailureIsReportedAlthoughTheParentIgnoresTheEndOfChildren() async throws {
    expectSameResult(
      try await run("trap '' CHLD;", "--server http://127.0.0.1:1"),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: can't reach http://127.0.0.1:1 (connection refused). "
          + "Is the server running? Start it with: make server\n"))
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

  @Test(arguments: [4, 5, 6, 8, 12]) func tooFewFilesAreReported(_ count: Int) async throws {
    expectSameResult(
      try await run("ulimit -n \(count);"),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: can't run, because the system allows it too few open files. "
          + "Allow more: ulimit -n 256\n"))
  }

  @Test func aProgramThatMayOpenAFewFilesRuns() async throws {
    let result = try await run("ulimit -n 32;")
    #expect(result.status == 0)
    #expect(result.stderr == "")
  }

  /// Foundation finds the program in `/proc`, and traps if it's missing.
  @Test(.enabled("this system hides no folders") { try await canHideFolders() })
  func aMissingProcIsReported() async throws {
    let script = "mount -t tmpfs none /proc && exec '\(program)' --marbles"
    expectSameResult(
      try await TestSupport.run(
        URL(fileURLWithPath: "/usr/bin/env"),
        arguments: ["unshare", "-rm", "/bin/sh", "-c", script]
      ),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: can't run without /proc, because Foundation needs it. "
          + "Mount it: mount -t proc proc /proc\n"))
  }

  private static func canHideFolders() async throws -> Bool {
    try await TestSupport.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["unshare", "-rm", "/bin/sh", "-c", "mount -t tmpfs none /proc"]
    ).status == 0
  }
}
