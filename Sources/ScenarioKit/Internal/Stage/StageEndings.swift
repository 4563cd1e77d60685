import StubNetwork
import VirtualTime
import VirtualWorld

/// Another ending of a part, and what leads to it.
struct StageEnding: Encodable {
  /// What leads to it, such as `GET /search?q=sw at 999ms`.
  let title: String
  let outcome: [String]
  var moves: [String] = []
  var fault: String?
  var schedule: String?
}

/// The search for the other endings of a part: of things at other times, of other orders, and of
/// faults. Each outcome is there once, with the first of these that leads to it.
struct StageEndings {
  /// How many orders are tried. More would take long.
  private static let mostOrders = 200

  private let run: (Variation) -> World.Outcome
  private var known: Set<[String]> = []
  private var endings: [StageEnding] = []
  private var script = Script()

  /// - Parameter run: Runs the part once.
  static func all(_ run: @escaping (Variation) -> World.Outcome) -> [StageEnding] {
    var search = StageEndings(run: run)
    let sweeps = search.sweep()
    search.script = sweeps.script
    search.add(sweeps.findings.filter { $0.thing.kind == .response })
    search.tryOrdersAndFaults()
    // A reader expects most of these, so they come last.
    search.add(sweeps.findings.filter { $0.thing.kind != .response })
    return search.endings
  }

  private init(run: @escaping (Variation) -> World.Outcome) { self.run = run }

  private mutating func add(_ ending: StageEnding) {
    if known.insert(ending.outcome).inserted { endings.append(ending) }
  }

  private mutating func sweep() -> Sweeps<[String]> {
    var sweeps = Sweeps<[String]>()
    while let variation = sweeps.next() {
      let run = run(variation)
      sweeps.note(
        .init(
          ending: run.sweepEnding, recording: run.recording, actions: run.actions,
          script: run.script, end: run.end))
    }
    if let usual = sweeps.usualEnding { known.insert(usual) }
    return sweeps
  }

  private mutating func add(_ findings: [Sweeps<[String]>.Finding]) {
    for finding in findings {
      let address = finding.thing.address
      let name = script.deed(of: address).map { "\(address) (\($0))" } ?? address
      for range in finding.ranges {
        let move = Move(address, to: range.closest(to: finding.thing.usual))
        add(
          StageEnding(
            title: "\(name) at \(move.time)", outcome: range.ending, moves: ["\(move)"]))
      }
      if let never = finding.never {
        let move = Move(address, to: .max)
        add(StageEnding(title: "\(name) never comes", outcome: never, moves: ["\(move)"]))
      }
    }
  }

  private mutating func tryOrdersAndFaults() {
    var orders = Trials<[String]>(
      orders: OrderBound(runs: Self.mostOrders, trustsRecords: true))
    while let variation = orders.next() {
      let run = run(variation)
      orders.note(
        .init(
          ending: run.sweepEnding, recording: run.recording, choices: run.choices,
          possibleFaults: run.possibleFaults))
    }
    for finding in orders.findings.dropFirst() {
      let schedule = finding.cases[0].variation.schedule.map { "\($0)" }
      add(
        StageEnding(
          title: finding.cases[0].order, outcome: finding.ending, schedule: schedule))
    }
    for fault in orders.possibleFaults {
      let outcome = run(Variation(faults: [fault])).sweepEnding
      add(StageEnding(title: "\(fault)", outcome: outcome, fault: "\(fault)"))
    }
  }
}
