import StreamsTesting
import Testing

/// Compares the record of each test of a suite with two snapshots: a diagram in text, which its
/// page shows, and a trace, which the page's picture is drawn from.
///
/// The tests have worlds, so it stands after the trait `.world`. It leaves out tests with
/// parameters, and tests whose record has nothing to draw.
struct DrawnTrait: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil || test.isParameterized ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    let run = try World.current.timeline.recording
    guard run.events.contains(where: { $0.lane.role != .console }) else { return }
    let title = test.displayName ?? test.name
    let part = Timeline.Recording.Part(title: title, events: run.events, waits: run.waits)
    let recording = Timeline.Recording(parts: [part])
    let location = test.sourceLocation
    let recipe = location.fileName.replacing("Tests.swift", with: "")
    for (text, kind) in [(recording.marbles(), ""), (recording.trace(), ".trace")] {
      expectSnapshot(
        of: text, in: recipe, named: title + kind, fileID: location.fileID, line: location.line,
        column: location.column)
    }
  }
}

extension Trait where Self == DrawnTrait {
  /// Draws the runs of a recipe's tests.
  static var drawn: Self { DrawnTrait() }
}
