import Timeline
import VirtualTime

extension Sweeps<[String]> {
  /// What the sweeps found, as text.
  ///
  /// - Parameters:
  ///   - command: The command that runs the program, to which a move is added.
  ///   - width: The most characters of a line that lists things.
  ///   - style: The style of the terminal.
  package func table(
    command: [String], width: Int = 97, in style: TerminalStyle = .plain
  ) -> [String] {
    let limit = findings.map(\.last).max().map { " up to \(unit.text(of: $0))" } ?? ""
    let count = "\(counted(findings.count, "thing")) moved\(limit), \(counted(runCount, "run"))"
    if findings.isEmpty, cuts.isEmpty {
      let count = script.things.count
      let reason =
        count == 0
        ? "this decides no times"
        : moves.isEmpty
          ? "this decides \(counted(count, "time")) of another kind"
          : "what's left has its time from --move"
      return ["nothing was moved: \(reason)"]
    }
    let isIndependent = cuts.isEmpty && findings.allSatisfy(\.isIndependent)
    let outcomes = endings.count == 1 ? [] : ["\(endings.count) outcomes"]
    let head = ([(isIndependent ? "time-independent: " : "") + count] + outcomes)
      .joined(separator: isIndependent ? ", and if something never comes, " : ": ")
    var lines = [head] + cuts
    for finding in findings where hasRows(finding) {
      lines += ["", style.paint(title(of: finding), as: .title)] + rows(of: finding)
    }
    let others = findings.filter { !hasRows($0) }.map(\.thing.address)
    if !others.isEmpty {
      let words = others.dropLast().map { "\($0)," } + others.suffix(1)
      lines += [""] + (["at any time:"] + words).folded(to: width, indentation: "  ")
    }
    let endings = endings
    for (index, ending) in endings.enumerated() {
      let move = index == 0 ? nil : example(of: ending)
      let title = move.map(words) ?? "the usual times"
      lines += ["", style.paint("\(index + 1). \(title)", as: .title)]
      if let move {
        lines.append("   $ \((command + ["--move", "'\(move)'"]).joined(separator: " "))")
      }
      lines += ending.lines(differingFrom: endings[0], isFirst: index == 0, in: style)
    }
    return lines
  }

  /// Whether another time of it, or its absence, leads to another outcome.
  private func hasRows(_ finding: Finding) -> Bool {
    !finding.isIndependent || finding.never.map { $0 != finding.ranges.first?.ending } ?? false
  }

  private var unit: TimeUnit { .milliseconds }

  private func title(of finding: Finding) -> String {
    let thing = finding.thing
    let deed = script.deed(of: thing.address).map { ": \($0)" } ?? ""
    let place = thing.place.map { " (\($0))" } ?? ""
    return "\(thing.words)\(deed)\(place), usually at \(unit.text(of: thing.usual))"
  }

  private func words(_ move: Move) -> String {
    let comes = move.time == .max ? "never comes" : "comes at \(unit.text(of: move.time))"
    return "if \(move.address) \(comes)"
  }

  /// A line for each range.
  private func rows(of finding: Finding) -> [String] {
    var rows = finding.ranges.map { range in
      let words =
        switch range.end {
        case nil: "\(unit.text(of: range.start)) and later"
        case range.start: "at \(unit.text(of: range.start))"
        case let end?: "\(unit.text(of: range.start)) to \(unit.text(of: end))"
        }
      let isUsual = range.contains(finding.thing.usual)
      return (words, number(of: range.ending) + (isUsual ? ", as usual" : ""))
    }
    if let never = finding.never { rows.append(("never", number(of: never))) }
    let column = rows.map(\.0.count).max() ?? 0
    return rows.map { words, outcome in
      "  \(words)\(String(repeating: " ", count: column - words.count))  \(outcome)"
    }
  }

  private func number(of ending: [String]) -> String {
    "outcome \((endings.firstIndex(of: ending) ?? 0) + 1)"
  }

  /// A move that leads to an ending: as close to the usual time as possible.
  private func example(of ending: [String]) -> Move? {
    for finding in findings {
      let usual = finding.thing.usual
      let closest = finding.ranges.filter { $0.ending == ending }.map { $0.closest(to: usual) }
        .min { usual.gap(to: $0) < usual.gap(to: $1) }
      if let closest { return Move(finding.thing.address, to: closest) }
      if finding.never == ending { return Move(finding.thing.address, to: .max) }
    }
    return nil
  }
}
