import Foundation
import Testing

/// Runs reading-cost.sh on a small library in a folder of its own.
struct ReadingCostTests {
  private static let sources = [
    "Publisher.swift": "public protocol Publisher {}\nstruct Known {}\n",
    "Operators/Map.swift": "public struct Map {}\n\nstruct MapStage: Stage, Known {}  // Gate\n",
    "Core/Stage.swift": "protocol Stage {}\n@usableFromInline final class Relay: Lock {}\n",
    "Core/Lock.swift": "@usableFromInline\nstruct Lock {\n  struct Map {}\n}\n",
    "Core/Gate.swift": "struct Gate {}\nprivate struct Stage {}\n",
  ]

  /// Runs the script, and then reads the page again.
  private func run(
    _ rows: [String], write: Bool = false
  ) throws -> (lines: [String], page: [String]) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reading-cost-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = folder.appendingPathComponent("docs/tools/reading-cost.sh")
    try FileManager.default.createDirectory(
      at: script.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: repository.appendingPathComponent("docs/tools/reading-cost.sh"), to: script)
    for (path, text) in Self.sources {
      let file = folder.appendingPathComponent("Sources/Streams/" + path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let page = folder.appendingPathComponent("docs/architecture.md")
    try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: page)
    let lines = try runScript(script.path, write ? ["--write"] : [], in: folder)
    let written = try String(contentsOf: page, encoding: .utf8)
    return (
      lines,
      written.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    )
  }

  private static let header = [
    "# Architecture", "", "| To understand | Read, in this order | Files | Lines |",
    "| --- | --- | --- | --- |",
  ]

  @Test func `the table has the number of files and lines`() throws {
    let right = Self.header + ["| `map` | `Map`, `Stage`, `Lock` | 3 | 9 |", "", "| `a` | `B` |"]
    let summary = "core: map 3/9, Streams 13 (files/lines)"
    let (lines, page) = try run(right)
    #expect(lines == [summary, "exit 0"])
    #expect(page == right)

    let stale = Self.header + ["| `map` | `Map`, `Stage`, `Lock` | 3 | 8 |", "", "| `a` | `B` |"]
    #expect(
      try run(stale).lines == [
        summary, "core: the table in docs/architecture.md is stale: run make docs", "exit 1",
      ])
    let (written, newPage) = try run(stale, write: true)
    #expect(written == [summary, "exit 0"])
    #expect(newPage == right)
  }

  @Test func `a list has the files of all types that it needs`() throws {
    #expect(
      try run(Self.header + ["| `map` | `Map`, `Stage` | 2 | 5 |"]).lines == [
        "core: map: Stage names Lock, so add Lock",
        "core: map 2/5, Streams 13 (files/lines)", "exit 1",
      ])
    #expect(
      try run(Self.header + ["| `map` | `Map`, `Stages`, `Lock` | 3 | 8 |"], write: true).lines == [
        "core: map: Map names Stage, so add Stage", "core: map: there is no Stages.swift",
        "core: map 3/7, Streams 13 (files/lines)", "exit 1",
      ])
  }

  @Test func `a page without the table is refused`() throws {
    #expect(
      try run(["# Architecture"]).lines == [
        "core: docs/architecture.md has no table that begins with To understand",
        "core: Streams 13 (files/lines)", "exit 1",
      ])
  }
}
