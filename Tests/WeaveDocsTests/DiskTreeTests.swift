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
    #expect(try tree.text(of: "docs") == nil)
    #expect(
      try tree.text(of: "docs/README.md") == Fixture.tree.text(of: "docs/README.md"))
    #expect(Weaver(tree).problems == [])
  }

  @Test func `a link tells where it leads`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: root.appendingPathComponent("docs/link.md").path,
      withDestinationPath: "../README.md")
    #expect(tree.target(ofLink: "docs/link.md") == "../README.md")
    #expect(tree.target(ofLink: "docs/README.md") == nil)
    #expect(tree.kind(of: "docs/link.md") == .file)
    #expect(try tree.text(of: "docs/link.md") == Fixture.tree.text(of: "README.md"))
  }

  @Test func `files are written and no drafts are left`() throws {
    try tree.write(["README.md": "a\n", "docs/README.md": "b\n"])
    #expect(try tree.text(of: "README.md") == "a\n")
    #expect(try tree.text(of: "docs/README.md") == "b\n")
    #expect(tree.names(in: "docs") == ["README.md", "scenarios"])
    #expect(tree.names(in: "") == Fixture.tree.names(in: ""))
  }

  @Test func `new files are written with their folders`() throws {
    try tree.write(["new/folder/a.md": "a\n", "new/b.md": "b\n", "README.md": "c\n"])
    #expect(try tree.text(of: "new/folder/a.md") == "a\n")
    #expect(tree.names(in: "new") == ["b.md", "folder"])
    #expect(tree.names(in: "new/folder") == ["a.md"])
  }

  @Test func `no file is written if one cannot be`() throws {
    let error = #expect(throws: FileFailure.self) {
      try tree.write(["README.md": "a\n", "docs/README.md/a.md": "b\n", "a/b/c.md": "c\n"])
    }
    #expect(error?.path == "docs/README.md/a.md")
    #expect(try tree.text(of: "README.md") == Fixture.tree.text(of: "README.md"))
    #expect(tree.names(in: "") == Fixture.tree.names(in: ""))
  }

  @Test func `a file that is not UTF-8 cannot be read`() throws {
    try Data([0xFF, 0xFE]).write(to: root.appendingPathComponent("README.md"))
    #expect(
      Weaver(tree).problems.map(\.description)
        == ["README.md:1: it can't be read: it isn't UTF-8"])
  }

  @Test func `a folder or a link where a file should be is named`() throws {
    let course = root.appendingPathComponent("docs/README.md")
    func found() -> [String] {
      Weaver(tree).problems.filter { $0.location.path == "docs/README.md" }.map(\.description)
    }
    try FileManager.default.removeItem(at: course)
    #expect(found() == ["docs/README.md:1: no such file"])
    try FileManager.default.createSymbolicLink(
      atPath: course.path, withDestinationPath: "../nowhere.md")
    #expect(found() == ["docs/README.md:1: it's a link to ../nowhere.md, which doesn't exist"])
    try FileManager.default.removeItem(at: course)
    try FileManager.default.createDirectory(at: course, withIntermediateDirectories: false)
    #expect(found() == ["docs/README.md:1: it's a folder, not a file"])
  }
}
