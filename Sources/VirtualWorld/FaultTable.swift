import StubNetwork

/// What the faults of a run lead to, as text. Faults with the same outcome stand together.
package struct FaultTable: Sendable {
  /// An outcome, and the faults that lead to it; `nil` is the run without one.
  private struct Ending {
    let outcome: [String]
    var faults: [NetworkFault?]
  }

  private var endings: [Ending] = []
  private var count = 0

  /// Makes the table of a run.
  ///
  /// - Parameter usual: The outcome without a fault, in lines.
  package init(usual: [String]) { endings = [Ending(outcome: usual, faults: [nil])] }

  /// Adds the outcome of a fault, in lines.
  package mutating func add(_ fault: NetworkFault, _ outcome: [String]) {
    count += 1
    if let index = endings.firstIndex(where: { $0.outcome == outcome }) {
      endings[index].faults.append(fault)
    } else {
      endings.append(Ending(outcome: outcome, faults: [fault]))
    }
  }

  /// The lines of the table.
  package var lines: [String] {
    guard count > 0 else { return ["no request has a response, so nothing can go wrong with it"] }
    let outcomes = endings.count == 1 ? "one outcome" : "\(endings.count) outcomes"
    var lines = ["\(count) faults lead to \(outcomes)"]
    let usual = endings[0].outcome
    for (index, ending) in endings.enumerated() {
      let shown = index == 0 ? usual : Self.changes(from: usual, ending.outcome)
      lines += [""] + Self.words(for: ending.faults) + shown.map { "   " + $0 }
    }
    return lines
  }

  /// An outcome, or if it's long, only the lines that differ from the usual one.
  private static func changes(from usual: [String], _ outcome: [String]) -> [String] {
    guard outcome.count > 14 else { return outcome }
    let difference = outcome.difference(from: usual)
    return difference.removals.map { "- \($0.element)" }
      + difference.insertions.map { "+ \($0.element)" }
  }

  /// The faults of one outcome, a line for each request, or more if they're many.
  private static func words(for faults: [NetworkFault?]) -> [String] {
    var lines = faults.contains(nil) ? ["without a fault"] : []
    let requests = Dictionary(grouping: faults.compactMap(\.self), by: \.request)
    for (request, faults) in requests.sorted(by: { $0.key < $1.key }) {
      var line = "request \(request)"
      for (index, fault) in faults.enumerated() {
        let word = " \(fault.kind)" + (index + 1 < faults.count ? "," : "")
        if line.count + word.count > 97 {
          lines.append(line)
          line = " "
        }
        line += word
      }
      lines.append(line)
    }
    return lines
  }
}

extension CollectionDifference.Change {
  fileprivate var element: ChangeElement {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
