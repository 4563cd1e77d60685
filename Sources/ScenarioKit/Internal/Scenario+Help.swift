import Foundation

extension Scenario {
  /// What `--help` prints.
  var help: String {
    let takesServer = refusesServers == nil
    let usage =
      "[--marbles | --trace] [--real-time\(takesServer ? " | --server URL" : "")]"
      + flags.map { " [\($0.argument)]" }.joined()
    return """
      \(summary)

      usage: \(name) \(usage)
             \(name) --help

      \(table(ofArguments))
      \(takesServer ? "Without a server, the same" : "The same") run gives the same output every time.
      More about it: docs/scenarios/\(name).md

      """
  }

  private var ofArguments: [(argument: String, does: String)] {
    let server = [
      ("--server URL", "ask a server in place of the stubs, such as http://127.0.0.1:8080"),
      ("", "(`make server` starts one); a part is given up after \(Pace.deadline)"),
    ]
    return [
      ("(nothing)", "print the transcript: what happened when, in virtual time"),
      ("--marbles", "draw what happened as marble diagrams"),
      ("--trace", "print each event as a JSON object on a line of its own"),
      ("--real-time", "let the same script take its time by the wall clock"),
    ] + (refusesServers == nil ? server : []) + flags.map { ($0.argument, $0.summary) } + [
      ("--help", "print this")
    ]
  }

  private func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { argument, does in
      "  " + argument.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + does + "\n"
    }
    .joined()
  }
}
