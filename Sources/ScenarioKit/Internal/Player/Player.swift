import Timeline
import VirtualTime

/// The player of a scenario: a web page to step through its runs, in one file.
struct Player {
  /// One run of all parts.
  struct Run: Sendable {
    /// The flags it ran with.
    let flags: Set<Scenario.Flag>
    let parts: [Part]
  }

  /// One part of a run.
  struct Part: Sendable {
    let recording: Timeline.Recording.Part
    /// The work that waited on the clock after each event.
    let pendingWork: [[PendingWork]]
    /// The line that begins the part.
    let line: Timeline.SourceLine
  }

  let scenario: Scenario
  let runs: [Run]
  /// The problems of all runs, first those of the run with the user's own options.
  let problems: [String]

  init(scenario: Scenario, runs: [Run], problems: [String]) {
    self.scenario = scenario
    self.runs = runs
    self.problems = problems
  }

  /// Runs a scenario as the options say, and then with each of its flags, for comparison.
  ///
  /// If a run lost its server or reached the time limit, the next ones would too, so none follows.
  init(
    of scenario: Scenario, _ options: CommandLineOptions, until limit: TimeLimit,
    _ standstill: Standstill
  ) {
    self.scenario = scenario
    let otherFlags = ([[]] + scenario.flags.map { [$0] }).filter { $0 != options.flags }
    let outcomes = MainThread.alternate(
      patience: standstill.patience, onStandstill: standstill.report
    ) { turns in
      var outcomes: [Outcome] = []
      for flags in [options.flags] + otherFlags where outcomes.last?.isFinal != true {
        outcomes.append(
          Self.run(scenario, options.with(flags: flags), until: limit, turns: turns))
      }
      return outcomes
    }
    runs = outcomes.map(\.run)
    let own = outcomes[0].problems
    problems =
      own
      + outcomes.dropFirst().flatMap { outcome in
        let flags = outcome.run.flags.map(\.argument).sorted().joined(separator: " ")
        return outcome.problems.filter { !own.contains($0) }
          .map { (flags.isEmpty ? "without flags: " : "with \(flags): ") + $0 }
      }
  }

  private struct Outcome: Sendable {
    let run: Run
    let problems: [String]
    /// Whether further runs would fail too.
    let isFinal: Bool
  }

  private static func run(
    _ scenario: Scenario, _ options: CommandLineOptions, until limit: TimeLimit,
    turns: MainThread.Turns
  ) -> Outcome {
    var isFinal = false
    var parts: [Part] = []
    var problems: [String] = []
    for part in scenario.parts {
      let log = PendingWorkLog()
      let outcome = World.run(
        part, options, until: limit, turns: turns, showsThreads: true, pendingWork: log
      ) { _ in }
      parts.append(
        Part(
          recording: outcome.recording, pendingWork: log.lists,
          line: part.line))
      problems += outcome.problems
      isFinal = outcome.isFinal
      if isFinal { break }
    }
    return Outcome(
      run: Run(flags: options.flags, parts: parts), problems: problems, isFinal: isFinal)
  }

  /// Writes the page, and says where it is and how to open it.
  func write(to file: OutputFile, _ program: Program) throws {
    try file.write(try PlayerPage(PlayerData(self)).html())
    program.write("Wrote \(file.path). Open it in a browser: \(file.url)\n")
  }
}
