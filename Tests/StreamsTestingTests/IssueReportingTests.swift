import Foundation
import StreamsTesting
import TestSupport
import Testing

/// Runs failing tests as a program, because their failures mustn't fail these tests.
struct IssueReportingTests {
  @Test func failsTestsOfSwiftTesting() async throws {
    let result = try await runExecutable(
      "failing-tests", arguments: ["swift-testing", "--filter", "SwiftTestingFailures"])
    let output = result.stdout + result.stderr
    #expect(result.status == 1)
    // Each issue is a line with its place and a line with its message. Tests run in any order.
    #expect(
      lines(of: output) { $0.contains(" recorded an issue at ") } == [
        "✘ Test inAGroup() recorded an issue at SwiftTestingFailures.swift:14:36: Issue recorded",
        "✘ Test inATask() recorded an issue at SwiftTestingFailures.swift:8:31: Issue recorded",
        "✘ Test inTheTest() recorded an issue at SwiftTestingFailures.swift:5:41: Issue recorded",
        "✘ Test «unknown» recorded an issue at SwiftTestingFailures.swift:18:61: Issue recorded",
        "✘ Test «unknown» recorded an issue at SwiftTestingFailures.swift:9:40: Issue recorded",
      ])
    #expect(
      lines(of: output) { $0.hasPrefix("↳ in") || $0.hasPrefix("↳ on") } == [
        "↳ in a detached task", "↳ in a group", "↳ in a task", "↳ in the test", "↳ on a thread",
      ])
  }

  @Test func failsTestsOfXCTest() async throws {
    let result = try await runExecutable("failing-tests", arguments: ["xctest"])
    #expect(result.status == 1)
    let errors = lines(of: result.stdout + result.stderr) { $0.contains(" error: ") }
    #expect(
      // Without the path of this package.
      errors.map { $0.split(separator: "/").last } == [
        "XCTestFailures.swift:15: error: XCTestFailures.testInTheTest : failed - in the test",
        "XCTestFailures.swift:18: error: XCTestFailures.testInATask : failed - in a task",
        "XCTestFailures.swift:19: error: XCTestFailures.testInATask : failed - in a detached task",
        "XCTestFailures.swift:24: error: XCTestFailures.testInAGroup : failed - in a group",
        "XCTestFailures.swift:28: error: XCTestFailures.testOnAThread : failed - on a thread",
      ])
  }

  // MARK: The reason of an error

  private static let reason =
    "request 1 at 0: GET https://example.com/search/swiftlet matches no stub; the nearest is the "
    + "stub of GET https://example.com/search/swift (failing_tests/HiddenReasons.swift:15): path is "
    + "/search/swiftlet, not /search/swift"

  @Test func anErrorDoesNotHideItsReasonInSwiftTesting() async throws {
    let result = try await runExecutable(
      "failing-tests", arguments: ["swift-testing", "--filter", "HiddenReasons"])
    #expect(result.status == 1)
    let messages = lines(of: result.stdout + result.stderr) {
      $0.hasPrefix("↳ ") || $0.contains("Expectation failed")
    }
    #expect(messages.count { $0.contains("Expectation failed") } == 2)
    #expect(
      messages.filter { $0.hasPrefix("↳ request") || $0.contains("unfinished") }
        == Array(repeating: "↳ \(Self.reason)", count: 2))
  }

  @Test func anErrorDoesNotHideItsReasonInXCTest() async throws {
    let result = try await runExecutable("failing-tests", arguments: ["xctest-reasons"])
    #expect(result.status == 1)
    let errors = lines(of: result.stdout + result.stderr) { $0.contains(" error: ") }
      .map { String($0.split(separator: " error: ", maxSplits: 1).last ?? "") }.sorted()
    let unwrap = " : XCTUnwrap failed: expected non-nil value of type \"String\" - "
    #expect(
      errors
        == [
          "HiddenReasonsInWorldTestCase.testThrows : failed - \(Self.reason)",
          "HiddenReasonsInWorldTestCase.testThrows : threw error \"NoRows()\"",
          "HiddenReasonsInXCTest.testUnwraps : failed - \(Self.reason)",
          "HiddenReasonsInXCTest.testUnwraps\(unwrap)",
          "HiddenReasonsInXCTest.testUnwrapsInATask : failed - \(Self.reason)",
          "HiddenReasonsInXCTest.testUnwrapsInATask\(unwrap)",
        ].sorted())
  }

  // MARK: Waits

  /// The process never ends, so it's killed when both lines are there.
  @Test(arguments: [
    ("forNothing", "nothing is left to do in its world"), ("withWork", "work is due at 1s"),
  ])
  func aWaitThatIgnoresItsCancellationIsReportedAgain(test: String, reason: String) async throws {
    let again =
      "the test was cancelled, and it doesn't end: something in it ignores the cancellation, such as "
      + "a loop, or a continuation that's never resumed. Nothing can end it from outside, so stop "
      + "the tests"
    let result = try await runExecutable(
      "failing-tests", arguments: ["swift-testing", "--filter", "WaitsThatNeverEnd/\(test)"],
      until: again)
    #expect(result.status == -SIGKILL)
    let output = (result.stdout + result.stderr).split(separator: "\n")
    let issues = output.filter { $0.hasPrefix("↳ the test ") }
    #expect(issues.count == 2)
    #expect(issues.first?.contains(reason) == true)
    #expect(issues.last == "↳ \(again)")
    let places = output.filter { $0.contains(" recorded an issue") }
    #expect(places.allSatisfy { $0.hasPrefix("✘ Test \(test)() ") })
  }

  private static let mistakes = """
    Programs.swift:16: the marbles differ at 3ms: expected value "c", got value "b"
      expected  -a-c|
      actual    -a-b|
                   ^
      a: "a"
      b: "b"
      c: "c"
      the actual one, to paste: "-a-b|"
    Programs.swift:18: unfinished work (ColdPublisher), due at 9ms, scheduled at Programs.swift:18: run the world \
    until it is done, or cancel it
    Programs.swift:20: a subscription made at Programs.swift:20 is still alive, and only its own \
    closures hold it: capture weakly what stores it, as with [weak self], or cancel it

    """

  @Test func failsAProgramWithoutTests() async throws {
    let result = try await runExecutable("failing-tests", arguments: ["program"])
    #expect(result.status == 1)
    #expect(result.stdout == "before\nafter\n")
    #expect(result.stderr == Self.mistakes)
  }

  @Test func leavesProblemsToAProgramThatReceivesThem() async throws {
    let result = try await runExecutable("failing-tests", arguments: ["program-that-asks"])
    #expect(result.status == 3)
    #expect(result.stdout == Self.mistakes)
    #expect(result.stderr == "")
  }

  /// On the main actor, and with a problem that shows in the middle of the run.
  @MainActor @Test func leavesProblemsToAnAsynchronousTestThatReceivesThem() async {
    let messages = Locked<[String]>([])
    await withWorld(onProblem: { problem in messages.withLock { $0.append("\(problem)") } }) {
      world in
      await Task.yield()
      _ = world.cold("-a|").record(on: world.clock)
      world.run(limit: 1)
    }
    #expect(
      messages.withLock { $0 }.map { $0.drop { $0 != " " }.dropFirst().prefix(24) } == [
        "run() doesn't end: 1 act", "unfinished work (ColdPub", "the test didn't look at ",
      ])
  }

  @Test func collectsIssuesInsteadOfFailing() async {
    let here = SourceLocation(fileID: "M/F.swift", filePath: "/M/F.swift", line: 3, column: 1)
    let issues = await collectIssues {
      reportIssue("one", at: here)
      await Task { reportIssue("two", at: here) }.value
    }
    #expect(issues == ["F.swift:3: one", "F.swift:3: two"])
  }

  private func lines(of output: String, where isIncluded: (Substring) -> Bool) -> [Substring] {
    output.split(separator: "\n").filter(isIncluded).sorted()
  }
}
