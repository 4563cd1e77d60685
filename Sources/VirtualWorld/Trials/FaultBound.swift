import StubNetwork

/// Which faults to try, and how many in one run.
package struct FaultBound: Sendable {
  /// Whether to try a fault.
  let isIncluded: @Sendable (NetworkFault) -> Bool

  /// Whether each fault lasts from its request on.
  package var isLasting: Bool

  /// The most runs with a pair of faults.
  package var pairs: Int

  /// - Parameters:
  ///   - isIncluded: Whether to try a fault.
  ///   - isLasting: Whether each fault lasts from its request on.
  ///   - pairs: The most runs with a pair of faults; 0 for one fault in each run.
  package init(
    isLasting: Bool = false, pairs: Int = 0,
    where isIncluded: @escaping @Sendable (NetworkFault) -> Bool = { _ in true }
  ) {
    self.isIncluded = isIncluded
    (self.isLasting, self.pairs) = (isLasting, pairs)
  }

  /// The most pairs that runs have unless a user says otherwise.
  package static let usualPairs = 1_000

  /// The most faults of one run.
  var faultsInRun: Int { pairs > 0 ? 2 : 1 }

  /// What to call one fault.
  var noun: String { isLasting ? "lasting fault" : "fault" }

  /// The faults to add to those that a run had, of all that its requests could have.
  func additions(to faults: [NetworkFault], of possible: [NetworkFault]) -> [NetworkFault] {
    guard faults.count < faultsInRun else { return [] }
    let first = faults.last?.request ?? 0
    return possible.filter { $0.request > first && isIncluded($0) }
      .map { isLasting ? $0.lasting : $0 }
  }
}
