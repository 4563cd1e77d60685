import Foundation
import StreamsTesting
import TestSupport
import Testing

/// Compares the whole texts of failures.
struct SnapshotFailureTests {
  private let folder: PackageFolder

  init() throws { folder = try PackageFolder() }

  private static let reference = PackageFolder.reference

  @Test func showsAChangedText() throws {
    try folder.write("one\ntwo \nthree\nfour\nfive\nsix\n", to: Self.reference)
    try expectFailure(
      of: "one\ntwo\nthree\nfour\nfive\nsix\n", mode: "check",
      """
      Snapshot some-tests/some-name: changed.
        reference: Tests/My Target/Snapshots/some-tests/some-name.txt
        actual:    .build/snapshots/Tests/My Target/Snapshots/some-tests/some-name.txt
      First difference, line 2:
        expected: "two \\n"
        actual:   "two\\n"
      --- Tests/My Target/Snapshots/some-tests/some-name.txt
      +++ .build/snapshots/Tests/My Target/Snapshots/some-tests/some-name.txt
      @@ -1,5 +1,5 @@
       one
      -two\u{20}
      +two
       three
       four
       five
      To accept it: cp '.build/snapshots/Tests/My Target/Snapshots/some-tests/some-name.txt' \
      'Tests/My Target/Snapshots/some-tests/some-name.txt'
      To accept all that differ: SNAPSHOT_RECORD=failed swift test
      """)
  }

  @Test func showsANewText() throws {
    try expectFailure(
      of: "one\ntwo\n", mode: "check",
      """
      Snapshot some-tests/some-name: no reference.
        reference: Tests/My Target/Snapshots/some-tests/some-name.txt (missing)
        actual:    .build/snapshots/Tests/My Target/Snapshots/some-tests/some-name.txt
      --- /dev/null
      +++ .build/snapshots/Tests/My Target/Snapshots/some-tests/some-name.txt
      @@ -0,0 +1,2 @@
      +one
      +two
      To accept it: mkdir -p 'Tests/My Target/Snapshots/some-tests' \
      && cp '.build/snapshots/Tests/My Target/Snapshots/some-tests/some-name.txt' 'Tests/My Target/Snapshots/some-tests/some-name.txt'
      To accept all that are missing: SNAPSHOT_RECORD=missing swift test
      """)
  }

  @Test func showsATextThatEndsEarly() throws {
    try folder.write("one\ntwo\n", to: Self.reference)
    let failure = try folder.failure(of: "one\n", mode: nil)
    #expect(failure?.contains("  expected: \"two\\n\"\n  actual:   the end\n") == true)
  }

  @Test func showsSixtyLinesAtMost() throws {
    try folder.write("old\n", to: Self.reference)
    let failure = try folder.failure(of: String(repeating: "new\n", count: 100), mode: nil)
    let lines = try #require(failure).split(separator: "\n")
    // The 60 lines are @@, -old and 58 of the new lines.
    #expect(lines.count { $0 == "+new" } == 58)
    #expect(lines[lines.count - 3] == "… 42 more lines, see \(PackageFolder.actual)")
  }

  @Test func namesTheFilesForHugeTexts() throws {
    let huge = String(repeating: "a\n", count: 20_001)
    try folder.write(huge, to: Self.reference)
    try expectFailure(
      of: "b\n" + huge, mode: nil,
      """
      Snapshot some-tests/some-name: changed.
        reference: Tests/My Target/Snapshots/some-tests/some-name.txt
        actual:    .build/snapshots/Tests/My Target/Snapshots/some-tests/some-name.txt
      First difference, line 1:
        expected: "a\\n"
        actual:   "b\\n"
      More than 20000 lines: see the files for the other differences.
      To accept it: cp '.build/snapshots/Tests/My Target/Snapshots/some-tests/some-name.txt' \
      'Tests/My Target/Snapshots/some-tests/some-name.txt'
      To accept all that differ: SNAPSHOT_RECORD=failed swift test
      """)
  }

  @Test func namesTheRecordedReference() throws {
    try expectFailure(
      of: "new\n", mode: "missing",
      """
      Snapshot some-tests/some-name: recorded, because SNAPSHOT_RECORD is missing.
        reference: Tests/My Target/Snapshots/some-tests/some-name.txt
      Review it with git diff, then run again without SNAPSHOT_RECORD.
      """)
  }

  /// Compares two texts line by line, so a failure shows the lines that differ.
  private func expectFailure(
    of text: String, mode: String?, _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let failure = try folder.failure(of: text, mode: mode)
    #expect(
      failure?.split(separator: "\n") == expected.split(separator: "\n"),
      sourceLocation: sourceLocation)
  }
}
