import Streams
import Testing
import Timeline
import VirtualTime
import VirtualWorld

/// What's kept of a world when the body of a test has returned.
struct WorldAtEnd {
  let recording: Timeline.Recording.Part
  let clock: VirtualTimeScheduler

  init(_ world: World) {
    recording = .init(events: world.timeline.recording.events)
    clock = world.clock
  }
}

/// Collects the problems of a run.
final class ProblemCollector: Sendable {
  private let messages = Locked<[(String, SourceLocation)]>([])

  var reporter: IssueReporter {
    IssueReporter { message, location in self.messages.withLock { $0.append((message, location)) } }
  }

  var problems: [(message: String, location: SourceLocation)] { messages.withLock { $0 } }
}

/// A test that runs in several orders: the search, and the message if it finds two outcomes.
struct OrderTest<Outcome: Hashable> {
  /// What's compared: the outcome of the body, and the problems of the world.
  private struct Result: Hashable {
    let outcome: Outcome
    let problems: [String]
  }

  private var search: OrderSearch<RunHistories, Result>
  private let limit: Int
  private let location: SourceLocation

  /// The records of the runs that led to something new.
  private var recordings: [Timeline.Recording.Part] = []
  private var usualProblems: [(message: String, location: SourceLocation)] = []

  init(departures: Int, limit: Int, at location: SourceLocation) {
    search = OrderSearch(.init(departures: max(1, departures), runs: max(1, limit)))
    self.limit = limit
    self.location = location
  }

  /// The schedule to run next; `nil` at the end, or if two outcomes were found.
  func next() -> Schedule? { search.findings.count > 1 ? nil : search.next() }

  /// Notes what a run led to.
  ///
  /// - Parameter end: The world when the body had returned; `nil` if the body waited forever.
  mutating func note(
    _ outcome: Outcome, _ end: WorldAtEnd?,
    _ problems: [(message: String, location: SourceLocation)]
  ) {
    let recording = end?.recording ?? .init()
    let count = search.findings.count
    search.note(
      choices: end?.clock.choices ?? [], record: RunHistories(recording),
      outcome: Result(outcome: outcome, problems: problems.map(\.message)))
    if search.findings.count > count { recordings.append(recording) }
    if search.runCount == 1 { usualProblems = problems }
  }

  /// Fails the test if it has found two outcomes, or couldn't try all orders.
  func report() {
    for problem in usualProblems { reportIssue(problem.message, at: problem.location) }
    if search.findings.count > 1 {
      reportIssue(difference(search.findings[0].outcome, search.findings[1]), at: location)
    } else if search.isCut {
      reportIssue(
        "\(limit) orders lead to the same outcome, but there are more: raise the limit, or make the "
          + "test smaller", at: location)
    }
  }

  private func difference(
    _ usual: Result, _ finding: OrderSearch<RunHistories, Result>.Finding
  ) -> String {
    let reason = finding.reasons.joined(separator: ", then ")
    let lanes = RunHistories(recordings[0]).lanes(differingFrom: RunHistories(recordings[1]))
    return """
      the outcome depends on the order of what happens at one instant
      in the usual order:
      \(description(usual, recordings[0], lanes))
      with \(reason):
      \(description(finding.outcome, recordings[1], lanes))
      to run that order again: withWorld(schedule: "\(finding.schedule)") { world in … }
      """
  }

  /// An outcome, and the marbles of some lanes.
  private func description(
    _ result: Result, _ recording: Timeline.Recording.Part, _ lanes: Set<Timeline.Lane>
  ) -> String {
    let outcome = (result.outcome as? RunOutcome)?.description ?? ["\(result.outcome)"]
    let shown = Timeline.Recording(parts: [recording]).filter { lanes.contains($0.lane) }
    let marbles = shown.events.isEmpty ? "" : shown.marbles()
    // The signs of the key explain themselves here, and the letters don't.
    let lines = marbles.split(separator: "\n").filter { line in
      !["Not to scale", "  ^", "  |", "  !", "  ()"].contains { line.hasPrefix($0) }
    }
    return (outcome + result.problems + lines.map(String.init)).map { "  \($0)" }
      .joined(separator: "\n")
  }
}
