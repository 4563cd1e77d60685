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
/// With orders, each of these is a search of its own for the orders that lead to another ending.
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
    /// How many runs with this fault ended like this.
    package fileprivate(set) var count: Int

    /// Whether it has the usual order.
    package var isUsual: Bool { variation.schedule ?? .usual == .usual }
  }

  /// The orders to try; `nil` for the usual one only.
  package let orders: OrderBound?
  private let isIncluded: ((NetworkFault) -> Bool)?

  /// The faults to try. The first one is none.
  private var faults: [NetworkFault?] = [nil]
  private var position = 0
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
  package private(set) var differences: [(fault: NetworkFault?, difference: RunDifference)] = []

  /// - Parameters:
  ///   - orders: The orders to try; `nil` for the usual one only.
  ///   - isIncluded: Whether to try a fault; `nil` if nothing goes wrong.
  package init(orders: OrderBound? = nil, faults isIncluded: ((NetworkFault) -> Bool)? = nil) {
    self.orders = orders
    self.isIncluded = isIncluded
    search = OrderSearch(orders ?? .init())
  }

  /// Whether it tries faults, if there are any.
  package var triesFaults: Bool { isIncluded != nil }

  /// How many faults were tried.
  package var faultCount: Int { position - 1 }

  /// The fault that's being tried, in words; `nil` if there's only one search.
  package var place: String? {
    guard orders != nil, position < faults.count else { return nil }
    if position > 0 { return "fault \(position) of \(faults.count - 1)" }
    return faults.count > 1 ? "without a fault" : nil
  }

  /// How many runs follow for certain, and whether there won't be others.
  package var runsLeft: (count: Int, isFinal: Bool) {
    guard position < faults.count else { return (0, true) }
    guard orders != nil else { return (faults.count - position, true) }
    return (search.runsLeft.count, search.runsLeft.isFinal && position == faults.count - 1)
  }

  /// What to run next; `nil` at the end.
  package func next() -> Variation? {
    guard position < faults.count else { return nil }
    let schedule = isPlainRunDue ? nil : search.next()
    return Variation(schedule: schedule, fault: faults[position])
  }

  /// With records, a search begins with a run that makes no choices, which has to be the same as
  /// the one in the usual order.
  private var isPlainRunDue: Bool {
    orders.map { $0.trustsRecords && plainRun == nil } ?? true
  }

  /// Notes what happened with the variation that ``next()`` returned.
  package mutating func note(_ run: Run) {
    guard let variation = next() else { preconditionFailure("there was nothing left to try") }
    if findings.isEmpty {
      possibleFaults = run.possibleFaults
      if let isIncluded { faults += possibleFaults.filter(isIncluded) }
    }
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
      differences.append((variation.fault, difference))
      return goToNextFault()
    }
    if schedule == .usual, variation.fault == nil { choiceCount = run.choices.count }
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
    guard position < faults.count else { return }
    cuts.append("stopped by \(cause) before \(Self.words(for: faults[position]))")
    faults.removeSubrange(position...)
  }

  private mutating func goToNextFault(stoppedBy cause: String? = nil) {
    if search.isCut || cause != nil {
      let place = faults.count > 1 ? "\(Self.words(for: faults[position])): " : ""
      let runs = counted(search.runCount, "run")
      cuts.append(
        search.runCount == 0
          ? "\(place)stopped\(cause ?? "") before other orders were tried"
          : "\(place)stopped\(cause ?? "") after \(runs), and there are more orders")
    }
    position += 1
    plainRun = nil
    search = OrderSearch(orders ?? .init())
  }

  /// A fault in words.
  package static func words(for fault: NetworkFault?) -> String {
    fault.map { "\($0)" } ?? "without a fault"
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
    // The cases of the present fault are the last ones.
    if let last = findings[index].cases.last, last.variation.fault == variation.fault {
      findings[index].cases[findings[index].cases.count - 1].count += count
    } else {
      findings[index].cases.append(new)
    }
  }
}
