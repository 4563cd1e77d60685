import StubNetwork
import Timeline
import VirtualTime
import VirtualWorld

extension StageTable {
  /// Runs a scenario as the options say, and then with its other flags.
  ///
  /// If a run reached the time limit, the next ones would too, so none follows.
  ///
  /// - Returns: The runs, and the problems of the usual ones, first those with the user's flags.
  static func runs(
    of scenario: Scenario, _ options: CommandLineOptions, until limit: TimeLimit,
    _ turns: MainThread.Turns
  ) throws(CommandLineOptions.UsageError) -> (table: StageTable, problems: [String]) {
    var table = StageTable(StageProgram(scenario))
    var code = CodeIndex(scenario)
    var problems: [String] = []
    // What `--only` asks for, if no part has it.
    var missing: String?
    for (index, flags) in scenario.flagSets(first: options.flags).enumerated() {
      let options = options.with(flags: flags)
      let parts = options.part.map { [$0] } ?? Array(1...max(1, scenario.parts.count))
      // Before all else, because later parts may build on earlier ones.
      var usual: [World.Outcome] = []
      for part in scenario.parts.prefix(parts.last ?? 0) where usual.last?.isFinal != true {
        usual.append(
          World.run(
            part, options, until: limit, turns: turns, showsThreads: true,
            log: WaitingLog()))
      }
      problems += usual.flatMap(\.problems).map { problem in
        index == 0 ? problem : "\(flags.inWords): \(problem)"
      }.filter { problem in !problems.contains { problem.hasSuffix($0) } }
      for number in parts where number <= usual.count {
        let part = PartOnStage(scenario.parts[number - 1], options, until: limit, turns)
        table.addVariant(part: number, flags: flags.map(\.name).sorted())
        try table.add(part, usual: usual[number - 1], &code)
        let script = usual[number - 1].script
        if let address = options.movable.address, !table.hasMovableThings {
          missing = missing ?? script.problem(ofAddress: address)
        }
      }
      if index == 0 {
        let opening = parts.first {
          $0 <= usual.count && usual[$0 - 1].recording.events.contains(where: \.brings)
        }
        table.open(part: opening ?? parts[0], flags: flags.map(\.name).sorted())
      }
      if usual.last?.isFinal == true { break }
    }
    if let missing, !table.hasMovableThings {
      throw CommandLineOptions.UsageError(description: "--only: \(missing)")
    }
    table.set(code.files)
    return (table, problems)
  }

  /// A page about one record, in which nothing can be moved.
  static func record(
    _ recording: Timeline.Recording.Part, _ waiting: WaitingLog.Moments,
    line: Timeline.SourceLine, of scenario: Scenario
  ) -> StageTable {
    var table = StageTable(StageProgram(scenario, parts: [recording.title ?? ""]))
    var code = CodeIndex(scenario)
    table.addVariant(part: 1, flags: [])
    table.add(StageRun(recording, waiting, line: line, &code))
    table.set(code.files)
    return table
  }

  private mutating func add(
    _ part: PartOnStage, usual: World.Outcome, _ code: inout CodeIndex
  ) throws(CommandLineOptions.UsageError) {
    // A server has endings of its own.
    if case .server = part.options.mode {
      return add(StageRun(usual, line: part.line, &code))
    }
    let endings = StageEndings.all { part.run($0) }
    // Only the usual run tells what's going on after each event, or the table would be ten times as
    // large.
    let run = part.stageRun(Variation(), tellsStates: true, &code)
    add(run)
    let things = run.things.filter { part.options.movable.contains($0.kind, $0.address) }
    let arrangements =
      part.options.step.map { Arrangements(of: run, only: things, step: $0.nanoseconds) }
      ?? Arrangements(of: run, only: things, atMost: Self.usualMost)
    if arrangements.isTooMuch {
      throw CommandLineOptions.UsageError(
        description:
          "--step leads to more than \(Arrangements.most) runs of “\(part.title)”: use a "
          + "larger step, or --only and one thing")
    }
    for group in arrangements.groups where !group.addresses.isEmpty {
      add(group) { times in
        let moves = zip(group.addresses, times).map { address, time in
          Move(address, to: time.map { .nanoseconds(Int($0)) } ?? .max)
        }
        return part.stageRun(
          Variation(moves: moves.filter { run.moves($0) }), tellsStates: false, &code)
      }
    }
    var kept: [StageEnding] = []
    for ending in endings {
      guard
        let variation = try? Variation(
          moves: ending.moves, fault: ending.fault, schedule: ending.schedule)
      else { continue }
      let run = part.stageRun(variation, tellsStates: false, &code)
      // A timer that nothing stops would fill the page.
      guard run.events.count + run.waits.count <= Self.mostOfEnding else { continue }
      add(run, moves: ending.moves, fault: ending.fault, schedule: ending.schedule)
      kept.append(ending)
    }
    add(kept)
  }

  /// The most events and waits of another ending.
  private static let mostOfEnding = 2_000

  /// The most arrangements of a part, if the user doesn't choose a step.
  private static let usualMost = 500
}

extension StageRun {
  /// Whether a move changes anything.
  fileprivate func moves(_ move: Move) -> Bool {
    things.first { $0.address == move.address }?.usual != move.time.nanoseconds
  }
}

extension Scenario {
  /// The sets of flags that a page has: all if there are few, else each flag on its own.
  fileprivate func flagSets(first: Set<Flag>) -> [Set<Flag>] {
    var sets: [Set<Flag>] = [[]]
    for flag in flags { sets += flags.count > 2 ? [[flag]] : sets.map { $0.union([flag]) } }
    return [first] + sets.filter { $0 != first }
  }
}

extension Set<Scenario.Flag> {
  fileprivate var inWords: String {
    isEmpty ? "without flags" : "with \(map(\.argument).sorted().joined(separator: " "))"
  }
}

extension Timeline.Event {
  /// Whether it brings something that a reader can follow: a value or a response. A part that only
  /// subscribes and prints has nothing to step through.
  fileprivate var brings: Bool {
    switch kind {
    case .value, .network(.response): true
    default: false
    }
  }
}
