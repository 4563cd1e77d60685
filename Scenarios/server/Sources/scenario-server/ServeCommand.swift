import ArgumentParser
import ScenarioServer

/// What the command line asks for.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario-server",
    abstract: "Serves what the scenarios ask for with --server, over real HTTP.")

  @Option(help: "The address to listen at; only this machine reaches the default one.")
  var host = "127.0.0.1"

  @Option(
    help: "The port to listen at; with 0, any that is free. (default: 8080)",
    transform: parsePort)
  var port = 8080

  @Option(
    help: ArgumentHelp(
      "The SQLite file that holds users, tokens and todos; it is made if it is not there.",
      valueName: "path"))
  var database = "scenario-server.sqlite"

  @Option(
    help: ArgumentHelp(
      "For how many seconds a login is good. (default: 3600)", valueName: "seconds"),
    transform: parseLifetime)
  var tokenLifetime = 3600
}

/// What is wrong with a value, to follow the parser's words about which it is.
private struct Problem: Error, CustomStringConvertible {
  let description: String
}

@Sendable private func parsePort(_ text: String) throws -> Int {
  guard let port = Int(text), (0...65_535).contains(port) else {
    throw Problem(description: "it is no number from 0 to 65535")
  }
  return port
}

@Sendable private func parseLifetime(_ text: String) throws -> Int {
  let year = 365 * 24 * 3600
  guard let seconds = Int(text), (1...year).contains(seconds) else {
    throw Problem(description: "it is no number of seconds from 1 to \(year), a year")
  }
  return seconds
}
