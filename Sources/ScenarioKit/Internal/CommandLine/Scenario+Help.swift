import Foundation
import Timeline

extension Scenario {
  /// The text that `--parts` prints.
  var partList: String {
    let width = "\(parts.count)".count
    return parts.enumerated().map { index, part in
      let number = "\(index + 1)"
      return String(repeating: " ", count: width - number.count) + "\(number)  \(part.title)\n"
    }
    .joined()
  }

  /// The text that `--help` prints.
  ///
  /// - Parameter width: The width that the effects of options fit in; `nil` for a line of each.
  func help(width: Int?) -> String {
    let takesServer = refusesServers == nil
    let options = Self.options(flags: flags, takesServer: takesServer)
    return """
      \(summary)

      usage: \(name) [OPTION ...]

      \(table(of: [transcript] + options, width: width))
      \(takesServer ? "Without a server, every" : "Every") run prints the same output.
      Learn more: docs/scenarios/\(name).md

      """
  }

  private var transcript: (argument: String, effect: String) {
    ("(no options)", "print the transcript: what happened when, in virtual time")
  }

  /// All options, with what the help says about them.
  ///
  /// Built step by step, because one expression takes the compiler a second.
  static func options(
    flags: [Flag], takesServer: Bool
  ) -> [(argument: String, effect: String)] {
    var options: [(argument: String, effect: String)] = [
      ("--marbles", "draw what happened as a marble diagram"),
      ("--play", "step through the marbles on this terminal, with the arrow keys"),
      ("--svg", "draw a picture, to save in a file: --svg > run.svg"),
      ("--trace", "print each event as a JSON object on its own line"),
      (
        "--why EVENT",
        "explain how an event came about; name it by a text that's printed or delivered, a lane, a "
          + "time or its number, such as --why 12. A number or a time is that of part 1"
      ),
      (
        "--until MOMENT",
        "show what waits and what's open at a time or after an event of part 1, "
          + "such as 600ms or \"event 12\""
      ),
      (
        "--player FILE",
        "write a web page to step through the run, to move what happens, and to see what follows"
      ),
      ("--step TIME", "with --player: how far things move at a time, such as 50ms"),
      ("--stage", "answer requests for runs, each a line of JSON, as make play does"),
      ("--parts", "list the parts with their numbers"),
      ("--part N", "show only the part with this number"),
      (
        "--explore",
        "try other orders of what happens at one instant, and print the outcomes; with "
          + "--svg, draw two"
      ),
      ("--departures N", "with --explore: depart up to N times from the usual order (default: 1)"),
      ("--replay SCHEDULE", "run a part in an order that --explore has printed, such as 600ms:1"),
      (
        "--faults",
        "let each request fail in each way, and print what that leads to; with --explore, in other "
          + "orders too"
      ),
      ("--lasting", "with --faults: from one request on, let each fail, as in an outage"),
      ("--pairs", "with --faults: also let two requests of a run fail"),
      (
        "--fault FAULT",
        "run a part with a fault that --faults prints, such as \"request 1 times out\""
      ),
      (
        "--sweep",
        "move each thing that the part decides to any time, and print which times lead to which "
          + "outcome; with --svg, draw it"
      ),
      (
        "--only THING",
        "with --sweep or --player: move only this, such as \"GET /user\" or \"action 2\", or only responses or "
          + "inputs"
      ),
      (
        "--move MOVE",
        "run a part with something at another time, such as \"GET /user to 300ms\" or \"action 2 to "
          + "never\"; can be given more than once"
      ),
      ("--real-time", "run the same script on the wall clock, so you can watch it happen"),
    ]
    if takesServer {
      options += [
        (
          "--server URL",
          "send the requests to a real server instead of the stubs, such as http://127.0.0.1:8080 "
            + "(start one with `make server`)"
        ),
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

  private func table(
    of rows: [(argument: String, effect: String)], width: Int?
  ) -> String {
    let column = (rows.map(\.0.count).max() ?? 0) + 4
    // On a narrow terminal, folding would leave a word in each line.
    let rest = max(20, (width ?? 95) - column)
    return rows.flatMap { argument, effect in
      effect.split(separator: " ").map(String.init).folded(to: rest).enumerated().map {
        index, line in
        (index == 0 ? "  \(argument)" : "").padding(toLength: column, withPad: " ", startingAt: 0)
          + line + "\n"
      }
    }
    .joined()
  }
}
