import Foundation
import Testing
import Timeline
import VirtualTime
import VirtualWorld

/// A test that runs in several orders: the search, and the message if it finds two outcomes.
struct OrderTest<Outcome: Hashable>: TestSearch {
  private typealias End = TestEnd<Outcome>

  // A test returns what no stream shows, so nothing is known to commute.
  private var trials: Trials<End>
  private let limit: Int
  private let location: SourceLocation

  /// How many of two outcomes were confirmed by a second run.
  private var confirmedCount = 0

  /// What the second run led to, if that's another outcome.
  private var contradiction: End?

  init(departures: Int, limit: Int, at location: SourceLocation) {
    if departures < 1 || limit < 1 {
      reportIssue(
        "departures and limit must be 1 or more, and are \(departures) and \(limit)", at: location)
    }
    trials = Trials(orders: OrderBound(departures: max(1, departures), runs: max(1, limit)))
    self.limit = max(1, limit)
    self.location = location
  }

  /// Two outcomes end the search, and each runs again.
  mutating func next() -> Variation? {
    guard trials.findings.count > 1 else { return trials.next() }
    guard contradiction == nil, confirmedCount < 2 else { return nil }
    return trials.findings[confirmedCount].cases[0].variation
  }

  mutating func note(_ run: TestRun<Outcome>) {
    let end = End(of: run)
    if trials.findings.count < 2 {
      trials.note(run.trial(end))
    } else if trials.findings[confirmedCount].ending == end {
      confirmedCount += 1
    } else {
      contradiction = end
    }
  }

  /// Whether it has found one outcome only.
  var isIndependent: Bool { trials.findings.count == 1 }

  /// Fails the test if it has found two outcomes, or couldn't try all orders.
  func report() {
    if let contradiction {
      reportIssue(
        """
        two runs in the same order end differently: make everything that the body changes inside it, \
        and nothing random
        \(trials.findings[confirmedCount].ending.text())
        and then
        \(contradiction.text())
        """, at: location)
    } else if trials.findings.count > 1 {
      reportIssue(difference(trials.findings[0], trials.findings[1]), at: location)
    } else if !trials.cuts.isEmpty {
      let orders =
        limit == 1 ? "1 order leads to an outcome" : "\(limit) orders lead to the same outcome"
      reportIssue(
        "\(orders), but there are more: raise the limit, or make the test smaller", at: location)
    }
  }

  private func difference(_ usual: Trials<End>.Finding, _ other: Trials<End>.Finding) -> String {
    let lanes = RunHistories(usual.recording).lanes(differingFrom: .init(other.recording))
    let schedule = other.cases[0].variation.schedule ?? .usual
    return """
      the outcome depends on the order of what happens at one instant
      in the usual order:
      \(usual.ending.text(usual.recording, lanes))
      with \(other.cases[0].order):
      \(other.ending.text(other.recording, lanes))
      to run that order again: withWorld(schedule: "\(schedule)") { world in … }
      """
  }
}
