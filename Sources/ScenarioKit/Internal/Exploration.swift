import Timeline
import VirtualTime
import VirtualWorld

/// What other orders of a part lead to.
struct Exploration {
  typealias Search = OrderSearch<RunHistories, RunOutcome>

  let title: String
  let number: Int
  let runCount: Int
  let choiceCount: Int
  let bound: Search.Bound
  let isCut: Bool
  let findings: [Search.Finding]

  /// The problems of the usual order, and of the part as a whole.
  let problems: [String]

  /// Runs a part in the usual order, and in those that depart from it.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - number: Its number, from 1.
  ///   - bound: How far to go.
  ///   - run: Runs the part once.
  init(
    of part: Scenario.Part, number: Int, _ bound: Search.Bound,
    run: (OrderPolicy) -> World.Outcome
  ) {
    var search = Search(bound)
    let usual = run(.firstComeFirstServed)
    var problems = usual.problems
    while let schedule = search.next() {
      let outcome = run(.replay(schedule))
      let histories = RunHistories(outcome.recording)
      if schedule == .usual, histories != RunHistories(usual.recording) {
        problems.append(Self.difference(usual.recording, outcome.recording))
        break
      }
      search.note(
        choices: outcome.choices, record: histories, outcome: RunOutcome(outcome.recording))
    }
    title = part.title
    self.number = number
    (runCount, choiceCount, isCut) = (search.runCount, search.choiceCount, search.isCut)
    self.bound = bound
    findings = search.findings
    self.problems = problems
  }

  /// Says where two runs of the same order differ.
  private static func difference(
    _ first: Timeline.Recording.Part, _ second: Timeline.Recording.Part
  ) -> String {
    let pair = zip(first.events, second.events).first { $0.kind != $1.kind || $0.time != $1.time }
    let place = pair.map { "event \($0.0.number) at \($0.0.time)" } ?? "the number of events"
    return
      "\(first.title ?? ""): two runs in the same order differ, first in \(place): does the part "
      + "depend on something outside its world, such as a variable that an earlier run has changed?"
  }

  /// The lines to print.
  var report: String {
    var lines = ["# \(title)"]
    let departures = bound.departures == 1 ? "one departure" : "\(bound.departures) departures"
    let orders =
      "\(count(choiceCount, "choice")), \(count(runCount, "run")) with up to \(departures)"
    if choiceCount == 0 {
      lines.append("order-independent: nothing happens that could come in another order")
    } else if findings.count == 1 {
      lines.append("order-independent: \(orders), and one outcome")
    } else {
      lines.append("\(orders), and \(findings.count) outcomes")
    }
    if isCut { lines.append("stopped after \(bound.runs) runs: there are more orders") }
    guard findings.count > 1 else { return lines.joined(separator: "\n") + "\n" }
    for (index, finding) in findings.enumerated() {
      lines.append("")
      let cause =
        finding.reasons.isEmpty ? "the usual order" : finding.reasons.joined(separator: ", then ")
      lines.append("\(index + 1). \(cause) (\(count(finding.count, "run")))")
      if index > 0 { lines.append("   --part \(number) --replay \(finding.schedule.argument)") }
      lines += finding.outcome.description.map { "   " + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)" + (count == 1 ? "" : "s")
  }
}

extension Schedule {
  /// The schedule as an argument of a shell.
  var argument: String { "\(self)".contains(" ") ? "\"\(self)\"" : "\(self)" }
}

extension Scenario {
  /// Tries other orders of each part, prints what they lead to, and ends the program.
  func explore(_ options: CommandLineOptions, _ standstill: Standstill, _ program: Program) -> Never
  {
    let shown = options.part.map { [$0 - 1] } ?? Array(parts.indices)
    program.write(heading)
    let problems = MainThread.alternate(
      patience: standstill.patience, onStandstill: standstill.report
    ) { turns in
      func run(_ part: Part, _ order: OrderPolicy) -> World.Outcome {
        World.run(
          part, options, until: TimeLimit(seconds: options.timeLimit), turns: turns, order: order,
          showsThreads: false
        ) { _ in }
      }
      var problems: [String] = []
      for index in self.parts.indices.prefix((shown.last ?? 0) + 1) {
        guard shown.contains(index) else {
          // Later parts may build on it.
          _ = run(self.parts[index], .firstComeFirstServed)
          continue
        }
        let exploration = Exploration(
          of: self.parts[index], number: index + 1, .init(departures: options.departures)
        ) {
          run(self.parts[index], $0)
        }
        program.write((index == shown.first ? "" : "\n") + exploration.report)
        problems += exploration.problems
      }
      return problems
    }
    for problem in problems { program.printError(problem) }
    program.exit(problems.isEmpty ? .success : .failure)
  }
}
