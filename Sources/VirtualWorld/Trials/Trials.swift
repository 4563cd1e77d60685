import StubNetwork
import Timeline
import VirtualTime

/// Runs of one program with variations: which one to try next, and what all of them led to.
///
/// It runs nothing itself. Ask it for a variation, run the program with that, and tell it what
/// happened, until it has no more variations:
///
/// ```
/// while let variation = trials.next() {
///   trials.note(…)
/// }
/// ```
///
/// A program runs without a fault first, and then once for each fault that its requests can have.
/// With pairs, each of these runs says what can go wrong after that, because the first fault may
/// have led to further requests. With orders, each of these is a search of its own for the orders
/// that lead to another ending.
package struct Trials<Ending: Hashable> {
  /// A run, as far as it matters here.
  package struct Run {
    /// What's compared.
    package let ending: Ending
    package let recording: Timeline.Recording.Part
    package let choices: [OrderChoice]
    package let possibleFaults: [NetworkFault]

    package init(
      ending: Ending, recording: Timeline.Recording.Part, choices: [OrderChoice],
      possibleFaults: [NetworkFault] = []
    ) {
      (self.ending, self.recording) = (ending, recording)
      (self.choices, self.possibleFaults) = (choices, possibleFaults)
    }
  }

  /// An ending, and what leads to it.
  package struct Finding {
    package let ending: Ending
    /// The record of the first run that ended like this.
    package let recording: Timeline.Recording.Part
    /// What leads to it. Each fault is there once, with a smallest schedule.
    package fileprivate(set) var cases: [Case]
  }

  /// A variation that leads to an ending.
  package struct Case {
    package let variation: Variation
    /// Its departures in words, such as `600ms: request 2 before request 1`.
    package let order: String
    /// How many runs with these faults ended like this.
    package fileprivate(set) var count: Int

    /// Whether it has the usual order.
    package var isUsual: Bool { variation.schedule ?? .usual == .usual }
  }

  /// The orders to try; `nil` for the usual one only.
  package let orders: OrderBound?
  private let bound: FaultBound?

  /// The faults of each run, or of each search. The first has none.
  private var plans: [[NetworkFault]] = [[]]
  private var position = 0
  /// Whether the plans have those that add a fault to the present one.
  private var hasGrown = false
  /// Whether there's room for more pairs.
  private var hasRoom = true
  private var singleCount = 0
  private var search: OrderSearch<RunHistories>
  /// The run with the present fault that made no choices.
  private var plainRun: Run?

  /// The endings, in the order of the runs. The first is the usual one.
  package private(set) var findings: [Finding] = []

  /// What can go wrong in the usual run.
  package private(set) var possibleFaults: [NetworkFault] = []

  /// How many orders were tried.
  package private(set) var runCount = 0

  /// How many choices the usual order has.
  package private(set) var choiceCount = 0

  /// Where the trials ended although there was more to try, in words.
  package private(set) var cuts: [String] = []

  /// The runs in the usual order that differed when they were repeated.
  package private(set) var differences: [(faults: [NetworkFault], difference: RunDifference)] = []

  /// - Parameters:
  ///   - orders: The orders to try; `nil` for the usual one only.
  ///   - faults: The faults to try; `nil` if nothing goes wrong.
  package init(orders: OrderBound? = nil, faults bound: FaultBound? = nil) {
    self.orders = orders
    self.bound = bound
    search = OrderSearch(orders ?? .init())
  }

  /// Whether it tries faults, if there are any.
  package var triesFaults: Bool { bound != nil }

  /// How many faults were tried, alone or in pairs.
  package var faultCount: Int { position - 1 }

  /// What was tried, such as `9 faults` or `9 faults and 14 pairs`.
  package var faultCountInWords: String {
    let pairs = plans[..<position].count { $0.count > 1 }
    let faults = counted(faultCount - pairs, bound?.noun ?? "fault")
    return pairs == 0 ? faults : "\(faults) and \(counted(pairs, "pair"))"
  }

  /// The fault that's being tried, in words; `nil` if there's only one search.
  package var place: String? {
    guard orders != nil, position < plans.count else { return nil }
    if position > 0 { return "fault \(position) of \(plans.count - 1)" }
    return plans.count > 1 ? "without a fault" : nil
  }

  /// How many runs follow for certain, and whether there won't be others.
  package var runsLeft: (count: Int, isFinal: Bool) {
    guard position < plans.count else { return (0, true) }
    guard orders != nil else { return (plans.count - position, !isGrowing) }
    return (
      search.runsLeft.count, search.runsLeft.isFinal && position == plans.count - 1 && !isGrowing
    )
  }

  /// Whether a run that follows may add plans. Those with the most faults come last.
  private var isGrowing: Bool {
    let next = hasGrown ? position + 1 : position
    guard let bound, hasRoom, next < plans.count else { return false }
    return plans[next].count < bound.faultsInRun
  }

  /// What to run next; `nil` at the end.
  package func next() -> Variation? {
    guard position < plans.count else { return nil }
    let schedule = isPlainRunDue ? nil : search.next()
    return Variation(schedule: schedule, faults: plans[position])
  }

  /// With records, a search begins with a run that makes no choices, which has to be the same as
  /// the one in the usual order.
  private var isPlainRunDue: Bool {
    orders.map { $0.trustsRecords && plainRun == nil } ?? true
  }

  /// Notes what happened with the variation that ``next()`` returned.
  package mutating func note(_ run: Run) {
    guard let variation = next() else { preconditionFailure("there was nothing left to try") }
    if !hasGrown { grow(from: run.possibleFaults) }
    guard let schedule = variation.schedule, let orders else {
      // With orders, the same run follows once more, and counts then.
      add(run, variation, count: orders == nil ? 1 : 0)
      plainRun = run
      if orders == nil { goToNextFault() }
      return
    }
    let record = orders.trustsRecords ? RunHistories(run.recording) : nil
    if let plainRun, schedule == .usual, record != RunHistories(plainRun.recording),
      let difference = RunDifference(
        .init(parts: [plainRun.recording]), .init(parts: [run.recording]))
    {
      differences.append((variation.faults, difference))
      return goToNextFault()
    }
    if schedule == .usual, variation.faults.isEmpty { choiceCount = run.choices.count }
    search.note(choices: run.choices, record: record)
    runCount += 1
    add(run, variation, count: 1)
    if search.next() == nil { goToNextFault() }
  }

  /// Ends the trials early.
  ///
  /// - Parameter cause: What ends them, such as `Ctrl-C`.
  package mutating func stop(by cause: String) {
    if plainRun != nil { goToNextFault(stoppedBy: " by \(cause)") }
    guard position < plans.count else { return }
    cuts.append("stopped by \(cause) before \(Self.words(for: plans[position]))")
    plans.removeSubrange(position...)
  }

  /// Adds plans with one fault more than the present one, which ran in the usual order.
  ///
  /// - Parameter possible: The faults that the run could have.
  private mutating func grow(from possible: [NetworkFault]) {
    hasGrown = true
    let plan = plans[position]
    if plan.isEmpty { possibleFaults = possible }
    guard let bound, hasRoom else { return }
    for fault in bound.additions(to: plan, of: possible) {
      if !plan.isEmpty, plans.count - 1 - singleCount == bound.pairs {
        hasRoom = false
        cuts.append("stopped after \(counted(bound.pairs, "pair")) of faults, and there are more")
        return
      }
      plans.append(plan + [fault])
    }
    if plan.isEmpty { singleCount = plans.count - 1 }
  }

  private mutating func goToNextFault(stoppedBy cause: String? = nil) {
    if search.isCut || cause != nil {
      let place = plans.count > 1 ? "\(Self.words(for: plans[position])): " : ""
      let runs = counted(search.runCount, "run")
      cuts.append(
        search.runCount == 0
          ? "\(place)stopped\(cause ?? "") before other orders were tried"
          : "\(place)stopped\(cause ?? "") after \(runs), and there are more orders")
    }
    position += 1
    (plainRun, hasGrown) = (nil, false)
    search = OrderSearch(orders ?? .init())
  }

  /// The faults of a run in words.
  package static func words(for faults: [NetworkFault]) -> String {
    faults.isEmpty ? "without a fault" : NetworkFault.description(of: faults)
  }

  private mutating func add(_ run: Run, _ variation: Variation, count: Int) {
    let reasons = run.choices.filter { $0.pick > 0 }.map(\.description)
    let new = Case(
      variation: variation,
      order: reasons.isEmpty
        ? variation.schedule.map { "\($0)" } ?? "" : reasons.joined(separator: ", then "),
      count: count)
    guard let index = findings.firstIndex(where: { $0.ending == run.ending }) else {
      return findings.append(
        Finding(ending: run.ending, recording: run.recording, cases: [new]))
    }
    // The cases of the present plan are the last ones.
    if let last = findings[index].cases.last, last.variation.faults == variation.faults {
      findings[index].cases[findings[index].cases.count - 1].count += count
    } else {
      findings[index].cases.append(new)
    }
  }
}
