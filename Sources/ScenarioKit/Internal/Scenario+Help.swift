import Foundation

extension Scenario {
  /// The text that `--help` prints.
  var help: String {
    let takesServer = refusesServers == nil
    let usage =
      "[--marbles | --svg | --trace | --why N | --player FILE] [--part N]\n"
      + String(repeating: " ", count: "usage:  ".count + name.count)
      + "[--real-time\(takesServer ? " | --server URL [--time-limit SECONDS]" : "")]"
      + flags.map { " [\($0.argument)]" }.joined()
    return """
      \(summary)

      usage: \(name) \(usage)
             \(name) --help

      \(table(of: options))
      \(takesServer ? "Without a server, every" : "Every") run prints the same output.
      Learn more: docs/scenarios/\(name).md

      """
  }

  // Built step by step, because one expression takes the compiler a second.
  private var options: [(argument: String, effect: String)] {
    var options: [(argument: String, effect: String)] = [
      ("(no options)", "print the transcript: what happened when, in virtual time"),
      ("--marbles", "draw what happened as a marble diagram"),
      ("--svg", "draw a picture, to save in a file: --svg > run.svg"),
      ("--trace", "print each event as a JSON object on its own line"),
      ("--why N", "explain why event N of part 1 happened; for another part, add --part"),
      ("--player FILE", "write a web page to step through the run"),
      ("--part N", "show only the part with this number (a player shows all)"),
      ("--real-time", "run the same script on the wall clock, so you can watch it happen"),
    ]
    if refusesServers == nil {
      options += [
        ("--server URL", "send the requests to a real server instead of the stubs, such as"),
        ("", "http://127.0.0.1:8080 (start one with `make server`)"),
        (
          "--time-limit SECONDS",
          "with a server: stop the run after this time (default: \(TimeLimit.standardSeconds))"
        ),
      ]
    }
    for flag in flags { options.append((flag.argument, flag.summary)) }
    options.append(("--help", "print this help"))
    return options
  }

  private func table(of rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { argument, effect in
      "  " + argument.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + effect + "\n"
    }
    .joined()
  }
}
