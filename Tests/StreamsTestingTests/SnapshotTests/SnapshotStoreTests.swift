import Foundation
import StreamsTesting
import TestSupport
import Testing

/// Checks each mode with each state of the reference, in a temporary folder.
struct SnapshotStoreTests {
  private let folder: PackageFolder

  init() throws { folder = try PackageFolder() }

  private static let reference = PackageFolder.reference
  private static let actual = PackageFolder.actual

  struct Row: Sendable, CustomTestStringConvertible {
    let mode: String?
    let reference: String?
    /// The end of the failure's first line; `nil` if the comparison passes.
    let failure: String?
    let filesAfter: [String: String]

    init(
      _ mode: String?, _ reference: String?, _ failure: String?, _ filesAfter: [String: String]
    ) {
      self.mode = mode
      self.reference = reference
      self.failure = failure
      self.filesAfter = filesAfter
    }

    var testDescription: String { "\(mode ?? "unset"), \(reference ?? "missing")" }
  }

  @Test(arguments: [
    Row(nil, nil, "no reference.", [actual: "new\n"]),
    Row(nil, "old\n", "changed.", [reference: "old\n", actual: "new\n"]),
    Row(nil, "new\n", nil, [reference: "new\n"]),
    Row("", "new\n", nil, [reference: "new\n"]),
    Row("check", nil, "no reference.", [actual: "new\n"]),
    Row("check", "old\n", "changed.", [reference: "old\n", actual: "new\n"]),
    Row("check", "new\n", nil, [reference: "new\n"]),
    Row("missing", nil, "is missing.", [reference: "new\n"]),
    Row("missing", "old\n", "changed.", [reference: "old\n", actual: "new\n"]),
    Row("missing", "new\n", nil, [reference: "new\n"]),
    Row("failed", nil, "is failed.", [reference: "new\n"]),
    Row("failed", "old\n", "is failed.", [reference: "new\n"]),
    Row("failed", "new\n", nil, [reference: "new\n"]),
    Row("all", nil, "is all.", [reference: "new\n"]),
    Row("all", "old\n", "is all.", [reference: "new\n"]),
    Row("all", "new\n", "is all.", [reference: "new\n"]),
  ])
  func writesTheFilesThatTheModeAllows(row: Row) throws {
    if let text = row.reference { try folder.write(text, to: Self.reference) }
    let failure = try folder.failure(of: "new\n", mode: row.mode)
    let firstLine = failure?.split(separator: "\n").first
    #expect(firstLine?.hasSuffix(row.failure ?? "") == (row.failure == nil ? nil : true))
    #expect(folder.files == row.filesAfter)
  }

  @Test func passesAfterRecording() throws {
    #expect(try folder.failure(of: "new\n", mode: "missing") != nil)
    #expect(try folder.failure(of: "new\n", mode: "missing") == nil)
    #expect(try folder.failure(of: "new\n", mode: nil) == nil)
  }

  @Test func removesTheActualTextOnceItIsEqual() throws {
    try folder.write("old\n", to: Self.reference)
    #expect(try folder.failure(of: "new\n", mode: nil) != nil)
    #expect(folder.files.keys.contains(Self.actual))
    #expect(try folder.failure(of: "old\n", mode: nil) == nil)
    #expect(!folder.files.keys.contains(Self.actual))
  }

  @Test(arguments: ["missing", "failed", "all"])
  func reportsAReferenceThatCannotBeWritten(mode: String) throws {
    // A file in the folder's place makes writing fail, whatever the permissions are.
    try folder.write("in the way", to: "Tests/My Target/Snapshots")
    let failure = try #require(try folder.failure(of: "new\n", mode: mode))
    #expect(
      failure.hasPrefix(
        """
        Snapshot some-tests/some-name: not recorded.
          reference: Tests/My Target/Snapshots/some-tests/some-name.txt can't be written: 
        """))
    #expect(folder.files == ["Tests/My Target/Snapshots": "in the way"])
  }

  @Test func comparesEvenIfTheActualTextCannotBeWritten() throws {
    try folder.write("old\n", to: Self.reference)
    try folder.write("in the way", to: ".build")
    let failure = try #require(try folder.failure(of: "new\n", mode: nil))
    #expect(failure.contains("  actual:    \(Self.actual) can't be written: "))
    #expect(failure.contains("\n-old\n+new\nTo accept it: SNAPSHOT_RECORD=failed swift test"))
    #expect(try folder.failure(of: "old\n", mode: nil) == nil)
  }

  @Test func findsMovedSources() throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.write("old\n", to: Self.reference)
    let environment = ["SNAPSHOT_DIRECTORY": elsewhere.url.path]
    #expect(try folder.failure(of: "new\n", environment: environment) != nil)
    #expect(elsewhere.files == [Self.reference: "old\n", Self.actual: "new\n"])
    #expect(folder.files == [:])
  }

  @Test func refusesAFolderWithoutTheSources() throws {
    let elsewhere = try TemporaryFolder()
    let environment = ["SNAPSHOT_DIRECTORY": elsewhere.url.path]
    let file = folder.folder.url.path + "/Tests/My Target/SomeTests.swift"
    #expect(
      throws: SnapshotSetupError(
        "SNAPSHOT_DIRECTORY is \"\(elsewhere.url.path)\", which has no folder for \(file). Set it "
          + "to the folder of the package.")
    ) { try folder.failure(of: "new\n", environment: environment) }
    #expect(elsewhere.files == [:])
  }

  @Test func reportsThatTheSourcesAreNotHere() {
    #expect(
      throws: SnapshotSetupError(
        "The snapshots of /no/such/A.swift can't be found, because its folder doesn't exist here. "
          + "If you moved the sources, set SNAPSHOT_DIRECTORY to the folder of the package.")
    ) { try SnapshotStore(environment: [:], testFile: "/no/such/A.swift") }
  }

  @Test func usesTheFolderForTemporaryFilesOutsideOfAPackage() throws {
    let outside = try TemporaryFolder()
    let reference = outside.url.path + "/Snapshots/some-tests/some-name.txt"
    let actual = FileManager.default.temporaryDirectory.path + "/snapshots" + reference
    let store = try SnapshotStore(environment: [:], testFile: outside.url.path + "/A.swift")
    let name = try SnapshotName(folder: "SomeTests", parts: ["someName"])
    #expect(
      store.failure(of: "new\n", name)?.split(separator: "\n").prefix(3) == [
        "Snapshot some-tests/some-name: no reference.", "  reference: \(reference) (missing)",
        "  actual:    \(actual)",
      ])
    #expect(try String(contentsOfFile: actual, encoding: .utf8) == "new\n")
    try outside.write("new\n", to: "Snapshots/some-tests/some-name.txt")
    #expect(store.failure(of: "new\n", name) == nil)
    #expect(!FileManager.default.fileExists(atPath: actual))
  }

  @Test(arguments: ["", "new", "new\n\n", "new\r\n", "e\u{301}", "\0"])
  func storesTextsByteForByte(text: String) throws {
    #expect(try folder.failure(of: text, mode: "missing") != nil)
    #expect(folder.files.mapValues { Array($0.utf8) } == [Self.reference: Array(text.utf8)])
    #expect(try folder.failure(of: text, mode: nil) == nil)
    #expect(try folder.failure(of: text + "\n", mode: nil) != nil)
  }

  @Test func tellsTwoEncodingsOfALetterApart() throws {
    try folder.write("\u{e9}", to: Self.reference)
    #expect(try folder.failure(of: "e\u{301}", mode: nil) != nil)
  }
}
