/// A run that ends with a signal, and has to.
struct DocumentedTrap: Sendable {
  let server: String
  let group: BadServer.Group
  /// Why the scenario can't do anything about it.
  let reason: String
}

/// All runs that may end with a signal. If one of them doesn't do so any more, the trial fails too,
/// so that the entry is removed here and on the page.
let documentedTraps = [
  DocumentedTrap(
    server: "closes within the head", group: .afterTheCheck,
    reason: "Foundation traps when a transfer ends without a complete head.")
]

/// Decides whether scenarios behaved well.
struct Judge {
  var traps = documentedTraps
  /// The most memory that a scenario may use, in bytes.
  var memory: Int

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
    let isDocumented = traps.contains {
      $0.server == outcome.server && $0.group == outcome.group
    }
    switch outcome.status {
    case ..<0:
      if !isDocumented || outcome.refusesServers {
        problems.append("ended with signal \(-outcome.status)")
      }
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

  /// The documented traps that don't happen.
  private func formerTraps(in outcomes: [Outcome]) -> [String] {
    traps.filter { trap in
      let runs = outcomes.filter {
        $0.server == trap.server && $0.group == trap.group && !$0.refusesServers
      }
      return !runs.isEmpty && !runs.contains { $0.status < 0 && $0.kill == nil }
    }.map {
      "\($0.server), \($0.group.rawValue): no scenario ends with a signal any more. Remove it from "
        + "documentedTraps"
    }
  }

  private func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
}

extension Outcome {
  /// Which run it is, for messages.
  var title: String { "\(scenario), \(server), \(group.rawValue)" }
}
