import StubNetwork
import Timeline
import VirtualWorld

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

  /// Runs a scenario as the options say, and then with each of its flags, for comparison.
  ///
  /// If a run reached the time limit, the next ones would too, so none follows.
  ///
  /// - Returns: The runs, and the problems of all, first those of the run with the user's own
  ///   options.
  static func runs(
    of scenario: Scenario, _ options: CommandLineOptions, until limit: TimeLimit,
    _ turns: MainThread.Turns
  ) -> (runs: [Run], problems: [String]) {
    let otherFlags = ([[]] + scenario.flags.map { [$0] }).filter { $0 != options.flags }
    var outcomes: [Outcome] = []
    for flags in [options.flags] + otherFlags where outcomes.last?.isFinal != true {
      outcomes.append(run(scenario, options.with(flags: flags), until: limit, turns: turns))
    }
    let own = outcomes[0].problems
    let others = outcomes.dropFirst().flatMap { outcome in
      let flags = outcome.run.flags.map(\.argument).sorted().joined(separator: " ")
      return outcome.problems.filter { !own.contains($0) }
        .map { (flags.isEmpty ? "without flags: " : "with \(flags): ") + $0 }
    }
    return (outcomes.map(\.run), own + others)
  }

  private struct Outcome {
    let run: Run
    let problems: [String]
    /// Whether the time limit ended it, so no other run can follow.
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
          part, options, until: limit, turns: turns, showsThreads: true, log: WaitingLog()))
    }
    // After all parts, because later ones may build on earlier ones.
    let parts = zip(scenario.parts, runs).map { part, run in
      // A server has endings of its own.
      let endings =
        if case .server = options.mode { [Ending]() } else {
          endings { variation, log in
            World.run(
              part, options.inVirtualTime, until: limit, turns: turns, order: variation.schedule,
              faults: variation.faults, showsThreads: true, log: log)
          }
        }
      return Part(
        recording: run.recording, waiting: run.waiting, line: part.line, endings: endings)
    }
    return Outcome(
      run: Run(flags: options.flags, parts: parts), problems: runs.flatMap(\.problems),
      isFinal: runs.last?.isFinal ?? false)
  }

  /// How many runs may be made to find other orders of a part. More would take long, and a page has
  /// no room for what they'd find.
  private static let mostRuns = 200

  /// The other endings of a part: of the runs that depart once from the usual order, or have one
  /// fault, the first one with each outcome. It runs once more, for its record.
  ///
  /// - Parameter run: Runs the part once, with a log of what waits or without.
  private static func endings(
    _ run: (Variation, WaitingLog?) -> World.Outcome
  ) -> [Ending] {
    var trials = Trials<[String]>(orders: OrderBound(runs: mostRuns, trustsRecords: true))
    while let variation = trials.next() { trials.note(run(variation, nil).trial) }
    var endings: [Ending] = []
    func add(_ reason: String, _ variation: Variation) {
      let run = run(variation, WaitingLog())
      endings.append(Ending(reason: reason, recording: run.recording, waiting: run.waiting))
    }
    for finding in trials.findings.dropFirst() {
      add(finding.cases[0].order, finding.cases[0].variation)
    }
    var known = Set(trials.findings.map(\.ending))
    for fault in trials.possibleFaults {
      let variation = Variation(faults: [fault])
      let ending = fault.kind.withoutStatus(
        run(variation, nil).trial.ending, unlike: trials.findings[0].ending)
      if known.insert(ending).inserted { add("\(fault)", variation) }
    }
    return endings
  }
}
