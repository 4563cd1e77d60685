import StubNetwork

/// What the faults of a run lead to, as text. Faults with the same outcome stand together.
package struct FaultTable: Sendable {
  /// What differs from the usual run.
  private struct Case {
    /// What goes wrong; `nil` for nothing.
    let fault: NetworkFault?
    /// What comes in another order, in words; `nil` for the usual order.
    let order: String?
  }

  /// An outcome, and what leads to it.
  private struct Ending {
    let outcome: [String]
    var cases: [Case]
  }

  private var endings: [Ending] = []
  private var faultCount = 0

  /// The number of different outcomes.
  package var endingCount: Int { endings.count }

  /// Makes the table of a run.
  ///
  /// - Parameter usual: The outcome without a fault, in lines.
  package init(usual: [String]) {
    endings = [Ending(outcome: usual, cases: [Case(fault: nil, order: nil)])]
  }

  /// Adds the outcome of a fault.
  ///
  /// - Parameters:
  ///   - fault: What goes wrong; `nil` for nothing.
  ///   - order: What comes in another order, in words; `nil` for the usual order.
  ///   - outcome: The outcome in lines.
  package mutating func add(_ fault: NetworkFault?, order: String? = nil, _ outcome: [String]) {
    if order == nil { faultCount += 1 }
    let new = Case(fault: fault, order: order)
    if let index = endings.firstIndex(where: { $0.outcome == outcome }) {
      endings[index].cases.append(new)
    } else {
      endings.append(Ending(outcome: outcome, cases: [new]))
    }
  }

  /// Says that there's no table, because nothing can go wrong.
  package static let noFaults = "no request has a response, so nothing can go wrong with it"

  /// The table in lines, or a line that says why there's none.
  package var lines: [String] { faultCount == 0 ? [Self.noFaults] : lines(orders: nil) }

  /// The table in lines. If the trial was stopped early, it may have no fault.
  ///
  /// - Parameter orders: How many orders were tried, in words; `nil` if only the usual one was.
  package func lines(orders: String?) -> [String] {
    let outcomes = endings.count == 1 ? "one outcome" : "\(endings.count) outcomes"
    var lines = [
      "\(counted(faultCount, "fault"))\(orders.map { ", \($0)," } ?? "") lead to \(outcomes)"
    ]
    let usual = endings[0].outcome
    for (index, ending) in endings.enumerated() {
      let shown = index == 0 ? usual : Self.changes(from: usual, ending.outcome)
      lines += [""] + Self.words(for: ending.cases) + shown.map { "   " + $0 }
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

  /// Faults in words: a line for each request, or more if they're many.
  package static func words(for faults: [NetworkFault]) -> [String] {
    let requests = Dictionary(grouping: faults, by: \.request).sorted { $0.key < $1.key }
    return requests.flatMap { request, faults in
      let kinds = faults.dropLast().map { "\($0.kind)," } + faults.suffix(1).map { "\($0.kind)" }
      return (["request \(request)"] + kinds).folded(to: 97, indentation: "  ")
    }
  }

  /// The cases of one outcome: its faults, and a line for each case in another order.
  private static func words(for cases: [Case]) -> [String] {
    var lines = cases.contains { $0.fault == nil && $0.order == nil } ? ["without a fault"] : []
    lines += Self.words(for: cases.filter { $0.order == nil }.compactMap(\.fault))
    for other in cases {
      guard let order = other.order else { continue }
      lines.append("\(other.fault.map { "\($0)" } ?? "without a fault"), and at \(order)")
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
