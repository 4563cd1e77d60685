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

  @Test func recordsAnIssueForEachFailure() {
    withKnownIssue {
      expectSnapshot("no newline at the end", id: "some-id", kind: .trace)
    } matching: {
      $0.comments == ["Snapshot some-id, trace: the text must end in exactly one newline."]
    }
  }

  @Test func refusesTheSameSnapshotTwiceInOneTest() {
    let messages = CallLog()
    withKnownIssue {
      for text in ["one", "two"] { expectSnapshot(text, id: "some-id", kind: .trace) }
    } matching: {
      messages.append($0.comments.map(\.rawValue).joined())
      return true
    }
    #expect(messages.lines.count == 2)
    #expect(messages.lines.last?.hasPrefix("Snapshot some-id, trace: already expected by") == true)
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
