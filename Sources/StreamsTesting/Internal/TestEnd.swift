import Foundation
import Timeline
import VirtualWorld

/// How a run of a test ended, as far as it's compared with other runs.
struct TestEnd<Outcome: Hashable>: Hashable {
  let outcome: Outcome?
  let error: String?
  let problems: [String]

  init(of run: TestRun<Outcome>) {
    outcome = run.outcome
    error = run.error.map { "the body threw \(stableText($0))" }
    problems = run.problems
  }

  /// The ending for a message, and the marbles of some lanes.
  func text(
    _ recording: Timeline.Recording.Part = .init(events: []), _ lanes: Set<Timeline.Lane> = []
  ) -> String {
    let outcome =
      (outcome as? RunOutcome)?.lines
      ?? outcome.map { stableText($0).components(separatedBy: "\n") } ?? []
    let shown = Timeline.Recording(parts: [recording]).filter { lanes.contains($0.lane) }
    // Signs explain themselves here, and letters don't.
    let marbles = shown.events.isEmpty ? "" : shown.marblesWithoutSigns()
    let rows = marbles.split(separator: "\n")
    return (outcome + (error.map { [$0] } ?? []) + problems + rows.map(String.init))
      .map { "  \($0)" }.joined(separator: "\n")
  }
}
