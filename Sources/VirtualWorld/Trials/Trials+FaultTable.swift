import StubNetwork
import Timeline

extension Trials<[String]> {
  /// Says why no fault was tried.
  package static var noFaults: String {
    "no request has a response, so nothing can go wrong with it"
  }

  /// What the faults lead to, as text. Those with the same ending stand together.
  ///
  /// - Parameters:
  ///   - width: The most characters of a line that lists faults.
  ///   - style: The style of the terminal.
  package func faultTable(width: Int = 97, in style: TerminalStyle = .plain) -> [String] {
    guard faultCount > 0 || !cuts.isEmpty else { return [Self.noFaults] }
    let endings = findings.count == 1 ? "one outcome" : "\(findings.count) outcomes"
    let runs = orders.map { ", in \(counted(runCount, "run")) with up to \($0.words) each" } ?? ""
    let comma = runs.isEmpty ? "" : ","
    let verb = faultCount == 1 ? "leads" : "lead"
    let head =
      faultCount == 0
      ? "no fault was tried\(runs): \(endings)"
      : "\(counted(faultCount, "fault"))\(runs)\(comma) \(verb) to \(endings)"
    var lines = [head] + cuts
    for index in findings.indices {
      let cases = Self.words(for: findings[index].cases, width: width)
      lines += [""] + cases.map { style.paint($0, as: .title) } + endingLines(of: index, in: style)
    }
    return lines
  }

  /// The lines of an ending. Those of a later one show where it parts from the first one, unless
  /// they have no line in common.
  package func endingLines(of index: Int, in style: TerminalStyle) -> [String] {
    findings[index].ending.lines(
      differingFrom: findings[0].ending, isFirst: index == 0, in: style)
  }

  /// The cases of one ending: its faults, and a line for each case in another order.
  private static func words(for cases: [Case], width: Int) -> [String] {
    let usual = cases.filter(\.isUsual)
    var lines = usual.contains { $0.variation.fault == nil } ? ["without a fault"] : []
    lines += NetworkFault.words(for: usual.compactMap(\.variation.fault), width: width)
    for other in cases where !other.isUsual {
      let fault = Self.words(for: other.variation.fault)
      lines += "\(fault), and at \(other.order) (\(other.argument))".split(separator: " ")
        .map(String.init).folded(to: width, indentation: "  ")
    }
    return lines
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

extension NetworkFault {
  /// Faults in words: a line for each request, or more if they're many.
  package static func words(for faults: [NetworkFault], width: Int = 97) -> [String] {
    let requests = Dictionary(grouping: faults, by: \.request).sorted { $0.key < $1.key }
    return requests.flatMap { request, faults in
      let kinds = faults.dropLast().map { "\($0.kind)," } + faults.suffix(1).map { "\($0.kind)" }
      return (["request \(request)"] + kinds).folded(to: width, indentation: "  ")
    }
  }
}
