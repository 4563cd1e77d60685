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

    /// One line for each thing that the user notices.
    var lines: [String] { outcome.description + problems }
  }

  typealias Search = OrderSearch<RunHistories, Ending>

  /// The run in the usual order.
  let usual: World.Outcome

  let runCount: Int
  let choiceCount: Int
  let bound: Search.Bound

  /// Why there are more orders, in words; `nil` if all were tried.
  let cut: String?

  /// What was found, and the first run of each.
  let findings: [(finding: Search.Finding, run: World.Outcome)]

  /// Why no order could be tried; `nil` if that was possible.
  let problem: String?

  /// Runs a part in the usual order, and in those that depart from it.
  ///
  /// - Parameters:
  ///   - bound: How far to go.
  ///   - progress: Shows how far it has come, and ends it early; `nil` for neither.
  ///   - run: Runs the part once.
  init(
    _ bound: Search.Bound, _ progress: TrialProgress? = nil, run: (OrderPolicy) -> World.Outcome
  ) {
    var search = Search(bound)
    var problem: String?
    var runs: [World.Outcome] = []
    let usual = run(.firstComeFirstServed)
    while progress?.isInterrupted != true, let schedule = search.next() {
      let outcome = run(.replay(schedule))
      let histories = RunHistories(outcome.recording)
      if schedule == .usual, histories != RunHistories(usual.recording) {
        problem = Self.difference(usual.recording, outcome.recording)
        break
      }
      search.note(choices: outcome.choices, record: histories, outcome: Ending(outcome))
      if search.findings.count > runs.count { runs.append(outcome) }
      progress?.note(
        outcomes: search.findings.count, runsLeft: search.runsLeft.count,
        isFinal: search.runsLeft.isFinal)
    }
    self.usual = usual
    (runCount, choiceCount, self.bound) = (search.runCount, search.choiceCount, bound)
    let isInterrupted = progress?.isInterrupted == true && search.runsLeft.count > 0
    cut =
      search.isCut || isInterrupted
      ? "stopped\(isInterrupted ? " by Ctrl-C" : "") after \(counted(runCount, "run")), and there are "
        + "more orders" : nil
    findings = Array(zip(search.findings, runs))
    self.problem = problem
  }

  /// Says where two runs of the same order differ, and what to do about it.
  private static func difference(
    _ first: Timeline.Recording.Part, _ second: Timeline.Recording.Part
  ) -> String? {
    RunDifference(.init(parts: [first]), .init(parts: [second])).map { difference in
      let message = difference.message(
        "make the part independent of what's outside its world, such as a variable of an earlier "
          + "run, and send work to the main queue either with async or with a scheduler")
      return "\(first.title ?? ""): \(message)"
    }
  }

  /// How many orders were tried, in words.
  var orders: String {
    "\(counted(choiceCount, "choice")), \(counted(runCount, "run")) with up to \(bound.words)"
  }

  /// The lines to print.
  ///
  /// - Parameter command: The command that runs the part.
  func lines(command: String) -> [String] {
    var lines: [String] = []
    if runCount == 0, let cut { return [cut] }
    if problem != nil {
      lines.append("the part couldn't be explored: two runs in the same order differ")
    } else if choiceCount == 0, runCount > 0 {
      lines.append("order-independent: nothing happens that could come in another order")
    } else if findings.count == 1 {
      lines.append("\(cut == nil ? "order-independent: " : "")\(orders), and one outcome")
    } else {
      lines.append("\(orders), and \(findings.count) outcomes")
    }
    if let cut { lines.append(cut) }
    guard findings.count > 1 else { return lines }
    for (index, (finding, _)) in findings.enumerated() {
      lines += ["", "\(index + 1). \(finding.words) (\(counted(finding.count, "run")))"]
      if index > 0 { lines.append("   $ \(command) --replay \(finding.schedule.argument)") }
      lines += finding.outcome.lines.map { "   " + $0 }
    }
    return lines
  }

  /// Why there's no picture of two outcomes.
  var reasonForNoPicture: String {
    cut.map { "there's one outcome so far: \($0)" }
      ?? "every order leads to the same outcome: leave out --explore to draw it"
  }

  /// A picture of the usual outcome, and of the next one below it, both from the instant at which
  /// they part; `nil` if there's only one.
  var picture: String? {
    guard findings.count > 1 else { return nil }
    let events = findings.prefix(2).map(\.run.recording.events)
    let index = zip(events[0], events[1])
      .prefix { $0.kind == $1.kind && $0.lane == $1.lane && $0.time == $1.time }.count
    let parting = events.compactMap { index < $0.count ? $0[index].time : nil }.min() ?? .zero
    let parts = zip(findings, events).map { finding, events in
      Timeline.Recording.Part(
        title: finding.finding.words, events: events.filter { $0.time >= parting })
    }
    return Timeline.Recording(parts: parts).svg()
  }
}

extension OrderSearch.Bound {
  /// The most departures, in words.
  var words: String { departures == 1 ? "one departure" : "\(departures) departures" }
}

extension OrderSearch.Finding {
  /// The order in words.
  var words: String {
    reasons.isEmpty ? "the usual order" : reasons.joined(separator: ", then ")
  }
}

extension Schedule {
  /// The schedule as an argument of a shell.
  var argument: String { "\(self)".contains(" ") ? "\"\(self)\"" : "\(self)" }
}
