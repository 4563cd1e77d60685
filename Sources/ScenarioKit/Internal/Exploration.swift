import Timeline
import VirtualTime
import VirtualWorld

/// What other orders of a part lead to.
struct Exploration: Sendable {
  /// What a run leads to: what a user notices, and problems that show in this order.
  struct Ending: Hashable, Sendable {
    let outcome: RunOutcome
    let problems: [String]

    init(_ run: World.Outcome) {
      (outcome, problems) = (RunOutcome(run.recording), run.problems)
    }
  }

  typealias Search = OrderSearch<RunHistories, Ending>

  let title: String
  let number: Int
  let runCount: Int
  let choiceCount: Int
  let bound: Search.Bound
  let isCut: Bool
  let findings: [Search.Finding]

  /// The records of the first runs with each outcome.
  private let recordings: [Timeline.Recording.Part]

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
    var recordings: [Timeline.Recording.Part] = []
    while let schedule = search.next() {
      let outcome = run(.replay(schedule))
      let histories = RunHistories(outcome.recording)
      if schedule == .usual, histories != RunHistories(usual.recording) {
        problems.append(Self.difference(usual.recording, outcome.recording))
        break
      }
      search.note(
        choices: outcome.choices, record: histories, outcome: Ending(outcome))
      if search.findings.count > recordings.count { recordings.append(outcome.recording) }
    }
    title = part.title
    self.number = number
    (runCount, choiceCount, isCut) = (search.runCount, search.choiceCount, search.isCut)
    self.bound = bound
    findings = search.findings
    self.recordings = recordings
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
      + "depend on something outside its world, such as a variable that an earlier run has changed, "
      + "or send work to the main queue both with async and with a scheduler?"
  }

  /// The lines to print.
  ///
  /// - Parameter command: The command that runs the scenario.
  func report(command: String) -> String {
    var lines = ["# \(title)"]
    let departures = bound.departures == 1 ? "one departure" : "\(bound.departures) departures"
    let orders =
      "\(count(choiceCount, "choice")), \(count(runCount, "run")) with up to \(departures)"
    if runCount == 0 {
      lines.append("the part couldn't be explored: two runs in the same order differ")
    } else if choiceCount == 0 {
      lines.append("order-independent: nothing happens that could come in another order")
    } else if findings.count == 1 {
      lines.append("order-independent: \(orders), and one outcome")
    } else {
      lines.append("\(orders), and \(findings.count) outcomes")
    }
    if isCut { lines.append("stopped after \(bound.runs) runs: there are more orders") }
    guard findings.count > 1 else { return lines.joined(separator: "\n") + "\n" }
    for (index, finding) in findings.enumerated() {
      lines += ["", "\(index + 1). \(finding.words) (\(count(finding.count, "run")))"]
      if index > 0 {
        lines.append("   $ \(command) --part \(number) --replay \(finding.schedule.argument)")
      }
      lines += (finding.outcome.outcome.description + finding.outcome.problems).map { "   " + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A picture of the usual outcome, and of the next one below it; `nil` if there's only one.
  var picture: String? {
    guard recordings.count > 1 else { return nil }
    let parts = zip(findings, recordings).prefix(2).map { finding, recording in
      Timeline.Recording.Part(title: finding.words, events: recording.events)
    }
    return Timeline.Recording(parts: parts).svg()
  }

  private func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)" + (count == 1 ? "" : "s")
  }
}

extension OrderSearch.Finding {
  /// The order in words.
  fileprivate var words: String {
    reasons.isEmpty ? "the usual order" : reasons.joined(separator: ", then ")
  }
}

extension Schedule {
  /// The schedule as an argument of a shell.
  var argument: String { "\(self)".contains(" ") ? "\"\(self)\"" : "\(self)" }
}

extension Scenario {
  /// Tries other orders, shows what they lead to, and ends the program.
  func explore(_ options: CommandLineOptions, _ standstill: Standstill, _ program: Program) -> Never
  {
    let command = ([name] + options.flags.map(\.argument).sorted()).joined(separator: " ")
    let first = options.part.map { $0 - 1 } ?? 0
    let shown = first...(options.part.map { $0 - 1 } ?? parts.count - 1)
    let isText = options.format == .transcript
    if isText { program.write(heading) }
    let explorations = MainThread.alternate(
      patience: standstill.patience, onStandstill: standstill.report
    ) { turns in
      func run(_ part: Part, _ order: OrderPolicy) -> World.Outcome {
        World.run(
          part, options, until: TimeLimit(seconds: options.timeLimit), turns: turns, order: order,
          showsThreads: false
        ) { _ in }
      }
      // Later parts may build on earlier ones.
      for part in self.parts[..<first] { _ = run(part, .firstComeFirstServed) }
      return shown.map { index in
        let exploration = Exploration(
          of: self.parts[index], number: index + 1, .init(departures: options.departures)
        ) {
          run(self.parts[index], $0)
        }
        // Each when it's done, because many orders take a while.
        if isText {
          let text = exploration.report(command: "swift run \(command)")
          program.write((index == first ? "" : "\n") + text)
        }
        return exploration
      }
    }
    var problems = explorations.flatMap(\.problems)
    if !isText, problems.isEmpty {
      if let picture = explorations[0].picture {
        program.write(picture)
      } else {
        problems.append("every order leads to the same outcome: leave out --explore to draw it")
      }
    }
    for problem in problems { program.printError(problem) }
    program.exit(problems.isEmpty ? .success : .failure)
  }
}
