import Foundation
import StubNetwork
import Testing
import VirtualWorld

/// A test that runs once without a fault, and then with the faults of its requests.
struct FaultTest<Value>: TestSearch {
  private var trials: Trials<[String]>
  private var endings: [(ending: Ending<Value>, lines: [String])] = []
  private var isFirst = true

  init(_ faults: FaultSelection, departures: Int, at location: SourceLocation) {
    if departures < 0 {
      reportIssue("departures must be 0 or more, and is \(departures)", at: location)
    }
    trials = Trials(
      orders: departures > 0 ? OrderBound(departures: departures) : nil, faults: faults.bound)
  }

  func next() -> Variation? { trials.next() }

  /// For a body that returns nothing.
  static var readsRecorders: Bool { true }

  /// The endings are compared one by one, or with a snapshot, which has all of them.
  static var endsWithProblems: Bool { false }

  mutating func note(_ run: TestRun<Value>) {
    let words =
      run.outcome.map { outcome in
        outcome is Void ? run.recorded : stableText(outcome).components(separatedBy: "\n")
      } ?? run.error.map { ["the body throws \(stableText($0))"] } ?? []
    // The problems of the first run fail the test.
    if isFirst {
      isFirst = false
      return trials.note(run.trial(words))
    }
    let lines = words + run.problems
    trials.note(run.trial(lines))
    let schedule = run.variation.schedule.flatMap { $0 == .usual ? nil : "\($0)" }
    let ending = Ending(
      faults: run.variation.faults, schedule: schedule, outcome: run.outcome, error: run.error,
      problems: run.problems, breaksExpectations: run.breaksExpectations)
    endings.append((ending, lines))
  }

  /// The text to compare with a snapshot.
  var table: String { trials.faultTable().joined(separator: "\n") + "\n" }

  /// Fails the test once for each different ending that isn't accepted or breaks an expectation of
  /// the run, and if there's none to
  /// judge or more than a limit allows. Endings that only differ in the status that they name count
  /// as one.
  func judge(
    at location: SourceLocation, _ isAccepted: (Ending<Value>) throws -> Bool
  ) rethrows {
    if endings.isEmpty {
      reportIssue("\(Trials<[String]>.noFaults), and no ending was judged", at: location)
    }
    var refused: [(endings: [Ending<Value>], lines: [String], general: [String])] = []
    for (ending, lines) in endings {
      let isAccepted = try isAccepted(ending)
      guard ending.breaksExpectations || !isAccepted else { continue }
      let general =
        ending.faults.last?.kind.withoutStatus(lines, unlike: trials.findings[0].ending) ?? lines
      if let index = refused.firstIndex(where: { $0.general == general }) {
        if refused[index].lines != lines { refused[index].lines = general }
        // With other orders, once is enough.
        if !refused[index].endings.contains(where: { $0.faults == ending.faults }) {
          refused[index].endings.append(ending)
        }
      } else {
        refused.append(([ending], lines, general))
      }
    }
    for (endings, lines, _) in refused {
      reportIssue(Self.message(endings, lines), at: location)
    }
    for cut in trials.cuts {
      reportIssue("not everything was tried: \(cut)", at: location)
    }
  }

  /// Says what leads to an ending, how it looks, and how to run the test like this again.
  private static func message(_ endings: [Ending<Value>], _ lines: [String]) -> String {
    let usual = endings.filter { $0.schedule == nil }
    let others = endings.filter { $0.schedule != nil }
    let first = (usual + others)[0]
    let isOne = endings.count == 1
    let noun = others.isEmpty ? "faults" : "cases"
    let head = isOne ? first.condition : "with each of \(endings.count) \(noun)"
    let list =
      isOne ? [] : NetworkFault.words(for: usual.map(\.faults)) + others.map(\.description)
    return
      (["\(head), the test ends in a way that isn't accepted:"] + list
      + lines.map { "  \($0)" } + ["to run \(isOne ? "it" : "the first") again: \(first.code)"])
      .joined(separator: "\n")
  }
}

extension Ending {
  fileprivate var condition: String { faults.isEmpty ? description : "if \(description)" }

  /// The code that leads to it.
  fileprivate var code: String {
    let order = schedule.map { "(schedule: \"\($0)\")" } ?? ""
    let fault =
      faults.isEmpty
      ? "" : "world.network.inject(\"\(NetworkFault.description(of: faults))\"); "
    return "withWorld\(order) { world in \(fault)… }"
  }
}
