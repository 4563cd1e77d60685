import StubNetwork
import Timeline
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

/// What leads to a run, as a request has it.
struct StageTrial: Codable, Hashable {
  var moves: [String] = []
  var fault: String?
  var schedule: String?

  init(_ variation: Variation) {
    moves = variation.moves.map { "\($0)" }
    fault = variation.faults.first.map { "\($0)" }
    // In the usual order, nothing else happens than without a choice.
    schedule = variation.schedule.flatMap { $0 == .usual ? nil : "\($0)" }
  }
}

/// A run that ended the program, so that a search can't make it again.
struct StageCrash: Decodable {
  let trial: StageTrial
  /// What a user would notice.
  let outcome: String
}

/// The search for the other endings of a part: of things at other times, of other orders, and of
/// faults. Each outcome is there once, with the first of these that leads to it.
struct StageEndings {
  /// How many orders are tried. More would take long.
  private static let mostOrders = 200

  /// A run, as far as it's known. Nothing is known of one that ends the program, but its ending.
  private struct Run {
    let ending: [String]
    var recording = Timeline.Recording.Part()
    var actions: [ActionRun] = []
    var choices: [OrderChoice] = []
    var possibleFaults: [NetworkFault] = []
    var script = Script()
    var end = VirtualTime.zero
  }

  private let make: (Variation) -> World.Outcome
  private let crashes: [StageTrial: String]
  /// Whether the search ends once it has come to all of these.
  private let isLast: Bool
  /// The crashes that it hasn't come to yet.
  private var crashesAhead: Set<StageTrial>
  private var known: Set<[String]> = []
  private var endings: [StageEnding] = []
  private var script = Script()

  /// - Parameters:
  ///   - crashes: The runs that have ended the program in an earlier search for the same.
  ///   - isLast: Whether the search ends after the last of these.
  ///   - run: Runs the part once.
  static func all(
    past crashes: [StageCrash] = [], isLast: Bool = false,
    _ run: @escaping (Variation) -> World.Outcome
  ) -> [StageEnding] {
    var search = StageEndings(past: crashes, isLast: isLast, run)
    let sweeps = search.sweep()
    search.script = sweeps.script
    search.add(sweeps.findings.filter { $0.thing.kind == .response })
    search.tryOrdersAndFaults()
    // A reader expects most of these, so they come last.
    search.add(sweeps.findings.filter { $0.thing.kind != .response })
    // Those of a search that has ended early.
    for crash in crashes {
      let (trial, outcome) = (crash.trial, [crash.outcome])
      let title = trial.moves.first ?? trial.fault ?? trial.schedule ?? ""
      search.add(
        StageEnding(
          title: title, outcome: outcome, moves: trial.moves, fault: trial.fault,
          schedule: trial.schedule))
    }
    // A crash is what a reader should see first.
    let crashed = Set(crashes.map { [$0.outcome] })
    return search.endings.filter { crashed.contains($0.outcome) }
      + search.endings.filter { !crashed.contains($0.outcome) }
  }

  private init(
    past crashes: [StageCrash], isLast: Bool, _ make: @escaping (Variation) -> World.Outcome
  ) {
    self.crashes = Dictionary(crashes.map { ($0.trial, $0.outcome) }) { $1 }
    (self.isLast, self.make) = (isLast, make)
    crashesAhead = Set(self.crashes.keys)
  }

  /// Makes a run, if that doesn't end the program.
  ///
  /// - Returns: `nil` if the search has to end.
  private mutating func run(_ variation: Variation) -> Run? {
    let trial = StageTrial(variation)
    if let outcome = crashes[trial] {
      crashesAhead.remove(trial)
      return Run(ending: [outcome])
    }
    if isLast, crashesAhead.isEmpty { return nil }
    let run = make(variation)
    return Run(
      ending: run.sweepEnding, recording: run.recording, actions: run.actions,
      choices: run.choices, possibleFaults: run.possibleFaults, script: run.script, end: run.end)
  }

  private mutating func add(_ ending: StageEnding) {
    if known.insert(ending.outcome).inserted { endings.append(ending) }
  }

  private mutating func sweep() -> Sweeps<[String]> {
    var sweeps = Sweeps<[String]>()
    while let variation = sweeps.next() {
      guard let run = run(variation) else {
        sweeps.stop(by: "crashes")
        break
      }
      sweeps.note(
        .init(
          ending: run.ending, recording: run.recording, actions: run.actions,
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
      guard let run = run(variation) else { break }
      orders.note(
        .init(
          ending: run.ending, recording: run.recording, choices: run.choices,
          possibleFaults: run.possibleFaults))
    }
    for finding in orders.findings.dropFirst() {
      let schedule = finding.cases[0].variation.schedule.map { "\($0)" }
      add(
        StageEnding(
          title: finding.cases[0].order, outcome: finding.ending, schedule: schedule))
    }
    for fault in orders.possibleFaults {
      guard let run = run(Variation(faults: [fault])) else { break }
      add(StageEnding(title: "\(fault)", outcome: run.ending, fault: "\(fault)"))
    }
  }
}
