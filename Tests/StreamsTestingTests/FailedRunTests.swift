import Foundation
import StreamsTesting
import TestSupport
import Testing

/// A test that fails leaves its run behind. Runs failing tests as a program, whose sources seem to
/// be in a temporary folder.
struct FailedRunTests {
  private static let runs = ".build/runs/failing_tests/runs"
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Tests/Fixtures/failing-tests/.gitkeep")
    try folder.write("", to: "Package.swift")
  }

  private func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> String {
    let result = try await runExecutable(
      "failing-tests", arguments: arguments,
      environment: [
        "SNAPSHOT_DIRECTORY": folder.url.path, "SNAPSHOT_RECORD": "", "CI": "", "WORLD_RUNS": "",
      ].merging(environment) { $1 })
    return result.stdout + result.stderr
  }

  /// The folders with a run, below the one of their package.
  private var written: Set<String> {
    Set(
      folder.files.keys.filter { $0.hasSuffix("/picture.svg") }
        .map { $0.split(separator: "/").dropFirst(3).dropLast().joined(separator: "/") })
  }

  @Test func theFirstFailureOfATestNamesItsRun() async throws {
    let output = try await run("swift-testing", "--filter", "failing_tests.Runs/")
    #expect(
      lines(of: output) == [
        "✘ Test anExpectation() recorded an issue at Runs.swift:29:5: Expectation failed: Bool(false)",
        "↳ the run: \(Self.runs)/an-expectation/picture.svg",
        "✘ Test anExpectation() recorded an issue at Runs.swift:30:5: Expectation failed: Bool(false)",
        "✘ Test aProblemOfTheWorld() recorded an issue at Runs.swift:34:4: Issue recorded",
        "  the run: \(Self.runs)/a-problem-of-the-world/picture.svg",
        "⚠︎ Test anError() recorded a warning at Runs.swift:36:4: Issue recorded",
        "↳ the run: \(Self.runs)/an-error/picture.svg",
        "✘ Test anError() recorded an issue at Runs.swift:36:4: Caught error: Broken()",
        "✘ Test \"An argument\" recorded an issue with 1 argument number → 1 at Runs.swift:45:5: "
          + "Expectation failed: (number → 1) == 0",
        "↳ the run: \(Self.runs)/an-argument/picture.svg",
        "✘ Test \"An argument\" recorded an issue with 1 argument number → 2 at Runs.swift:45:5: "
          + "Expectation failed: (number → 2) == 0",
        "↳ the run: \(Self.runs)/an-argument-2/picture.svg",
        "✘ Test nothingToSee() recorded an issue at Runs.swift:49:5: Expectation failed: Bool(false)",
      ])
    #expect(
      written == [
        "runs/an-expectation", "runs/a-problem-of-the-world", "runs/an-error", "runs/an-argument",
        "runs/an-argument-2",
      ])
  }

  /// It shows the whole run, and not only what came before the failure.
  @Test func theFilesShowTheRun() async throws {
    _ = try await run("swift-testing", "--filter", "failing_tests.Runs/anExpectation")
    let files = folder.files.filter { $0.key.hasPrefix(Self.runs) }
    let name = "\(Self.runs)/an-expectation"
    #expect(
      Set(files.keys)
        == Set(
          ["picture.svg", "marbles.txt", "transcript.txt", "trace.txt"].map { "\(name)/\($0)" }))
    #expect(
      files["\(name)/transcript.txt"] == """
         0ms  request 1  GET https://example.com/a
         5ms  request 1  200 OK
         5ms  request 1  1 byte
         5ms  request 1  finished
         5ms  request 2  GET https://example.com/a
        10ms  request 2  200 OK
        10ms  request 2  1 byte
        10ms  request 2  finished

        """)
    #expect(files["\(name)/picture.svg"]?.contains(">anExpectation<") == true)
  }

  @Test func theRunsOfAllTestsAreWrittenIfYouAskForThem() async throws {
    _ = try await run(
      "swift-testing", "--filter", "failing_tests.Runs/", environment: ["WORLD_RUNS": "all"])
    #expect(written.contains("runs/a-pass"))
    #expect(!written.contains("runs/nothing-to-see"))
  }

  @Test func testsOfXCTestLeaveTheirRunsToo() async throws {
    let output = try await run("xctest-runs", environment: ["XCTestRuns": "1"])
    #expect(
      output.split(separator: "\n").filter { $0.contains("the run: ") } == [
        "the run: .build/runs/failing_tests/runs/line-64/picture.svg",
        "RunsInWorldTestCase.testAsserts: the run: "
          + ".build/runs/runs-in-world-test-case/test-asserts/picture.svg",
        "the run: .build/runs/runs-in-world-test-case/test-loads/picture.svg",
      ])
    #expect(written.count == 3)
  }

  /// The lines about issues and runs.
  private func lines(of output: String) -> [String] {
    output.split(separator: "\n").map(String.init).filter {
      $0.contains(" recorded a") || $0.contains("the run: ")
    }
  }
}
