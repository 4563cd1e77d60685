import StubNetwork
import Timeline

extension Trials<[String]> {
  /// Says why no fault was tried.
  package static var noFaults: String {
    "no request has a response, so nothing can go wrong with it"
  }

  /// What the faults lead to, as text. Those with the same ending stand together, and so do those
  /// whose endings only differ in the status that they name.
  ///
  /// - Parameters:
  ///   - width: The most characters of a line that lists faults.
  ///   - style: The style of the terminal.
  package func faultTable(width: Int = 97, in style: TerminalStyle = .plain) -> [String] {
    guard faultCount > 0 || !cuts.isEmpty else { return [Self.noFaults] }
    let rows = rows
    let endings = rows.count == 1 ? "one outcome" : "\(rows.count) outcomes"
    let runs = orders.map { ", in \(counted(runCount, "run")) with up to \($0.words) each" } ?? ""
    let comma = runs.isEmpty ? "" : ","
    let verb = faultCount == 1 ? "leads" : "lead"
    let head =
      faultCount == 0
      ? "no fault was tried\(runs): \(endings)"
      : "\(faultCountInWords)\(runs)\(comma) \(verb) to \(endings)"
    var lines = [head] + cuts
    for (index, row) in rows.enumerated() {
      let cases = Self.words(for: row.cases, width: width)
      lines += [""] + cases.map { style.paint($0, as: .title) }
      lines += row.lines.lines(
        differingFrom: findings[0].ending, isFirst: index == 0, in: style)
    }
    return lines
  }

  /// The different endings, and what leads to each.
  private var rows: [(lines: [String], cases: [Case])] {
    let general = findings.map { finding in
      let kinds = Set(finding.cases.map(\.variation.faults.last?.kind))
      let kind = kinds.count == 1 ? finding.cases[0].variation.faults.last?.kind : nil
      let lines = kind?.withoutStatus(finding.ending, unlike: findings[0].ending)
      return (lines: lines ?? finding.ending, cases: finding.cases)
    }
    return general.enumerated().grouped(by: \.element.lines).map { lines, members in
      // One of its kind keeps its number.
      members.count == 1
        ? (findings[members[0].offset].ending, members[0].element.cases)
        : (lines, members.flatMap(\.element.cases))
    }
  }

  /// The lines of an ending. Those of a later one show where it parts from the first one, unless
  /// they have no line in common.
  package func endingLines(of index: Int, in style: TerminalStyle) -> [String] {
    findings[index].ending.lines(
      differingFrom: findings[0].ending, isFirst: index == 0, in: style)
  }

  /// The cases of one ending: its faults, and then those in other orders.
  private static func words(for cases: [Case], width: Int) -> [String] {
    let usual = words(for: cases.filter(\.isUsual).map(\.variation.faults), width: width)
    let others = cases.filter { !$0.isUsual }.grouped { "\($0.order) (\($0.argument))" }
    return usual
      + others.flatMap { order, cases in
        words(for: cases.map(\.variation.faults), width: .max).flatMap {
          "\($0), and at \(order)".split(separator: " ")
            .map(String.init).folded(to: width, indentation: "  ")
        }
      }
  }

  private static func words(for plans: [[NetworkFault]], width: Int) -> [String] {
    (plans.contains([]) ? ["without a fault"] : []) + NetworkFault.words(for: plans, width: width)
  }
}

extension [String] {
  /// The lines of an outcome: where it parts from the first one, unless they have no line in
  /// common.
  func lines(
    differingFrom first: [String], isFirst: Bool, in style: TerminalStyle
  ) -> [String] {
    let changes = TextChanges(from: first, to: self)
    guard !isFirst, changes.rows.contains(where: { $0.mark == .both }) else {
      return map { "   " + $0 }
    }
    return changes.pieces.map { piece in
      switch piece {
      case .row((.both, let line)): "   " + line
      case .row((.removed, let line)): style.paint(" - " + line, as: .removed)
      case .row((.added, let line)): style.paint(" + " + line, as: .added)
      case .cut(let count):
        style.paint("   … \(counted(count, "line")) as in the first outcome", as: .time)
      }
    }
  }
}

extension Trials.Case {
  /// Its schedule as an argument of a shell.
  package var argument: String {
    let schedule = variation.schedule.map { "\($0)" } ?? ""
    return schedule.contains(" ") ? "\"\(schedule)\"" : schedule
  }
}
