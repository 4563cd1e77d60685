import ArgumentParser
import Foundation
import ServerTestSupport

/// The options of the command line.
struct TrialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "server-trial",
    abstract: "Runs the scenarios with bad servers, and writes what happens into the page.",
    discussion: "The scenarios are those of the main package's debug build.")

  /// The scenarios of a short run: with a completion handler, a delegate, a publisher, and both
  /// request bodies and tokens.
  private static let few = [
    "completion-handler", "streaming-delegate", "decode-user", "todo-client",
  ]

  @Flag(help: "Run only four scenarios, and compare what happens with the page.")
  var short = false

  @Option(help: ArgumentHelp("Run only this scenario, and write nothing.", valueName: "name"))
  var scenario: String?

  @Option(help: ArgumentHelp("Run only this bad server, and write nothing.", valueName: "name"))
  var server: String?

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("Run everything so often, and write nothing.", valueName: "count"))
  var count = 1

  @Flag(help: "List the outcome of each run.")
  var list = false

  private var isPart: Bool { scenario != nil || server != nil || count > 1 }

  func validate() throws {
    if let scenario, !scenarios.contains(scenario) {
      throw ValidationError("there's no scenario '\(scenario)'")
    }
    if let server, !badServers.contains(where: { $0.name == server }) {
      throw ValidationError(
        "there's no server '\(server)'. Use one of: "
          + badServers.map(\.name).joined(separator: ", "))
    }
    guard (1...1000).contains(count) else { throw ValidationError("--repeat takes 1 to 1000") }
  }

  func run() throws {
    let trial = Trial(limits: Trial.Limits())
    let runs = try runs()
    let list = list
    let judge = Judge(memory: trial.limits.memory)
    let first = try trial.outcomes(of: runs) { if list { print($0.summary) } }
    let outcomes = try judge.outcomes(afterSecondChanceFor: first) { index in
      print("server-trial: once more, alone: \(first[index].summary)")
      let outcome = try trial.outcome(of: runs[index])
      if list { print(outcome.summary) }
      return outcome
    }
    var problems = judge.problems(in: outcomes)

    let file = repositoryFile("Scenarios/server/Results/bad-servers.md")
    let requests = try isPart ? nil : BadRequestTable()
    problems += requests?.problems ?? []
    if short || isPart {
      let text = try String(contentsOf: file, encoding: .utf8)
      problems += TrialPage(text).differences(from: outcomes)
      problems += try requests?.difference(from: text).map { [$0] } ?? []
    } else if problems.isEmpty {
      let tables = TrialTables(outcomes: outcomes, scenarios: scenarios)
      try TrialPage.block.write(tables.lines, to: file)
      if let requests { try BadRequestTable.block.write(requests.lines, to: file) }
      print("wrote Scenarios/server/Results/bad-servers.md")
    }
    for problem in problems { print("server-trial: \(problem)") }
    print(
      "server-trial: \(runs.count) runs, \(badServers.count) bad servers, "
        + "\(requests?.rows.count ?? 0) bad requests, "
        + "at most \((outcomes.map(\.peakMemory).max() ?? 0) >> 20) MiB in a run: "
        + (problems.isEmpty ? "passed" : "\(problems.count) problems"))
    if !problems.isEmpty { throw ExitCode.failure }
  }

  private func runs() throws -> [Trial.Run] {
    let names = scenarios.filter { name in
      if let scenario { name == scenario } else { !short || Self.few.contains(name) }
    }
    let refusing = try Set(
      names.filter { try !runScenario($0, "--help").stdout.contains("--server URL") })
    // Servers change from run to run, so that those which need a whole core don't meet.
    var runs: [Trial.Run] = []
    for name in names {
      for group in BadServer.Group.allCases {
        for server in badServers where self.server == nil || server.name == self.server {
          guard server.groups.contains(group) else { continue }
          let run = Trial.Run(
            server: server, group: group, scenario: name, refusesServers: refusing.contains(name))
          runs += Array(repeating: run, count: count)
        }
      }
    }
    return runs
  }
}

extension Outcome {
  /// The outcome in one line.
  var summary: String {
    let row = TrialTables.Row(self)
    return "\(title): \(kill.map { "killed \($0), " } ?? "")\(row.words), \(peakMemory >> 20) MiB"
  }
}
