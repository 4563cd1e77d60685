import Timeline
import TimelinePictures
import VirtualTime
import VirtualWorld

extension World.Outcome {
  /// The run as one of many: what's compared is what a user notices, and the problems.
  var trial: Trials<[String]>.Run {
    .init(
      ending: RunOutcome(recording).lines + problems, recording: recording, choices: choices,
      possibleFaults: possibleFaults)
  }
}

extension World.Outcome {
  /// What's compared when things are moved: what a user notices, without what the script prints by
  /// itself, and without times.
  var sweepEnding: [String] {
    let unanswered = recording.events.compactMap { event -> String? in
      guard case .network(.failed(let text)) = event.kind, text.hasPrefix("no response: ") else {
        return nil
      }
      return text.split(separator: ";").first.map(String.init)
    }
    let outcome = RunOutcome(recording) { line in
      line.cause == nil && !linesOfTasks.contains(line.number)
    }
    return outcome.lines + unanswered + failures
  }
}

extension Trials<[String]> {
  /// The lines to print.
  ///
  /// - Parameters:
  ///   - command: The words of the command that runs the part.
  ///   - width: The width of the terminal; `nil` if it isn't one.
  ///   - style: Its style.
  func lines(
    command: [String], width: Int? = nil, in style: TerminalStyle = .plain
  ) -> [String] {
    let faultTable = self.faultTable(width: min(width ?? 97, 97), in: style)
    guard let orders else { return faultTable }
    if !possibleFaults.isEmpty, triesFaults { return faultTable }
    let head = triesFaults ? [Self.noFaults] : []
    if runCount == 0, !cuts.isEmpty { return head + cuts }
    let words =
      "\(counted(choiceCount, "choice")), \(counted(runCount, "run")) with up to \(orders.words)"
    var lines = head
    if !differences.isEmpty {
      lines.append("the part couldn't be explored: two runs in the same order differ")
    } else if choiceCount == 0, runCount > 0 {
      lines.append("order-independent: nothing happens that could come in another order")
    } else if findings.count == 1 {
      lines.append("\(cuts.isEmpty ? "order-independent: " : "")\(words), and one outcome")
    } else {
      lines.append("\(words), and \(findings.count) outcomes")
    }
    lines = (lines + cuts).flatMap { $0.folded(to: width) }
    guard findings.count > 1 else { return lines }
    for (index, finding) in findings.enumerated() {
      let first = finding.cases[0]
      let title = "\(index + 1). \(first.title) (\(counted(first.count, "run")))"
      lines += ["", style.paint(title, as: .title)]
      if index > 0 {
        lines += Self.shown(command + ["--replay", first.argument], width: width)
      }
      lines += endingLines(of: index, in: style)
    }
    return lines
  }

  /// A command as the reader types it, on several lines if the terminal is narrow.
  private static func shown(_ command: [String], width: Int?) -> [String] {
    guard let width else { return ["   $ " + command.joined(separator: " ")] }
    // The last two characters are for the backslash that continues a line.
    let lines = (["   $"] + command).folded(to: width - 2, indentation: "       ")
    return lines.dropLast().map { $0 + " \\" } + lines.suffix(1)
  }

  /// Runs in one order that differ, each with what to do about it.
  func problems(of part: String) -> [String] {
    differences.map { faults, difference in
      let message = difference.message(
        "make the part independent of what's outside its world, such as a variable of an earlier "
          + "run, and send work to the main queue either with async or with a scheduler")
      let place = triesFaults && !possibleFaults.isEmpty ? "\(Self.words(for: faults)): " : ""
      return "\(place)\(part): \(message)"
    }
  }

  /// Why there's no picture of two outcomes.
  var reasonForNoPicture: String {
    cuts.first.map { "there's one outcome so far: \($0)" }
      ?? "every order leads to the same outcome: leave out --explore to draw it"
  }

  /// A picture of the usual outcome, and of the next one below it, both from the instant at which
  /// they part; `nil` if there's only one.
  var picture: String? {
    guard findings.count > 1 else { return nil }
    let events = findings.prefix(2).map(\.recording.events)
    let index = zip(events[0], events[1])
      .prefix { $0.kind == $1.kind && $0.lane == $1.lane && $0.time == $1.time }.count
    let parting = events.compactMap { index < $0.count ? $0[index].time : nil }.min() ?? .zero
    let parts = zip(findings, events).map { finding, events in
      Timeline.Recording.Part(
        title: finding.cases[0].title, events: events.filter { $0.time >= parting },
        waits: finding.recording.waits)
    }
    return Timeline.Recording(parts: parts).svg()
  }
}

extension Trials.Case {
  /// The order in words.
  fileprivate var title: String { isUsual ? "the usual order" : order }
}
