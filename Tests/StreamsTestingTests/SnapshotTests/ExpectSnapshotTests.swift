import Foundation
import StreamsTesting
import TestSupport
import Testing

struct ExpectSnapshotTests {
  @Test func missingReference() throws {
    let folder = try PackageFolder()
    expectSnapshot(of: try #require(try folder.failure(of: "one\n")) + "\n")
  }

  @Test func `a long difference (60 lines)`() throws {
    let folder = try PackageFolder()
    let lines = (1...100).map { "line \($0)\n" }
    try folder.write(lines.joined(), to: PackageFolder.reference)
    let changed = lines.enumerated().map { $0.offset % 8 == 3 ? "changed\n" : $0.element }
    expectSnapshot(of: try #require(try folder.failure(of: changed.joined())) + "\n")
  }

  @Test(arguments: ["one", "Two words"])
  func hasAFileForEachName(name: String) { expectSnapshot(of: "\(name)\n", named: name) }

  @Test func passesForTheSameTextAgain() {
    for _ in 1...2 { expectSnapshot(of: "one\n", in: "shared", named: "text") }
    expectSnapshot(of: "one\n", in: "shared", named: "text")
  }

  @Test func sharesASnapshotBetweenTests() {
    expectSnapshot(of: "one\n", in: "shared", named: "text")
  }

  @Test func usesExactlyTheFilesOfItsSnapshots() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Snapshots")
    let files = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    #expect(
      files.filter { $0.hasSuffix(".txt") }.sorted() == [
        "expect-snapshot-tests/a-long-difference-60-lines.txt",
        "expect-snapshot-tests/has-a-file-for-each-name.one.txt",
        "expect-snapshot-tests/has-a-file-for-each-name.two-words.txt",
        "expect-snapshot-tests/missing-reference.txt",
        "shared/text.txt",
      ])
  }

  @Test func reportsAnIssueForEachFailure() {
    let line = #line + 2
    let issues = collectIssues {
      expectSnapshot(of: "one\n", named: "日本")
      expectSnapshot(of: "one\n", filePath: "/no/such/A.swift")
    }
    #expect(
      issues == [
        "ExpectSnapshotTests.swift:\(line): \"日本\" can't name a snapshot, because it has none of "
          + "a-z, A-Z and 0-9. Pass another name with `named:`.",
        "ExpectSnapshotTests.swift:\(line + 1): The snapshots of /no/such/A.swift can't be found, "
          + "because its folder doesn't exist here. If you moved the sources, set "
          + "SNAPSHOT_DIRECTORY to the folder of the package.",
      ])
  }

  @Test func refusesTwoTextsForOneFile() {
    let line = #line + 2
    let issues = collectIssues {
      expectSnapshot(of: "one\n", in: "shared", named: "text")
      expectSnapshot(of: "two\n", in: "shared", named: "text")
    }
    // The line of the first text is that of the first test to run, if it isn't this one.
    #expect(issues.count == 1)
    #expect(
      issues.first?.hasPrefix(
        "ExpectSnapshotTests.swift:\(line + 1): Snapshot shared/text: a different text was expected "
          + "before, at StreamsTestingTests/ExpectSnapshotTests.swift:") == true)
    #expect(issues.first?.hasSuffix(". Give each text a name of its own with `named:`.") == true)
  }

  @Test(arguments: [1])
  func asksForANameInTestsWithArguments(number: Int) {
    let (issues, line) = (collectIssues { expectSnapshot(of: "\(number)\n") }, #line)
    #expect(
      issues == [
        "ExpectSnapshotTests.swift:\(line): A test with arguments needs a snapshot for each of "
          + #"them. Pass a name, such as `named: "\(argument)"`."#
      ])
  }
}
