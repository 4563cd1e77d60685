import Foundation
import TestSupport
import Testing

/// Compares the whole texts of failures.
struct SnapshotFailureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let reference = "Tests/My Target/Snapshots/some-id/trace.txt"

  @Test func showsAChangedText() throws {
    try folder.write("one\ntwo \nthree\nfour\nfive\nsix\n", to: Self.reference)
    try expectFailure(
      of: "one\ntwo\nthree\nfour\nfive\nsix\n", mode: "check",
      """
      Snapshot some-id, trace: changed.
        reference: Tests/My Target/Snapshots/some-id/trace.txt
        actual:    .build/snapshots/some-id/trace.txt
      First difference, line 2:
        expected: "two \\n"
        actual:   "two\\n"
      --- Tests/My Target/Snapshots/some-id/trace.txt
      +++ .build/snapshots/some-id/trace.txt
      @@ -1,5 +1,5 @@
       one
      -two\u{20}
      +two
       three
       four
       five
      To accept it: cp .build/snapshots/some-id/trace.txt \
      'Tests/My Target/Snapshots/some-id/trace.txt'
      """)
  }

  @Test func showsANewText() throws {
    try expectFailure(
      of: "one\ntwo\n", mode: "check",
      """
      Snapshot some-id, trace: no reference.
        reference: Tests/My Target/Snapshots/some-id/trace.txt (missing)
        actual:    .build/snapshots/some-id/trace.txt
      --- /dev/null
      +++ .build/snapshots/some-id/trace.txt
      @@ -0,0 +1,2 @@
      +one
      +two
      To accept it: mkdir -p 'Tests/My Target/Snapshots/some-id' \
      && cp .build/snapshots/some-id/trace.txt 'Tests/My Target/Snapshots/some-id/trace.txt'
      """)
  }

  @Test func showsATextThatEndsEarly() throws {
    try folder.write("one\ntwo\n", to: Self.reference)
    let failure = try failure(of: "one\n", mode: nil)
    #expect(failure?.contains("  expected: \"two\\n\"\n  actual:   the end\n") == true)
  }

  @Test func showsSixtyLinesAtMost() throws {
    try folder.write("old\n", to: Self.reference)
    let failure = try failure(of: String(repeating: "new\n", count: 100), mode: nil)
    let lines = try #require(failure).split(separator: "\n")
    // The 60 lines are @@, -old and 58 of the new lines.
    #expect(lines.count { $0 == "+new" } == 58)
    #expect(lines[lines.count - 2] == "… 42 more lines, see .build/snapshots/some-id/trace.txt")
  }

  @Test func namesTheFilesForHugeTexts() throws {
    let huge = String(repeating: "a\n", count: UnifiedDiff.lineLimit + 1)
    try folder.write(huge, to: Self.reference)
    try expectFailure(
      of: "b\n" + huge, mode: nil,
      """
      Snapshot some-id, trace: changed.
        reference: Tests/My Target/Snapshots/some-id/trace.txt
        actual:    .build/snapshots/some-id/trace.txt
      First difference, line 1:
        expected: "a\\n"
        actual:   "b\\n"
      More than 20000 lines: see the files for the other differences.
      To accept it: cp .build/snapshots/some-id/trace.txt \
      'Tests/My Target/Snapshots/some-id/trace.txt'
      """)
  }

  @Test func namesTheRecordedReference() throws {
    try expectFailure(
      of: "new\n", mode: "missing",
      """
      Snapshot some-id, trace: recorded, because SNAPSHOT_RECORD is missing.
        reference: Tests/My Target/Snapshots/some-id/trace.txt
      Review it with git diff, then run again without SNAPSHOT_RECORD.
      """)
  }

  /// Compares two texts line by line, so a failure shows the lines that differ.
  private func expectFailure(
    of text: String, mode: String?, _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let failure = try failure(of: text, mode: mode)
    #expect(
      failure?.split(separator: "\n") == expected.split(separator: "\n"),
      sourceLocation: sourceLocation)
  }

  private func failure(of text: String, mode: String?) throws -> String? {
    var environment: [String: String] = [:]
    environment["SNAPSHOT_RECORD"] = mode
    return try SnapshotStore(environment: environment, root: folder.url, target: "My Target")
      .failure(of: text, id: "some-id", kind: .trace)
  }
}
