import StubNetwork
import VirtualTime
import VirtualWorld

/// What a part leads to when its requests go wrong.
struct FaultReport: Sendable {
  /// The lines to print.
  let lines: [String]

  /// The problems of the run without a fault.
  let problems: [String]

  /// An ending that differs from the others: what leads to it first, and its run.
  struct Ending: Sendable {
    let fault: NetworkFault
    let run: World.Outcome
  }

  /// The endings that the usual run doesn't have, in the order of the table.
  let endings: [Ending]

  /// Runs a part without a fault, and then once for each request and fault.
  ///
  /// - Parameters:
  ///   - bound: How far to go in trying other orders of each; `nil` for the usual order only.
  ///   - progress: Shows how far it has come, and ends it early; `nil` for neither.
  ///   - run: Runs the part once.
  init(
    _ bound: Exploration.Search.Bound? = nil, _ progress: TrialProgress? = nil,
    run: (NetworkFault?, OrderPolicy) -> World.Outcome
  ) {
    let usual = run(nil, .firstComeFirstServed)
    var table = FaultTable(usual: Exploration.Ending(usual).lines)
    var endings: [Ending] = []
    var problems = usual.problems
    var runCount = 0
    var cuts: [String] = []
    let faults: [NetworkFault?] = (bound == nil ? [] : [nil]) + usual.possibleFaults
    for (index, fault) in faults.enumerated() {
      if progress?.isInterrupted == true {
        let next = fault.map { "\($0)" } ?? "the first fault"
        cuts.append("stopped by Ctrl-C before \(next)")
        break
      }
      let known = table.endingCount
      if let bound {
        let exploration = Exploration(bound, progress) { run(fault, $0) }
        runCount += exploration.runCount
        if let fault { table.add(fault, Exploration.Ending(exploration.usual).lines) }
        for (finding, _) in exploration.findings.dropFirst() {
          table.add(fault, order: finding.words, finding.outcome.lines)
        }
        if let problem = exploration.problem { problems.append(problem) }
        if let cut = exploration.cut {
          cuts.append("\(fault.map { "\($0)" } ?? "without a fault"): \(cut)")
        }
      } else if let fault {
        let result = run(fault, .firstComeFirstServed)
        table.add(fault, Exploration.Ending(result).lines)
        if table.endingCount > known { endings.append(Ending(fault: fault, run: result)) }
        progress?.note(
          outcomes: table.endingCount, runsLeft: faults.count - index - 1, isFinal: true)
      }
    }
    let orders = bound.map { bound in
      let departures = bound.departures == 1 ? "one departure" : "\(bound.departures) departures"
      return "in \(counted(runCount, "run")) with up to \(departures) each"
    }
    var lines = table.lines(orders: orders)
    lines.insert(contentsOf: cuts, at: 1)
    self.lines = lines
    self.endings = endings
    self.problems = problems
  }
}
