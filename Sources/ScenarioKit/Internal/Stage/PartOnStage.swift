import StubNetwork
import Timeline
import VirtualTime
import VirtualWorld

/// A part of a scenario, with the flags of its runs.
struct PartOnStage {
  private let part: Scenario.Part
  let options: CommandLineOptions
  private let limit: TimeLimit
  private let turns: MainThread.Turns

  init(
    _ part: Scenario.Part, _ options: CommandLineOptions, until limit: TimeLimit,
    _ turns: MainThread.Turns
  ) {
    (self.part, self.options, self.limit, self.turns) = (part, options, limit, turns)
  }

  var line: Timeline.SourceLine { part.line }
  var title: String { part.title }

  /// Runs the part once, for the stage.
  ///
  /// - Parameter tellsStates: Whether it tells what's going on after each event.
  func stageRun(
    _ variation: Variation, tellsStates: Bool, _ code: inout CodeIndex
  ) -> StageRun {
    StageRun(
      run(variation, log: tellsStates ? WaitingLog() : nil), line: line, tellsStates: tellsStates,
      &code)
  }

  /// Runs the part once.
  func run(_ variation: Variation, log: WaitingLog? = nil) -> World.Outcome {
    World.run(
      part, options.inVirtualTime, until: limit, turns: turns, order: variation.schedule,
      moves: variation.moves, faults: variation.faults, showsThreads: true, log: log)
  }
}

extension Variation {
  /// Reads a variation, as pages and the command line write it.
  init(moves: [String], fault: String?, schedule: String?) throws {
    self.init(
      schedule: try schedule.map { try Schedule(parsing: $0) },
      faults: try fault.map { try NetworkFault.list(parsing: $0) } ?? [],
      moves: try moves.map { try Move(parsing: $0) })
  }
}
