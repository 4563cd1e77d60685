import StreamsTesting

/// What the learner sees of a run: the marbles that are wanted above the learner's, a caret at the
/// first difference, and one sentence.
///
/// - Parameter showsAnswer: Whether to show more than what's wanted.
func screen(of outcome: Outcome, _ check: Check, showsAnswer: Bool = true) -> String {
  // An input that the page doesn't show is only about what's wrong.
  let lanes =
    outcome.isPage ? outcome.lanes : Array(outcome.lanes.filter { !$0.isRight }.prefix(1))
  let marbles =
    outcome.given.map(\.marbles)
    + lanes.flatMap { showsAnswer ? [$0.wanted, $0.yours] : [$0.wanted] }
  let layout = MarbleLayout(marbles, frame: Attempt.frame, longestGap: 60)
  var rows = layout.rows[...]
  let width = outcome.given.map(\.name.count).reduce("wanted".count, max)
  func row(_ name: String, _ text: String, width: Int = width) -> String {
    text.isEmpty
      ? "  \(name)" : "  \(name.padding(toLength: width, withPad: " ", startingAt: 0))  \(text)"
  }

  var lines: [String] = outcome.isPage ? [] : ["On another input:", ""]
  for (name, _) in outcome.given { lines.append(row(name, rows.removeFirst())) }
  // Only the first difference has a caret, because later ones often follow from it.
  var hasCaret = false
  for lane in lanes {
    if !lane.name.isEmpty {
      lines += (lines.last?.isEmpty ?? true ? [] : [""]) + ["  \(lane.name)"]
    }
    lines.append(row("wanted", rows.removeFirst()))
    if !showsAnswer {
      if let failure = lane.wantedFailure { lines.append(row("", "# is \(failure)")) }
      continue
    }
    lines.append(row("yours", rows.removeFirst()))
    if !hasCaret, let difference = lane.difference {
      let column = layout.column(at: difference.time) ?? 0
      let caret = Style.red("^ \(difference.time.milliseconds) ms")
      lines.append(row("", String(repeating: " ", count: column) + caret))
      hasCaret = true
    } else if let failure = lane.wantedFailure, failure != lane.failure {
      lines += [row("", "wanted #  \(failure)"), row("", "your #    \(lane.failure ?? "none")")]
    }
  }
  let used = Set(layout.rows.joined())
  let legend = outcome.letters.filter { used.contains($0.key) }.sorted { $0.key < $1.key }
  if !legend.isEmpty {
    lines +=
      [""] + legend.map { row("", "\($0.key) is \($0.value.isEmpty ? "nothing" : $0.value)") }
  }
  if !outcome.counts.isEmpty { lines.append("") }
  let countWidth = outcome.counts.map(\.name.count).max() ?? 0
  for count in outcome.counts {
    let yours = "  yours \(count.yours)"
    let answer = showsAnswer ? count.isRight ? yours : Style.red(yours) : ""
    lines.append(row(count.name, "wanted \(count.wanted)\(answer)", width: countWidth))
  }
  if !showsAnswer { return lines.joined(separator: "\n") }
  lines.append("")
  if outcome.isRight {
    lines += wrapped("\(Style.green("✓")) \(check.learned)")
  } else {
    lines += wrapped(outcome.explanation(check))
  }
  return lines.joined(separator: "\n")
}

/// The lines of a text, of at most 80 characters. A number and its unit stay together.
private func wrapped(_ text: String) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.replacingOccurrences(of: " ms", with: "\u{A0}ms").split(separator: " ") {
    if !line.isEmpty, line.count + word.count >= 80 {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? word : " \(word)"
  }
  return (lines + [line]).map { $0.replacingOccurrences(of: "\u{A0}", with: " ") }
}

/// Colours, if a person reads them.
private enum Style {
  private static let isOn =
    CommandLine.arguments.contains("--colours")
    || isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil

  static func green(_ text: String) -> String { wrap(text, 32) }
  static func red(_ text: String) -> String { wrap(text, 31) }

  private static func wrap(_ text: String, _ code: Int) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
