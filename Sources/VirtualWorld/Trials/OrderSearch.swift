import VirtualTime

/// How far a search for other orders goes.
package struct OrderBound: Hashable, Sendable {
  /// The most departures of one run.
  package let departures: Int
  /// The most runs.
  package let runs: Int
  /// Whether the record of a run shows everything that matters, as it does in a scenario. Then the
  /// search leaves out what the records show to commute.
  package let trustsRecords: Bool

  package init(departures: Int = 1, runs: Int = 10_000, trustsRecords: Bool = false) {
    (self.departures, self.runs) = (departures, runs)
    self.trustsRecords = trustsRecords
  }

  /// The most departures, in words.
  package var words: String { departures == 1 ? "one departure" : "\(departures) departures" }
}

/// The search for other orders of a program: which one to try next.
///
/// The first run is the usual order. Then come all orders that depart from it once, in the order of
/// time, then those that depart twice, and so on. So the first schedule that leads to an ending is
/// a smallest one: none with fewer departures does, and of those with as many, it departs first.
///
/// If a departure leaves the record of the run as it was, the two events commute: each recorded
/// stream has the same history in both orders. So when that instant is over, everything is as in
/// the run before, and what departs later would be the same too. The search leaves that out. It
/// knows this from the run itself, and only a program that keeps something in mind that no record
/// shows could behave differently later. Pass no record for such a program.
package struct OrderSearch<Record: Hashable> {
  private struct Plan {
    let departures: [Schedule.Departure]
    /// The record of the run that this one departs from; `nil` for the first run.
    let origin: Record?
  }

  private let bound: OrderBound
  private var plans: [Plan] = [Plan(departures: [], origin: nil)]

  /// How many runs were made.
  package private(set) var runCount = 0

  package init(_ bound: OrderBound) { self.bound = bound }

  /// Whether the search stopped because it reached the most runs.
  package var isCut: Bool { runCount >= bound.runs && runCount < plans.count }

  /// How many runs follow, as far as the search knows by now. It knows all of them when it comes to
  /// those with the most departures.
  package var runsLeft: (count: Int, isFinal: Bool) {
    let rest = plans[runCount...]
    return (
      min(rest.count, bound.runs - runCount),
      rest.first.map { $0.departures.count >= bound.departures } ?? true
    )
  }

  /// The schedule to run next; `nil` if the search is over.
  package func next() -> Schedule? {
    runCount < min(plans.count, bound.runs) ? Schedule(plans[runCount].departures) : nil
  }

  /// Notes what happened with the schedule that ``next()`` returned.
  ///
  /// - Parameters:
  ///   - choices: The choices of the run.
  ///   - record: The histories of all streams; `nil` if they don't show everything that matters.
  package mutating func note(choices: [OrderChoice], record: Record?) {
    let plan = plans[runCount]
    // Its record isn't needed any more.
    plans[runCount] = Plan(departures: [], origin: nil)
    runCount += 1
    guard plan.departures.count < bound.departures else { return }
    let commutes = record != nil && plan.origin == record
    let later = choices.filter { choice in
      guard let last = plan.departures.last else { return true }
      return (last.time, last.choice) < (choice.time, choice.index)
        && (!commutes || choice.time == last.time)
    }
    for choice in later {
      // One more than will run shows that the search was cut.
      for pick in choice.candidates.indices.dropFirst() where plans.count <= bound.runs {
        plans.append(
          Plan(departures: plan.departures + [choice.departure(to: pick)], origin: record))
      }
    }
  }
}
