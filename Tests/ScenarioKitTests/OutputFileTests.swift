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

  /// Giving the new file its name would replace the device for everyone.
  @Test func aDeviceIsReported() throws {
    let path = path("device")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
    let problem = #expect(throws: OutputFile.Problem.self) { try OutputFile(path: path).write("") }
    #expect(problem?.description == "can't write \(path): it isn't a plain file")
  }

  @Test func theURLIsThatOfTheWholePath() {
    #expect(OutputFile(path: "/a b/run.html").url == "file:///a%20b/run.html")
    let folder = FileManager.default.currentDirectoryPath
    #expect(OutputFile(path: "run.html").url == "file://\(folder)/run.html")
  }
}
