/// A trap inside Foundation, with a bad server. A scenario can't prevent it, and ends after one
/// line.
struct DocumentedTrap: Sendable {
  let server: String
  let group: BadServer.Group
  /// Why it traps, in one sentence.
  let reason: String

  func matches(_ outcome: Outcome) -> Bool {
    server == outcome.server && group == outcome.group && !outcome.refusesServers
  }
}

/// All cases in which Foundation traps. Any other trap fails the trial. If one of these doesn't
/// happen any more, the trial fails too, so that the entry is removed here.
let documentedTraps = [
  DocumentedTrap(
    server: "closes within the head", group: .fromTheStart,
    reason: "Foundation expects a response at the end of a transfer."),
  DocumentedTrap(
    server: "closes within the head", group: .afterTheCheck,
    reason: "Foundation expects a response at the end of a transfer."),
]

extension Outcome {
  /// Whether the run was ended by a trap: by its signal, or with the line that the scenario writes
  /// instead.
  var isTrap: Bool {
    kill == nil && status < 0 || errors.contains { $0.contains("URLSession on Linux traps") }
  }
}

/// Decides whether scenarios behaved well.
struct Judge {
  var traps = documentedTraps
  /// The most memory that a scenario may use, in bytes.
  var memory: Int
  /// The names of the servers that stall.
  var stalling = Set(badServers.filter(\.stalls).map(\.name))

  /// Whether a part should have met its time limit, but the run ended in another way. On a slow
  /// machine, that may be the limit too: it came while the program was still at its check.
  func isSurprised(by outcome: Outcome) -> Bool {
    outcome.group == .afterTheCheck && stalling.contains(outcome.server)
      && !outcome.refusesServers && outcome.kill == nil
      && outcome.errors != ["SCENARIO: PART: stopped at the time limit of N s; …"]
  }

  /// Runs each surprising case once more, while no other one runs.
  ///
  /// - Parameters:
  ///   - outcomes: The outcomes of all runs.
  ///   - run: Runs the case with an index again, and returns its outcome.
  /// - Returns: All outcomes, with the new ones instead of those that surprised.
  func outcomes(
    afterSecondChanceFor outcomes: [Outcome], _ run: (Int) throws -> Outcome
  ) rethrows -> [Outcome] {
    try outcomes.indices.map { index in
      try isSurprised(by: outcomes[index]) ? run(index) : outcomes[index]
    }
  }

  /// Returns one line for each problem.
  func problems(in outcomes: [Outcome]) -> [String] {
    outcomes.flatMap(problems) + disagreements(in: outcomes) + formerTraps(in: outcomes)
  }

  private func problems(of outcome: Outcome) -> [String] {
    var problems: [String] = []
    switch outcome.kill {
    case .afterItsTimeLimit?: return ["\(outcome.title): didn't end by itself"]
    case .forItsMemory?:
      return ["\(outcome.title): was killed when it used \(mebibytes(outcome.peakMemory))"]
    case nil: break
    }
    let mayTrap = traps.contains { $0.matches(outcome) }
    if outcome.isTrap, outcome.status >= 0, !mayTrap {
      problems.append("trapped, and that isn't documented: \(outcome.errors[0])")
    }
    switch outcome.status {
    case ..<0 where !mayTrap: problems.append("ended with signal \(-outcome.status)")
    case ..<0: break
    case 64 where outcome.refusesServers, 1 where !outcome.refusesServers: break
    case 0 where outcome.group == .afterTheCheck && !outcome.refusesServers: break
    case 0 where !outcome.refusesServers:
      problems.append("ended with status 0, but the check at the start should have failed")
    default: problems.append("ended with status \(outcome.status)")
    }
    let expected = outcome.status == 0 ? 0 : 1
    if outcome.errors.count != expected {
      problems.append(
        "lines on the standard error: \(outcome.errors.count) instead of \(expected), "
          + "\(outcome.errors.prefix(3))")
    }
    if let line = outcome.errors.first, let match = line.firstMatch(of: /\b\d+ s\b/) {
      problems.append("took \(match.0), though the server doesn't stall: \(line)")
    }
    if outcome.group == .fromTheStart && !outcome.requestEnds.isEmpty {
      problems.append("sent requests, but the check at the start should have failed")
    }
    if isSurprised(by: outcome) {
      problems.append("didn't meet its time limit in a part: \(outcome.errors.first ?? "no line")")
    }
    if outcome.peakMemory > memory {
      problems.append(
        "used \(mebibytes(outcome.peakMemory)), but \(mebibytes(memory)) is the bound")
    }
    return problems.map { "\(outcome.title): \($0)" }
  }

  /// The check at the start is the same for all scenarios, so they have to print the same.
  private func disagreements(in outcomes: [Outcome]) -> [String] {
    var first: [String: Outcome] = [:]
    var problems: [String] = []
    for outcome in outcomes where outcome.group == .fromTheStart && !outcome.refusesServers {
      guard let other = first[outcome.server] else {
        first[outcome.server] = outcome
        continue
      }
      if (outcome.status, outcome.errors) != (other.status, other.errors) {
        problems.append("\(outcome.title): doesn't end like \(other.scenario)")
      }
    }
    return problems
  }

  /// The documented traps that no longer happen.
  private func formerTraps(in outcomes: [Outcome]) -> [String] {
    traps.filter { trap in
      let runs = outcomes.filter(trap.matches)
      return !runs.isEmpty && !runs.contains(where: \.isTrap)
    }.map {
      "\($0.server), \($0.group.rawValue): no scenario traps any more. Remove it from "
        + "documentedTraps"
    }
  }

  private func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
}

extension Outcome {
  /// Which run it is, for messages.
  var title: String { "\(scenario), \(server), \(group.rawValue)" }
}
