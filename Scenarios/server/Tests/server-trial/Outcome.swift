import Foundation

/// The outcome of one scenario with one bad server.
struct Outcome: Equatable, Sendable {
  /// The reason why the trial killed a scenario.
  enum Kill: Equatable, Sendable {
    case afterTheTimeLimit
    case forItsMemory
  }

  var server: String
  var group: BadServer.Group
  var scenario: String
  /// The exit code. If a signal ended the program, its negated number, such as -4.
  var status: Int32
  var kill: Kill?
  /// The lines on the standard error, without ports and durations.
  var errors: [String]
  /// The ways in which requests ended, such as `500` or `networkConnectionLost`, sorted.
  var requestEnds: [String]
  /// The most memory that the scenario used, in bytes.
  var peakMemory: Int
}

extension Outcome {
  /// - Parameters:
  ///   - stdout: The transcript of the run.
  ///   - stderr: The text that the run wrote to the standard error.
  init(
    _ server: BadServer, _ group: BadServer.Group, _ scenario: String, status: Int32,
    kill: Kill? = nil, stdout: String, stderr: String, peakMemory: Int
  ) {
    self.init(
      server: server.name, group: group, scenario: scenario, status: status, kill: kill,
      errors: stderr.split(separator: "\n").map { stable(String($0), scenario: scenario) },
      requestEnds: ends(ofRequestsIn: stdout), peakMemory: peakMemory)
  }
}

/// Replaces the parts of a line that differ from run to run, and the scenario's own name.
func stable(_ line: String, scenario: String) -> String {
  var line = line.replacing(/127\.0\.0\.(\d+):\d+/) { "127.0.0.\($0.1):PORT" }
  line.replace(/\b\d+ (s|seconds)\b/) { "N \($0.1)" }
  if line.hasPrefix("\(scenario): ") {
    line.replaceSubrange(..<line.firstIndex(of: ":")!, with: "SCENARIO")
  }
  return line
}

/// Returns the ways in which the requests of a transcript ended, sorted, each one once: the status
/// of the response, and the failure.
///
/// Cancelled requests aren't in it. A request that has a status and fails counts with both.
func ends(ofRequestsIn transcript: String) -> [String] {
  var ends: Set<String> = []
  for line in transcript.split(separator: "\n") {
    if let match = line.firstMatch(of: /^ *\d+m?s +request \d+ +failed: (\w+)/) {
      ends.insert(String(match.1))
    } else if let match = line.firstMatch(of: /^ *\d+m?s +request \d+ +(\d\d\d)\b/) {
      ends.insert(String(match.1))
    }
  }
  return ends.sorted()
}
