import TestSupport
import Testing

/// Runs tests of XCTest as a program, whose sources seem to be in a temporary folder.
struct XCTestSnapshotTests {
  private static let snapshots = "Tests/Fixtures/failing-tests/Snapshots"
  private static let files = [
    "\(snapshots)/xc-test-snapshots/test-shows-a-text.txt": "one\n",
    "\(snapshots)/xc-test-snapshots/test-shows-a-text.second.txt": "two\n",
    "\(snapshots)/shared/text.txt": "one\n",
  ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Tests/Fixtures/failing-tests/.gitkeep")
  }

  /// The first line of each failure, and the exit status.
  private func failures(environment: [String: String] = [:]) async throws -> [String] {
    let result = try await runExecutable(
      "failing-tests", arguments: ["xctest-snapshots"],
      environment: [
        "SNAPSHOT_DIRECTORY": folder.url.path, "SNAPSHOT_RECORD": "", "CI": "",
      ].merging(environment) { $1 })
    let errors = (result.stdout + result.stderr).split(separator: "\n")
      .filter { $0.contains(" error: ") }
      .map { String($0.split(separator: "/failing-tests/").last ?? $0) }
    return errors + ["status \(result.status)"]
  }

  private var writtenFiles: [String: String] {
    folder.files.filter { $0.key.hasSuffix(".txt") }
  }

  @Test func passesIfAllAreEqual() async throws {
    for (path, text) in Self.files { try folder.write(text, to: path) }
    #expect(try await failures() == ["status 0"])
    #expect(writtenFiles == Self.files)
  }

  @Test func failsIfTheyAreMissing() async throws {
    #expect(
      try await failures() == [
        "XCTestSnapshots.swift:11: error: XCTestSnapshots.testShowsAText : failed - Snapshot "
          + "xc-test-snapshots/test-shows-a-text: no reference.",
        "XCTestSnapshots.swift:12: error: XCTestSnapshots.testShowsAText : failed - Snapshot "
          + "xc-test-snapshots/test-shows-a-text.second: no reference.",
        "XCTestSnapshots.swift:16: error: XCTestSnapshots.testInATask : failed - Snapshot "
          + "shared/text: no reference.",
        "status 1",
      ])
    let actuals = Self.files.map { (".build/snapshots/\($0.key)", $0.value) }
    #expect(writtenFiles == Dictionary(uniqueKeysWithValues: actuals))
  }

  @Test func recordsIfYouAskForIt() async throws {
    let failures = try await failures(environment: ["SNAPSHOT_RECORD": "missing"])
    #expect(failures.count == 4)
    #expect(
      failures.dropLast().allSatisfy {
        $0.hasSuffix(": recorded, because SNAPSHOT_RECORD is missing.")
      })
    #expect(writtenFiles == Self.files)
    #expect(try await self.failures() == ["status 0"])
  }

  @Test func recordsNothingInCI() async throws {
    let failures = try await failures(environment: ["SNAPSHOT_RECORD": "missing", "CI": "true"])
    #expect(
      failures.first
        == "XCTestSnapshots.swift:11: error: XCTestSnapshots.testShowsAText : failed - "
        + "SNAPSHOT_RECORD is \"missing\" while CI is set; only check is allowed there.")
    #expect(failures.count == 4)
    #expect(writtenFiles == [:])
  }
}
