import Foundation
import TestSupport
import Testing

struct ExpectSnapshotTests {
  @Test func passesForTextsThatEqualTheirReferences() throws {
    let folder = try TemporaryFolder()
    let store = try SnapshotStore(environment: [:], root: folder.url, target: "Target")
    func failure(of text: String) throws -> String {
      try #require(store.failure(of: text, id: "some-id", kind: .trace)) + "\n"
    }
    expectSnapshot(try failure(of: "one\n"), id: "missing-reference", kind: .failure)
    let lines = (1...100).map { "line \($0)\n" }
    try folder.write(lines.joined(), to: "Tests/Target/Snapshots/some-id/trace.txt")
    let changed = lines.enumerated().map { $0.offset % 8 == 3 ? "changed\n" : $0.element }
    expectSnapshot(try failure(of: changed.joined()), id: "long-difference", kind: .failure)
  }

  @Test func passesForFoldersWithExactlyTheDeclaredFiles() {
    expectSnapshotFiles(
      of: [("long-difference", [.failure]), ("missing-reference", [.failure])])
  }

  @Test func aFailureNamesTheSnapshot() {
    #expect(
      snapshotFailure(of: "no newline at the end", id: "some-id", kind: .trace)
        == "Snapshot some-id, trace: the text must end in exactly one newline.")
  }

  @Test func aSourceOutsideTheTestsHasNoSnapshots() {
    #expect(
      snapshotFailure(of: "one\n", id: "some-id", kind: .trace, filePath: "/elsewhere/A.swift")
        == "/elsewhere/A.swift isn't in the Tests folder of this package.")
  }

  @Test func refusesTheSameSnapshotTwiceInOneTest() {
    let line = #line + 1
    let failures = ["one", "two"].map { snapshotFailure(of: $0, id: "some-id", kind: .trace) }
    #expect(
      failures == [
        "Snapshot some-id, trace: the text must end in exactly one newline.",
        "Snapshot some-id, trace: already expected by this test, line \(line).",
      ])
  }

  @Test func findsTheTargetOfASourceFile() throws {
    let support = "/home/Tests/package/Tests/TestSupport/Snapshots/ExpectSnapshot.swift"
    func owner(_ file: String) -> [String]? {
      snapshotOwner(of: file, supportFile: support).map { [$0.path, $1] }
    }
    #expect(
      owner("/home/Tests/package/Tests/StreamsTests/Tests/A.swift") == [
        "/home/Tests/package", "StreamsTests",
      ])
    #expect(owner("/home/Tests/package/Tests/A.swift") == nil)
    #expect(owner("/home/Tests/other/A.swift") == nil)
    #expect(snapshotOwner(of: #filePath)?.1 == "TestSupportTests")
  }
}
