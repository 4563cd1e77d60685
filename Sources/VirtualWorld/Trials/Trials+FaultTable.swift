import StubNetwork

extension Trials<[String]> {
  /// Says why no fault was tried.
  package static var noFaults: String {
    "no request has a response, so nothing can go wrong with it"
  }

  /// What the faults lead to, as text. Those with the same ending stand together.
  package var faultTable: [String] {
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
    for (index, finding) in findings.enumerated() {
      let shown =
        index == 0
        ? finding.ending : Self.changes(from: findings[0].ending, finding.ending)
      lines += [""] + Self.words(for: finding.cases) + shown.map { "   " + $0 }
    }
    return lines
  }

  /// An ending, or if it's long, only the lines that differ from the usual one.
  private static func changes(from usual: [String], _ ending: [String]) -> [String] {
    guard ending.count > 14 else { return ending }
    let difference = ending.difference(from: usual)
    return difference.removals.map { "- \($0.element)" }
      + difference.insertions.map { "+ \($0.element)" }
  }

  /// The cases of one ending: its faults, and a line for each case in another order.
  private static func words(for cases: [Case]) -> [String] {
    let usual = cases.filter(\.isUsual)
    var lines = usual.contains { $0.variation.fault == nil } ? ["without a fault"] : []
    lines += NetworkFault.words(for: usual.compactMap(\.variation.fault))
    for other in cases where !other.isUsual {
      let fault = Self.words(for: other.variation.fault)
      lines.append("\(fault), and at \(other.order) (\(other.argument))")
    }
    return lines
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
  package static func words(for faults: [NetworkFault]) -> [String] {
    let requests = Dictionary(grouping: faults, by: \.request).sorted { $0.key < $1.key }
    return requests.flatMap { request, faults in
      let kinds = faults.dropLast().map { "\($0.kind)," } + faults.suffix(1).map { "\($0.kind)" }
      return (["request \(request)"] + kinds).folded(to: 97, indentation: "  ")
    }
  }
}

extension CollectionDifference.Change {
  fileprivate var element: ChangeElement {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
