import ArgumentParser

/// The options of the command line.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario-server",
    abstract: "Runs a real HTTP server for the scenarios. Use it with --server URL.")

  @Option(help: "The address to listen on. Only this machine can reach the default one.")
  var host = "127.0.0.1"

  @Option(
    help: "The port to listen on; 0 picks a free one. (default: 8080)",
    transform: parsePort)
  var port = 8080

  @Option(
    help: ArgumentHelp(
      "The SQLite file for users, tokens and todos. It's created if it doesn't exist.",
      valueName: "path"))
  var database = "scenario-server.sqlite"

  @Option(
    help: ArgumentHelp(
      "How long a login is valid, in seconds. (default: 3600)", valueName: "seconds"),
    transform: parseLifetime)
  var tokenLifetime = 3600
}

/// The problem with a value. The parser's message says which value.
private struct Problem: Error, CustomStringConvertible {
  let description: String
}

@Sendable private func parsePort(_ text: String) throws -> Int {
  guard let port = Int(text), (0...65_535).contains(port) else {
    throw Problem(description: "use a number from 0 to 65535")
  }
  return port
}

@Sendable private func parseLifetime(_ text: String) throws -> Int {
  let year = 365 * 24 * 3600
  guard let seconds = Int(text), (1...year).contains(seconds) else {
    throw Problem(description: "use a number of seconds from 1 to \(year) (a year)")
  }
  return seconds
}
