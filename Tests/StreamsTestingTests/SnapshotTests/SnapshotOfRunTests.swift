import Foundation
import StreamsTesting
import TestSupport
import Testing

/// A snapshot of a run says whether another order gives what's recorded.
struct SnapshotOfRunTests {
  private let package: PackageFolder
  private let file: String

  init() throws {
    package = try PackageFolder()
    file = package.folder.url.appendingPathComponent("Tests/My Target/SomeTests.swift").path
  }

  /// Records a text as the snapshot of the current test.
  private func record(_ text: String) throws {
    let name = try SnapshotName(
      folder: "SomeTests", parts: [#require(Test.current).name.filter { $0 != "(" && $0 != ")" }])
    try package.write(text, to: "Tests/My Target/Snapshots/\(name).txt")
  }

  /// A value of each of two sources, at one instant.
  private static func race(in world: World) -> String {
    let both = world.record(world.hot("--a-|").merge(with: world.hot("--b-|")))
    world.run()
    return both.values.joined() + "\n"
  }

  /// What a failure says after the commands that accept the text, without lines of this file.
  private func reason(in issues: [String]) throws -> [String] {
    #expect(issues.count == 1)
    let lines = try #require(issues.first).split(separator: "\n").map(String.init)
    #expect(lines[0].hasSuffix(": changed."))
    let end = try #require(lines.lastIndex { $0.hasPrefix("To accept all that differ: ") })
    return lines[(end + 1)...].map {
      $0.replacing(/the HotPublisher of [^ ]+:\d+/) { _ in "a source" }
    }
  }

  private static let otherOrder = [
    "Another order gives the recorded result, with 2ms: a source (number 2) before a source (number 1).",
    #"To run that order: withWorld(schedule: "2ms:1") { world in … }"#,
  ]

  @Test func anotherOrderGivesTheRecordedResult() throws {
    try record("ba\n")
    let issues = collectIssues { expectSnapshot(filePath: file) { Self.race(in: $0) } }
    #expect(try reason(in: issues) == Self.otherOrder)
    #expect(
      package.files.values.sorted() == ["ab\n", "ba\n"], "The text of the usual order was written.")
  }

  @Test func anAsynchronousBodyRunsInOtherOrdersToo() async throws {
    try record("ba\n")
    let issues = await collectIssues {
      await expectSnapshot(filePath: file) { world in
        await Task.yield()
        return Self.race(in: world)
      }
    }
    #expect(try reason(in: issues) == Self.otherOrder)
  }

  @Test func noOrderGivesTheRecordedResult() throws {
    try record("c\n")
    let issues = collectIssues { expectSnapshot(filePath: file) { Self.race(in: $0) } }
    #expect(try reason(in: issues) == [])
  }

  @Test func theRecordedResultNeedsOneRun() throws {
    try record("ab\n")
    var runCount = 0
    expectSnapshot(filePath: file) { world in
      runCount += 1
      return Self.race(in: world)
    }
    #expect(runCount == 1)
  }

  /// Errors and the problems of a world show only if they're those of the usual order.
  @Test func otherOrdersFailNothing() throws {
    try record("ba\n")
    let issues = try collectIssues {
      try expectSnapshot(filePath: file) { world in
        let other = world.record(world.hot("--c-|").merge(with: world.hot("--d-|")))
        let text = Self.race(in: world)
        if other.values == ["d", "c"] { throw CancellationError() }
        if text == "ba\n" { world.clock.schedule(after: .seconds(1)) {} }
        return text
      }
    }
    #expect(try reason(in: issues).last?.hasPrefix("To run that order: ") == true)
  }

  @Test func aBodyThatDependsOnSomethingElseIsToldApart() throws {
    try record("run 2\n")
    var runCount = 0
    let issues = collectIssues {
      expectSnapshot(filePath: file) { _ in
        runCount += 1
        return "run \(runCount)\n"
      }
    }
    #expect(
      try reason(in: issues) == [
        "A second run in the same order gives the recorded result, so the body depends on something "
          + "outside its world, such as a random number or a variable that an earlier run has changed."
      ])
  }

  @Test func aSearchHasALimit() throws {
    try record("c\n")
    var runCount = 0
    let issues = collectIssues {
      expectSnapshot(filePath: file) { world in
        runCount += 1
        // Each of them can come first.
        Publishers.MergeMany((0..<30).map { _ in world.hot("--a-|") }).sink { _ in }
          .store(in: &world.cancellables)
        return Self.race(in: world)
      }
    }
    #expect(try reason(in: issues) == [])
    #expect(runCount == 201)
  }
}
