import StubNetwork
import VirtualTime
import VirtualWorld

/// What a part leads to when its requests go wrong.
struct FaultReport: Sendable {
  /// The lines to print.
  let lines: [String]

  /// The problems of the run without a fault.
  let problems: [String]

  /// Runs a part without a fault, and then once for each request and fault.
  ///
  /// - Parameters:
  ///   - progress: Shows how far it has come, and ends it early.
  ///   - run: Runs the part once.
  init(_ progress: TrialProgress, run: (NetworkFault?) -> World.Outcome) {
    let usual = run(nil)
    var table = FaultTable(usual: Exploration.Ending(usual).lines)
    let faults = usual.possibleFaults
    let cut = Self.tryEach(faults, progress) { index, fault in
      table.add(fault, Exploration.Ending(run(fault)).lines)
      progress.note(
        outcomes: table.endingCount, runsLeft: faults.count - index - 1, isFinal: true)
    }
    lines = Self.lines(faults.isEmpty ? [FaultTable.noFaults] : table.lines(orders: nil), cut)
    problems = usual.problems
  }

  /// Runs a part in several orders, without a fault and then with each fault of each request.
  ///
  /// - Parameters:
  ///   - bound: How far to go in trying orders.
  ///   - command: The command that runs the part.
  ///   - progress: Shows how far it has come, and ends it early.
  ///   - run: Runs the part once.
  init(
    _ bound: Exploration.Search.Bound, command: String, _ progress: TrialProgress,
    run: (NetworkFault?, OrderPolicy) -> World.Outcome
  ) {
    // The faults are known when this has run.
    let healthy = progress.step("without a fault", isLast: false) {
      Exploration(bound, progress) { run(nil, $0) }
    }
    let faults = healthy.usual.possibleFaults
    guard !faults.isEmpty else {
      lines = [FaultTable.noFaults] + healthy.lines(command: command)
      problems = healthy.usual.problems + (healthy.problem.map { [$0] } ?? [])
      return
    }
    var table = FaultTable(usual: Exploration.Ending(healthy.usual).lines)
    var (cuts, problems) = ([String](), healthy.usual.problems)
    var runCount = 0
    func note(_ exploration: Exploration, _ fault: NetworkFault?) {
      runCount += exploration.runCount
      for (finding, _) in exploration.findings.dropFirst() {
        table.add(
          fault, order: "\(finding.words) (\(finding.schedule.argument))", finding.outcome.lines)
      }
      let name = fault.map { "\($0)" } ?? "without a fault"
      if let problem = exploration.problem { problems.append("\(name): \(problem)") }
      if let cut = exploration.cut { cuts.append("\(name): \(cut)") }
    }
    note(healthy, nil)
    cuts += Self.tryEach(faults, progress) { index, fault in
      let exploration = progress.step(
        "fault \(index + 1) of \(faults.count)", isLast: index + 1 == faults.count,
        outcomes: table.endingCount
      ) {
        Exploration(bound, progress) { run(fault, $0) }
      }
      table.add(fault, Exploration.Ending(exploration.usual).lines)
      note(exploration, fault)
    }
    let orders = "in \(counted(runCount, "run")) with up to \(bound.words) each"
    lines = Self.lines(table.lines(orders: orders), cuts)
    self.problems = problems
  }

  /// Goes through faults until Ctrl-C.
  ///
  /// - Returns: A line that says where it stopped, if it did.
  private static func tryEach(
    _ faults: [NetworkFault], _ progress: TrialProgress, _ body: (Int, NetworkFault) -> Void
  ) -> [String] {
    for (index, fault) in faults.enumerated() {
      if progress.isInterrupted { return ["stopped by Ctrl-C before \(fault)"] }
      body(index, fault)
    }
    return []
  }

  /// The lines of a table, with what wasn't tried below its first line.
  private static func lines(_ table: [String], _ cuts: [String]) -> [String] {
    table.prefix(1) + cuts + table.dropFirst()
  }
}
