import Foundation

/// The outcome of one scenario with one bad server.
struct Outcome: Equatable, Sendable {
  /// The reason why the trial killed a scenario.
  enum Kill: Equatable, Sendable {
    case afterItsTimeLimit
    case forItsMemory
  }

  var server: String
  var group: BadServer.Group
  var scenario: String
  /// Whether the scenario can't use a server at all, as its help says.
  var refusesServers = false
  /// The exit code. If a signal ended the program, its negated number, such as -4.
  var status: Int32
  var kill: Kill?
  /// The lines on the standard error, without the parts that differ from run to run.
  var errors: [String]
  /// The ways in which requests ended, sorted, each one once: the status of a response that came
  /// completely, such as `500`, or the failure, such as `networkConnectionLost`.
  var requestEnds: [String]
  /// The most memory that the scenario used, in bytes.
  var peakMemory: Int
}

extension Outcome {
  /// Reads the output of a run.
  ///
  /// - Parameters:
  ///   - stdout: The transcript.
  ///   - stderr: The text on the standard error.
  ///   - timeLimit: The time limit of the run in seconds, if the server stalls.
  mutating func read(stdout: String, stderr: String, timeLimit: Int?) {
    let transcript = TranscriptReader(stdout)
    requestEnds = transcript.requestEnds
    errors = stderr.split(separator: "\n").map {
      stable(String($0), scenario: scenario, parts: transcript.parts, timeLimit: timeLimit)
    }
  }
}

/// Replaces the parts of a line that differ between runs and scenarios.
///
/// - Parameters:
///   - line: A line on the standard error.
///   - parts: The titles of the scenario's parts.
///   - timeLimit: The time limit of the run in seconds, if the server stalls.
/// - Returns: The line with `SCENARIO`, `PART`, `PORT` and `N s`, and with `…` for paths and for
///   the open requests.
func stable(_ line: String, scenario: String, parts: [String], timeLimit: Int?) -> String {
  var line = line
  if line.hasPrefix("\(scenario): ") {
    line = "SCENARIO" + line.dropFirst(scenario.count)
    for part in parts where line.hasPrefix("SCENARIO: \(part): ") {
      line = "SCENARIO: PART" + line.dropFirst("SCENARIO: \(part)".count)
      break
    }
  }
  line.replace(/(127\.0\.0\.\d):\d+/) { "\($0.1):PORT" }
  line.replace(/:PORT\/[^\s,;)]*[^\s,;).]/) { _ in ":PORT/…" }
  if let timeLimit {
    // On a slow machine, the limit may come between two requests.
    line.replace(/; (no request is open|open requests: .*)$/) { _ in "; …" }
    line.replace(/\b(\d+) s\b/) { Int($0.1) == timeLimit ? "N s" : $0.0 }
  }
  line.replace(/\.swift:\d+:/) { _ in ".swift:N:" }
  return line
}

/// Reads the titles of parts and the ends of requests from a transcript.
private struct TranscriptReader {
  private(set) var parts: [String] = []
  private var ends: Set<String> = []

  var requestEnds: [String] { ends.sorted() }

  init(_ transcript: String) {
    var statuses: [Substring: String] = [:]
    for line in transcript.split(separator: "\n") {
      if line.hasPrefix("# ") {
        parts.append(String(line.dropFirst(2)))
        statuses = [:]
      }
      // Such as `  12ms  request 1   failed: timedOut`.
      guard let event = line.firstMatch(of: /^ *\d+m?s +(request \d+) +(\w+):? ?(\w*)/) else {
        continue
      }
      let (request, word) = (event.1, String(event.2))
      if word == "failed" {
        ends.insert(String(event.3))
      } else if word == "finished" {
        if let status = statuses[request] { ends.insert(status) }
      } else if word.count == 3, Int(word) != nil {
        statuses[request] = word
      }
    }
  }
}
