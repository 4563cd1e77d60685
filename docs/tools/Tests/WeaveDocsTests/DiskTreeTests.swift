import Foundation
import Testing

@testable import weave_docs

/// Each test has a folder of its own, with the fixture's files in it.
final class DiskTreeTests {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("weave-docs-\(UUID().uuidString)")
  private let tree: DiskTree

  init() throws {
    tree = DiskTree(root: root)
    for (path, text) in Fixture.tree.files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  @Test func `a folder on disk reads as the tree in memory does`() throws {
    #expect(tree.names(in: "") == Fixture.tree.names(in: ""))
    #expect(tree.names(in: "docs/nowhere") == [])
    #expect(tree.kind(of: "docs") == .folder)
    #expect(tree.kind(of: "docs/README.md") == .file)
    #expect(tree.kind(of: "docs/nowhere") == nil)
    #expect(tree.text(of: "docs") == nil)
    #expect(
      tree.text(of: "docs/README.md") == Fixture.tree.text(of: "docs/README.md"))
    #expect(Weaver(tree).problems == [])
  }

  @Test func `a link is neither a file nor a folder`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: root.appendingPathComponent("docs/link.md").path,
      withDestinationPath: "../README.md")
    #expect(tree.kind(of: "docs/link.md") == nil)
    #expect(tree.files(below: "docs", suffix: "link.md") == [])
  }

  @Test func `files are written and no drafts are left`() throws {
    try tree.write(["README.md": "a\n", "docs/README.md": "b\n"])
    #expect(tree.text(of: "README.md") == "a\n")
    #expect(tree.text(of: "docs/README.md") == "b\n")
    #expect(tree.names(in: "docs") == ["README.md", "scenarios"])
    #expect(tree.names(in: "") == Fixture.tree.names(in: ""))
  }

  @Test func `new files are written with their folders`() throws {
    try tree.write(["new/folder/a.md": "a\n", "new/b.md": "b\n", "README.md": "c\n"])
    #expect(tree.text(of: "new/folder/a.md") == "a\n")
    #expect(tree.names(in: "new") == ["b.md", "folder"])
    #expect(tree.names(in: "new/folder") == ["a.md"])
  }

  @Test func `a file that cannot be written is named`() throws {
    let error = #expect(throws: Problem.self) {
      try tree.write(["docs/README.md/a.md": "b\n"])
    }
    #expect(error?.location == Location(path: "docs/README.md/a.md", line: 1))
  }

  @Test func `a file that is not UTF-8 cannot be read`() throws {
    try Data([0xFF, 0xFE]).write(to: root.appendingPathComponent("README.md"))
    #expect(
      problems() == ["README.md:1: README.md isn't UTF-8 text whose lines end in a newline only"])
  }

  @Test func `a folder or a link where a file should be is named`() throws {
    let course = root.appendingPathComponent("docs/README.md")
    try FileManager.default.removeItem(at: course)
    try FileManager.default.createSymbolicLink(
      atPath: course.path, withDestinationPath: "../README.md")
    #expect(problems().contains("docs/README.md:1: no such file: docs/README.md"))
    try FileManager.default.removeItem(at: course)
    try FileManager.default.createDirectory(at: course, withIntermediateDirectories: false)
    #expect(problems().contains("docs/README.md:1: docs/README.md is a folder, not a file"))
  }

  private func problems() -> [String] { Weaver(tree).problems.map(\.description) }
}
