import ArgumentParser
import Foundation
import ServerTestSupport

/// The options of the command line.
struct TrialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "server-trial",
    abstract: "Runs the scenarios with bad servers, and writes what happens into the pages.")

  @Flag(help: "Run only some scenarios, and compare what happens with the page.")
  var short = false

  @Option(help: "Run only this scenario, and write nothing.")
  var scenario: String?

  @Option(help: "Run only this bad server, and write nothing.")
  var server: String?

  @Option(name: .customLong("repeat"), help: "Run everything this often, and write nothing.")
  var count = 1

  func run() throws {
    let trial = Trial(limits: Trial.Limits(stalled: 5))
    var runs: [Trial.Run] = []
    for server in badServers where self.server == nil || server.name == self.server {
      for group in BadServer.Group.allCases where server.groups.contains(group) {
        for scenario in scenarios where self.scenario == nil || scenario == self.scenario {
          for _ in 0..<count {
            runs.append(Trial.Run(server: server, group: group, scenario: scenario))
          }
        }
      }
    }
    _ = try trial.outcomes(of: runs) { print($0) }
  }
}
