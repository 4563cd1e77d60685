import StubNetwork
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
    /// The work that waited on the clock.
    let waiting: WaitingLog.Moments
    /// The line that begins the part.
    let line: Timeline.SourceLine
    /// What else the part can lead to, in another order or with a fault.
    var endings: [Ending] = []
  }

  /// Another outcome of a part.
  struct Ending: Sendable {
    /// What leads to it, such as `request 1 times out`.
    let reason: String
    let recording: Timeline.Recording.Part
    let waiting: WaitingLog.Moments
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
    var runs: [World.Outcome] = []
    for part in scenario.parts where runs.last?.isFinal != true {
      runs.append(
        World.run(
          part, options, until: limit, turns: turns, showsThreads: true, logsWaiting: true))
    }
    // After all parts, because later ones may build on earlier ones.
    let parts = zip(scenario.parts, runs).map { part, run in
      // A server has endings of its own.
      let endings =
        if case .server = options.mode { [Ending]() } else {
          endings { fault, order, logsWaiting in
            World.run(
              part, options.inVirtualTime, until: limit, turns: turns, order: order, fault: fault,
              showsThreads: true, logsWaiting: logsWaiting)
          }
        }
      return Part(
        recording: run.recording, waiting: run.waiting, line: part.line, endings: endings)
    }
    return Outcome(
      run: Run(flags: options.flags, parts: parts), problems: runs.flatMap(\.problems),
      isFinal: runs.last?.isFinal ?? false)
  }

  /// The other endings of a part: the outcomes that depart once from the usual order, or have one
  /// fault. Each ending runs once more, for its record.
  ///
  /// - Parameter run: Runs the part once, with or without a log of the work on the clock.
  private static func endings(
    _ run: (NetworkFault?, OrderPolicy, Bool) -> World.Outcome
  ) -> [Ending] {
    let orders = Exploration(.init()) { run(nil, $0, false) }.findings.dropFirst()
    let faults = FaultReport { run($0, $1, false) }.endings
    let usual: OrderPolicy = .firstComeFirstServed
    let endings =
      orders.map { ($0.finding.words, run(nil, .replay($0.finding.schedule), true)) }
      + faults.map { ("\($0.fault)", run($0.fault, usual, true)) }
    return endings.map {
      Ending(reason: $0, recording: $1.recording, waiting: $1.waiting)
    }
  }

  /// Writes the page, and says where it is and how to open it.
  func write(to file: OutputFile, _ program: Program) throws {
    try file.write(try PlayerPage(PlayerData(self)).html())
    program.write("Wrote \(file.path). Open it in a browser: \(file.url)\n")
  }
}
