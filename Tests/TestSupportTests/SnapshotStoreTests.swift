import Foundation
import TestSupport
import Testing

/// Checks each mode with each state of the reference, in a temporary folder.
struct SnapshotStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let reference = "Tests/Target/Snapshots/some-id/trace.txt"
  private static let actual = ".build/snapshots/some-id/trace.txt"

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
    let failure = try failure(of: "new\n", mode: row.mode)
    let firstLine = failure?.split(separator: "\n").first
    #expect(firstLine?.hasSuffix(row.failure ?? "") == (row.failure == nil ? nil : true))
    #expect(folder.files == row.filesAfter)
  }

  @Test func passesAfterRecording() throws {
    #expect(try failure(of: "new\n", mode: "missing") != nil)
    #expect(try failure(of: "new\n", mode: "missing") == nil)
    #expect(try failure(of: "new\n", mode: nil) == nil)
  }

  @Test func removesTheActualTextOnceItIsEqual() throws {
    try folder.write("old\n", to: Self.reference)
    #expect(try failure(of: "new\n", mode: nil) != nil)
    #expect(folder.files.keys.contains(Self.actual))
    #expect(try failure(of: "old\n", mode: nil) == nil)
    #expect(!folder.files.keys.contains(Self.actual))
  }

  @Test(arguments: ["missing", "failed", "all"])
  func reportsAReferenceThatCannotBeWritten(mode: String) throws {
    // A file in the folder's place makes writing fail, whatever the permissions are.
    try folder.write("in the way", to: "Tests/Target/Snapshots")
    let failure = try #require(try failure(of: "new\n", mode: mode))
    #expect(
      failure.hasPrefix(
        """
        Snapshot some-id, trace: not recorded.
          reference: Tests/Target/Snapshots/some-id/trace.txt can't be written: 
        """))
    #expect(folder.files == ["Tests/Target/Snapshots": "in the way"])
  }

  @Test func comparesEvenIfTheActualTextCannotBeWritten() throws {
    try folder.write("old\n", to: Self.reference)
    try folder.write("in the way", to: ".build")
    let failure = try #require(try failure(of: "new\n", mode: nil))
    #expect(failure.contains("  actual:    \(Self.actual) can't be written: "))
    #expect(failure.contains("\n-old\n+new\nTo accept it: SNAPSHOT_RECORD=failed swift test"))
    #expect(try self.failure(of: "old\n", mode: nil) == nil)
  }

  @Test func usesAnotherFolderForTheSources() throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.write("old\n", to: Self.reference)
    let store = try SnapshotStore(
      environment: ["SNAPSHOT_DIRECTORY": elsewhere.url.path], root: folder.url, target: "Target")
    #expect(store.failure(of: "new\n", id: "some-id", kind: .trace) != nil)
    #expect(elsewhere.files == [Self.reference: "old\n", Self.actual: "new\n"])
    #expect(folder.files == [:])
  }

  @Test(arguments: [
    ("new", "the text must end in exactly one newline."),
    ("", "the text must end in exactly one newline."),
    ("new\n\n", "the text must end in exactly one newline."),
    (
      "new\r\n",
      "the text contains a carriage return, but its lines must end in a newline alone."
    ),
  ])
  func refusesInvalidTexts(text: String, problem: String) throws {
    #expect(try failure(of: text, mode: "all") == "Snapshot some-id, trace: \(problem)")
    #expect(folder.files == [:])
  }

  @Test(arguments: ["", "Some", "a_b", "a/b", "..", "é"])
  func refusesIDsThatAreNotPortable(id: String) throws {
    let store = try SnapshotStore(
      environment: ["SNAPSHOT_RECORD": "all"], root: folder.url, target: "Target")
    #expect(
      store.failure(of: "new\n", id: id, kind: .trace)
        == "Snapshot \(id), trace: the id may contain only a-z, 0-9 and -.")
    #expect(folder.files == [:])
  }

  private func failure(of text: String, mode: String?) throws -> String? {
    var environment: [String: String] = [:]
    environment["SNAPSHOT_RECORD"] = mode
    return try SnapshotStore(environment: environment, root: folder.url, target: "Target")
      .failure(of: text, id: "some-id", kind: .trace)
  }
}
