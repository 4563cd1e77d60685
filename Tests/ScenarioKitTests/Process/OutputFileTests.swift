import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

@Suite struct OutputFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  @Test func writesANewFileAndReplacesAnOldOne() throws {
    try OutputFile(path: path("a.html")).write("one")
    #expect(folder.files == ["a.html": "one"])
    try OutputFile(path: path("a.html")).write("two")
    #expect(folder.files == ["a.html": "two"])
  }

  @Test func keepsThePermissionsOfAnOldFile() throws {
    try folder.write("old", to: "a.html")
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path("a.html"))
    try OutputFile(path: path("a.html")).write("new")
    #expect(folder.files == ["a.html": "new"])
    let attributes = try manager.attributesOfItem(atPath: path("a.html"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func writesToTheFileBehindALink() throws {
    try folder.write("old", to: "real.html")
    try FileManager.default.createSymbolicLink(
      atPath: path("link.html"), withDestinationPath: "real.html")
    try OutputFile(path: path("link.html")).write("new")
    #expect(folder.files == ["real.html": "new", "link.html": "new"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link.html")) != "")
  }

  @Test func aMissingFolderIsReported() throws {
    let path = path("missing/a.html")
    let problem = #expect(throws: OutputFile.Problem.self) { try OutputFile(path: path).write("") }
    #expect(problem?.description == "can't write \(path): No such file or directory")
    #expect(folder.files == [:])
  }

  @Test func aFolderIsReported() throws {
    let path = folder.url.path
    let problem = #expect(throws: OutputFile.Problem.self) { try OutputFile(path: path).write("") }
    #expect(problem?.description == "can't write \(path): Is a directory")
    #expect(folder.files == [:])
  }

  @Test func aFullDiskIsReported() throws {
    let problem = #expect(throws: OutputFile.Problem.self) {
      try OutputFile(path: "/dev/full").write("text")
    }
    #expect(problem?.description == "can't write /dev/full: No space left on device")
  }

  // MARK: Before the run

  @Test func aCheckChangesNothing() throws {
    try OutputFile(path: path("a.html")).check()
    #expect(folder.files == [:])
    try folder.write("old", to: "a.html")
    try OutputFile(path: path("a.html")).check()
    #expect(folder.files == ["a.html": "old"])
  }

  @Test func aCheckKeepsALinkToAMissingFile() throws {
    try FileManager.default.createSymbolicLink(
      atPath: path("link.html"), withDestinationPath: "missing.html")
    try OutputFile(path: path("link.html")).check()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["link.html"])
  }

  /// The reader of a pipe may come later.
  @Test func aCheckDoesNotWaitForAReader() throws {
    mkfifo(path("pipe"), 0o600)
    try OutputFile(path: path("pipe")).check()
  }

  @Test func aCheckFindsWhatWritingWouldFind() throws {
    try folder.write("old", to: "a.html")
    let long = String(repeating: "a", count: 256)
    for name in ["missing/a.html", "", "a.html/b.html", long, "\(long)/a.html"] {
      let file = OutputFile(path: path(name))
      let (check, writing) = (problem { try file.check() }, problem { try file.write("") })
      #expect(check == writing)
      #expect(check != nil)
    }
    #expect(folder.files == ["a.html": "old"])
  }

  private func problem(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(error)" }
    return nil
  }

  @Test func aNameCanBeAsLongAsTheSystemAllows() throws {
    let name = String(repeating: "a", count: 255)
    try OutputFile(path: path(name)).check()
    try OutputFile(path: path(name)).write("text")
    #expect(folder.files == [name: "text"])
  }

  /// The run would report its mistakes.
  @Test func aPathIsCheckedBeforeTheRun() async throws {
    let path = path("missing/a.html")
    expectSameResult(
      try await runExecutable("broken-scenario", arguments: ["--player", path]),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "broken-scenario: can't write \(path): No such file or directory\n"))
  }

  @Test func aPathIsShownOnOneLine() async throws {
    expectSameResult(
      try await runExecutable("new-scenario", arguments: ["--player", "/missing\u{1B}[2J\n/a"]),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: #"new-scenario: can't write /missing\u{1b}[2J\n/a: No such file or directory"#
          + "\n"
      ))
    let result = try await runExecutable(
      "new-scenario", arguments: ["--player", path("a\u{1B}[2J\n.html")])
    #expect(result.stdout.hasPrefix(#"Wrote \#(path(#"a\u{1b}[2J\n.html"#)). Open it"#))
    #expect(!result.stdout.contains("\u{1B}"))
    #expect(folder.files.keys.sorted() == ["a\u{1B}[2J\n.html"])
  }

  @Test func theURLIsThatOfTheWholePath() {
    #expect(OutputFile(path: "/a b/run.html").url == "file:///a%20b/run.html")
    let folder = FileManager.default.currentDirectoryPath
    #expect(OutputFile(path: "run.html").url == "file://\(folder)/run.html")
  }
}
