import StubNetwork
import VirtualTime
import VirtualWorld

/// What a part leads to when its requests go wrong.
struct FaultReport: Sendable {
  /// The lines to print.
  let text: String

  /// The problems of the run without a fault.
  let problems: [String]

  /// Runs a part without a fault, and then once for each request and fault.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - run: Runs the part once.
  init(of part: Scenario.Part, run: (NetworkFault?) -> World.Outcome) {
    let usual = run(nil)
    var table = FaultTable(usual: RunOutcome(usual.recording).description)
    for fault in usual.possibleFaults {
      let result = run(fault)
      table.add(fault, RunOutcome(result.recording).description + result.problems)
    }
    text = (["# \(part.title)"] + table.lines).joined(separator: "\n") + "\n"
    problems = usual.problems
  }
}

extension Scenario {
  /// Lets each request of each part fail in each way, prints what that leads to, and ends the
  /// program.
  func showFaults(_ options: CommandLineOptions, _ standstill: Standstill, _ program: Program)
    -> Never
  {
    let first = options.part.map { $0 - 1 } ?? 0
    let shown = first...(options.part.map { $0 - 1 } ?? parts.count - 1)
    program.write(heading)
    let problems = MainThread.alternate(
      patience: standstill.patience, onStandstill: standstill.report
    ) { turns in
      func run(_ part: Part, _ fault: NetworkFault?) -> World.Outcome {
        World.run(
          part, options, until: TimeLimit(seconds: options.timeLimit), turns: turns, fault: fault,
          showsThreads: false
        ) { _ in }
      }
      // Later parts may build on earlier ones.
      for part in self.parts[..<first] { _ = run(part, nil) }
      return shown.flatMap { index in
        let report = FaultReport(of: self.parts[index]) { run(self.parts[index], $0) }
        program.write((index == first ? "" : "\n") + report.text)
        return report.problems
      }
    }
    for problem in problems { program.printError(problem) }
    program.exit(problems.isEmpty ? .success : .failure)
  }
}
