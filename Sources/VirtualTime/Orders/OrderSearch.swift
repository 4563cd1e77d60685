/// The search for other outcomes of a program: which order to try next, and what was found.
///
/// It runs nothing itself. Ask it for a schedule, run the program with that, and tell it what
/// happened, until it has no more schedules:
///
/// ```
/// while let schedule = search.next() {
///   let run = …  // with OrderPolicy.replay(schedule)
///   search.note(choices: run.choices, record: run.record, outcome: run.outcome)
/// }
/// ```
///
/// The first run is the usual order. Then come all orders that depart from it once, in the order of
/// time, then those that depart twice, and so on. So the first schedule that leads to an outcome is
/// a smallest one: none with fewer departures does, and of those with as many, it departs first.
///
/// If a departure leaves the record of the run as it was, the two events commute: each recorded
/// stream has the same history in both orders. So when that instant is over, everything is as in
/// the run before, and what departs later would be the same too. The search leaves that out. It
/// knows this from the run itself, and only a program that keeps something in mind that no record
/// shows could behave differently later. Pass no record for such a program.
package struct OrderSearch<Record: Hashable, Outcome: Hashable> {
  /// How far a search goes.
  package struct Bound: Hashable, Sendable {
    /// The most departures of one run.
    package let departures: Int
    /// The most runs.
    package let runs: Int

    package init(departures: Int = 1, runs: Int = 10_000) {
      (self.departures, self.runs) = (departures, runs)
    }
  }

  /// An outcome, and a smallest schedule that leads to it.
  package struct Finding {
    package let outcome: Outcome
    package let schedule: Schedule
    /// The departures in words, such as `600ms: request 2 before request 1`.
    package let reasons: [String]
    /// How many runs ended like this.
    package fileprivate(set) var count: Int
  }

  private struct Plan {
    let departures: [Schedule.Departure]
    /// The record of the run that this one departs from; `nil` for the first run.
    let origin: Record?
  }

  private let bound: Bound
  private var plans: [Plan] = [Plan(departures: [], origin: nil)]
  private var nextPlan = 0

  /// What was found, in the order of the runs. The first is what the usual order leads to.
  package private(set) var findings: [Finding] = []

  /// How many runs were made.
  package private(set) var runCount = 0

  /// How many choices the usual order has.
  package private(set) var choiceCount = 0

  package init(_ bound: Bound) { self.bound = bound }

  /// Whether the search stopped because it reached the most runs.
  package var isCut: Bool { runCount >= bound.runs && nextPlan < plans.count }

  /// How many runs follow, as far as the search knows by now. It knows all of them when it comes to
  /// those with the most departures.
  package var runsLeft: (count: Int, isFinal: Bool) {
    let rest = plans[nextPlan...]
    return (
      min(rest.count, bound.runs - runCount),
      rest.first.map { $0.departures.count >= bound.departures } ?? true
    )
  }

  /// The schedule to run next; `nil` if the search is over.
  package func next() -> Schedule? {
    nextPlan < plans.count && runCount < bound.runs ? Schedule(plans[nextPlan].departures) : nil
  }

  /// Notes what happened with the schedule that ``next()`` returned.
  ///
  /// - Parameters:
  ///   - choices: The choices of the run.
  ///   - record: The histories of all streams; `nil` if they don't show everything that matters.
  ///   - outcome: What a user notices.
  package mutating func note(choices: [OrderChoice], record: Record?, outcome: Outcome) {
    let plan = plans[nextPlan]
    // Its record isn't needed any more.
    plans[nextPlan] = Plan(departures: [], origin: nil)
    nextPlan += 1
    runCount += 1
    if let index = findings.firstIndex(where: { $0.outcome == outcome }) {
      findings[index].count += 1
    } else {
      findings.append(
        Finding(
          outcome: outcome, schedule: Schedule(plan.departures),
          reasons: choices.filter { $0.pick > 0 }.map(\.description), count: 1))
    }
    if plan.departures.isEmpty { choiceCount = choices.count }
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

extension OrderSearch.Finding: Sendable where Record: Sendable, Outcome: Sendable {}
