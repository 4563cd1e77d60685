import Testing
import Timeline
import VirtualWorld

/// Runs each test in a virtual world of its own.
///
/// ```swift
/// @MainActor @Test(.world) func showsTheResult() throws {
///   let world = try World.current
///   …
/// }
/// ```
///
/// On a suite, it applies to each test of the suite. When a test ends, its world ends too, with the
/// same checks as in `withWorld`.
///
/// ## Twice
///
/// A test in a world is the same each time, unless something from outside leaks in: a random
/// number, a date, a variable of an earlier test, the order of a set. With `.world(runsTwice:
/// true)`, a debug build runs the test twice, and fails it at the first event of the two records
/// that differs. An expectation that fails, fails twice then.
public struct WorldTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether a debug build runs a test twice.
  let runsTwice: Bool

  /// Whether tasks belong to the world.
  let tasks: World.Tasks

  /// What happens while the test awaits something.
  let waits: World.Waits

  /// Whether the tests of a suite inherit the trait: they do.
  public var isRecursive: Bool { true }

  /// Runs a test case in a new world.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let issues: IssueHandlingTrait = .compactMapIssues { issue in
      var issue = issue
      if let line = FailedRun.current?.note() { issue.comments.append("\(line)") }
      return issue
    }
    try await issues.provideScope(for: test, testCase: testCase) {
      try await provideWorld(for: test, performing: function)
    }
  }

  private func provideWorld(
    for test: Test, performing function: @Sendable () async throws -> Void
  ) async throws {
    let first = try await run(test, function)
    #if DEBUG
      guard runsTwice else { return }
      let second = try await run(test, function)
      guard let difference = RunDifference(first, second) else { return }
      let message = difference.message(
        "make this test independent of what's outside its world, such as a random number, a date, "
          + "a variable of an earlier test or the order of a set")
      reportIssue(message, at: test.sourceLocation)
    #endif
  }

  /// Runs a test in a new world.
  ///
  /// - Returns: Its record.
  private func run(
    _ test: Test, _ function: @Sendable () async throws -> Void
  ) async throws -> Timeline.Recording {
    let location = test.sourceLocation
    return try await withWorld(
      tasks: tasks, waits: waits, fileID: location.fileID, filePath: location.filePath,
      line: location.line,
      column: location.column
    ) { world in
      do {
        try await function()
      } catch {
        // The framework reports the error later, elsewhere.
        if !Task.isCancelled, let line = FailedRun.current?.note() {
          Issue.record("\(line)", severity: .warning, sourceLocation: location)
        }
        throw error
      }
      return world.timeline.recordingUnseen
    }
  }
}

extension Trait where Self == WorldTrait {
  /// Runs each test in a virtual world of its own, which is `World.current`.
  public static var world: Self { .world() }

  /// Runs each test in a virtual world of its own.
  ///
  /// - Parameters:
  ///   - runsTwice: Whether a debug build runs a test twice, and fails it if the records of the two
  ///     runs differ.
  ///   - tasks: Whether tasks that start in the world belong to it.
  ///   - waits: What happens while the test awaits something.
  public static func world(
    runsTwice: Bool = false, tasks: World.Tasks = .inside, waits: World.Waits = .moveTime
  ) -> Self {
    WorldTrait(runsTwice: runsTwice, tasks: tasks, waits: waits)
  }
}
