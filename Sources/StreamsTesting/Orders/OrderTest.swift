import Foundation
import Streams
import Testing
import Timeline
import VirtualTime
import VirtualWorld

/// What's kept of a world when the body of a test has returned.
struct WorldAtEnd {
  let recording: Timeline.Recording.Part
  let choices: [OrderChoice]

  init(_ world: World) {
    recording = .init(events: world.timeline.recordingUnseen.events)
    choices = world.clock.choices
  }
}

/// Collects the problems of a run.
final class ProblemCollector: Sendable {
  private let messages = Locked<[(String, SourceLocation)]>([])

  var reporter: IssueReporter {
    IssueReporter { message, location in self.messages.withLock { $0.append((message, location)) } }
  }

  var problems: [(message: String, location: SourceLocation)] { messages.withLock { $0 } }

  /// The problems as parts of an outcome, in which it doesn't count when work is due.
  var texts: [String] {
    problems.map { $0.message.replacing(#/ due at \S+( to \S+)?/#) { _ in " due" } }
  }

  /// Fails the test for each problem.
  func report() {
    for problem in problems { reportIssue(problem.message, at: problem.location) }
  }
}

/// A test that runs in several orders: the search, and the message if it finds two outcomes.
struct OrderTest<Outcome: Hashable> {
  /// What's compared: the outcome of the body or its error, and the problems of the world.
  private struct Ending: Hashable {
    let outcome: Outcome?
    let error: String?
    let problems: [String]
  }

  private typealias Search = OrderSearch<RunHistories, Ending>

  private var search: Search
  private let limit: Int
  private let location: SourceLocation

  /// The records of the runs that led to something new.
  private var recordings: [Timeline.Recording.Part] = []

  /// The outcomes that still have to be confirmed by a second run.
  private var unconfirmed: [Search.Finding]?

  /// An outcome that a second run didn't confirm, and what that led to.
  private var contradiction: (Ending, Ending)?

  init(departures: Int, limit: Int, at location: SourceLocation) {
    if departures < 1 || limit < 1 {
      reportIssue(
        "departures and limit must be 1 or more, and are \(departures) and \(limit)", at: location)
    }
    search = OrderSearch(.init(departures: max(1, departures), runs: max(1, limit)))
    self.limit = max(1, limit)
    self.location = location
  }

  /// The schedule to run next; `nil` at the end. Two outcomes end the search, and each runs again.
  func next() -> Schedule? {
    guard search.findings.count > 1 else { return search.next() }
    return (unconfirmed ?? search.findings).first?.schedule
  }

  /// Whether the next run is the first one, whose errors and problems are the test's.
  var isFirstRun: Bool { search.runCount == 0 }

  /// Prepares the world of the next run. Another order may need fewer stubs than the usual one.
  func prepare(_ world: World) {
    if !isFirstRun { world.network.allowUnusedStubs() }
  }

  /// Notes what a run led to.
  ///
  /// - Parameters:
  ///   - outcome: What the body returned; `nil` if it threw an error.
  ///   - error: That error.
  ///   - end: The world when the body had returned; `nil` if it threw.
  ///   - collector: The problems of the world.
  mutating func note(
    _ outcome: Outcome?, _ error: (any Error)?, _ end: WorldAtEnd?, _ collector: ProblemCollector
  ) {
    if isFirstRun { collector.report() }
    let ending = Ending(
      outcome: outcome, error: error.map { "the body threw \(stableText($0))" },
      problems: collector.texts)
    if search.findings.count > 1 {
      var rest = unconfirmed ?? search.findings
      let finding = rest.removeFirst()
      if finding.outcome != ending { contradiction = contradiction ?? (finding.outcome, ending) }
      unconfirmed = rest
      return
    }
    let count = search.findings.count
    // A test returns what no stream shows, so nothing is known to commute.
    search.note(choices: end?.choices ?? [], record: nil, outcome: ending)
    if search.findings.count > count { recordings.append(end?.recording ?? .init()) }
  }

  /// Fails the test if it has found two outcomes, or couldn't try all orders.
  func report() {
    if let (first, second) = contradiction {
      reportIssue(
        """
        two runs in the same order end differently: make everything that the body changes inside it, \
        and nothing random
        \(lines(of: first))
        and then
        \(lines(of: second))
        """, at: location)
    } else if search.findings.count > 1 {
      reportIssue(difference(search.findings[0].outcome, search.findings[1]), at: location)
    } else if search.isCut {
      let orders =
        limit == 1 ? "1 order leads to an outcome" : "\(limit) orders lead to the same outcome"
      reportIssue(
        "\(orders), but there are more: raise the limit, or make the test smaller", at: location)
    }
  }

  private func difference(_ usual: Ending, _ finding: Search.Finding) -> String {
    let reason = finding.reasons.joined(separator: ", then ")
    let lanes = RunHistories(recordings[0]).lanes(differingFrom: RunHistories(recordings[1]))
    return """
      the outcome depends on the order of what happens at one instant
      in the usual order:
      \(lines(of: usual, recordings[0], lanes))
      with \(reason.isEmpty ? "\(finding.schedule)" : reason):
      \(lines(of: finding.outcome, recordings[1], lanes))
      to run that order again: withWorld(schedule: "\(finding.schedule)") { world in … }
      """
  }

  /// An ending, and the marbles of some lanes.
  private func lines(
    of ending: Ending, _ recording: Timeline.Recording.Part = .init(),
    _ lanes: Set<Timeline.Lane> = []
  ) -> String {
    let outcome =
      (ending.outcome as? RunOutcome)?.description ?? ending.outcome.map {
        stableText($0).components(separatedBy: "\n")
      } ?? []
    let shown = Timeline.Recording(parts: [recording]).filter { lanes.contains($0.lane) }
    let marbles = shown.events.isEmpty ? "" : shown.marbles()
    // The signs of the key explain themselves here, and the letters don't.
    let rows = marbles.split(separator: "\n").filter { line in
      !["Not to scale", "  ^", "  |", "  !", "  ()"].contains { line.hasPrefix($0) }
    }
    return (outcome + (ending.error.map { [$0] } ?? []) + ending.problems + rows.map(String.init))
      .map { "  \($0)" }.joined(separator: "\n")
  }
}
