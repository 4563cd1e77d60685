import Foundation
import ServerTestSupport
import Testing

@testable import server_trial

/// The tables of a trial, and their comparison with a page.
@Suite struct TrialTablesTests {
  private let servers = [
    BadServer("closes", "It closes.", .refuse), BadServer("says 500", "It fails.", .refuse),
  ]
  private let traps = [
    DocumentedTrap(server: "closes", group: .fromTheStart, reason: "So it is."),
    DocumentedTrap(
      server: "says 500", group: .afterTheCheck, reason: "A race."),
  ]
  private let scenarios = ["one", "two", "three", "none"]

  private var outcomes: [Outcome] {
    servers.flatMap { server in
      scenarios.flatMap { scenario -> [Outcome] in
        let isFirst = scenario == "two" && server.name == "closes"
        let refuses = scenario == "none"
        return [
          Outcome(
            server: server.name, group: .fromTheStart, scenario: scenario,
            refusesServers: refuses, status: refuses ? 64 : 1, errors: ["SCENARIO: a | b"],
            requestEnds: [], peakMemory: .random(in: 0...100)),
          Outcome(
            server: server.name, group: .afterTheCheck, scenario: scenario,
            refusesServers: refuses, status: refuses ? 64 : isFirst ? -4 : 0,
            errors: isFirst ? ["Fatal error"] : [],
            requestEnds: isFirst ? [] : ["500", "unknown"], peakMemory: .random(in: 0...100)),
        ]
      }
    }
  }

  private let text = #"""
    **Bad from its first response on.** The check at the start fails.

    | The server | The line | Status |
    | --- | --- | --- |
    | **closes**: It closes. | `SCENARIO: a \| b` | 1 |
    | **says 500**: It fails. | `SCENARIO: a \| b` | 1 |

    **Bad after the check.** `GET /` gets the right response, and all other requests the bad one.

    | The server | Scenarios | Requests end with | The line | Status |
    | --- | --- | --- | --- | --- |
    | **closes** | two | nothing | `Fatal error` | SIGILL |
    |  | all others | 500, `unknown` | none | 0 |
    | **says 500** | all | 500, `unknown` | none | 0 |

    **Traps inside Foundation.** A scenario can't prevent them, and ends with status 1.

    | The server | Bad | Because |
    | --- | --- | --- |
    | closes | from the start | So it is. |
    | says 500 | after the check | A race. |
    """#

  private func page() throws -> TrialPage {
    let empty = "# Page\n\n<!-- server-trial -->\n<!-- /server-trial -->\n\n| a | b | c |\n"
    return TrialPage(
      try TrialPage.block.replacing(in: empty, with: text.components(separatedBy: "\n")))
  }

  @Test func theTextDependsOnlyOnTheOutcomes() {
    for _ in 0..<20 {
      let tables = TrialTables(
        outcomes: outcomes.shuffled(), servers: servers, traps: traps, scenarios: scenarios)
      #expect(tables.lines.joined(separator: "\n") == text)
    }
  }

  @Test func thePageAgreesWithItsOutcomes() throws {
    let page = try page()
    #expect(page.differences(from: outcomes, servers: servers, traps: traps) == [])
    let some = outcomes.filter { $0.scenario == "two" }
    #expect(page.differences(from: some, servers: servers, traps: traps) == [])
  }

  @Test func thePageDiffersFromOtherOutcomes() throws {
    var outcomes = outcomes.filter { $0.scenario == "two" }
    outcomes[1].status = 0
    outcomes[2].errors = ["SCENARIO: c"]
    outcomes[3].requestEnds = []
    #expect(
      try page().differences(from: outcomes, servers: servers, traps: traps) == [
        "two, says 500, from the start: the page says `SCENARIO: a | b`, status 1, and requests "
          + "end with nothing, but now it's `SCENARIO: c`, status 1, and requests end with nothing",
        "two, closes, after the check: the page says `Fatal error`, status SIGILL, and requests "
          + "end with nothing, but now it's `Fatal error`, status 0, and requests end with nothing",
        "two, says 500, after the check: the page says none, status 0, and requests end with "
          + "500, `unknown`, but now it's none, status 0, and requests end with nothing",
      ])
  }

  @Test func thePageIsStaleIfItNamesOtherServersAndTraps() throws {
    let renamed = [servers[0], BadServer("says 503", "It fails.", .refuse)]
    #expect(
      try page().differences(from: [], servers: renamed, traps: []) == [
        "the page doesn't end with the table of documented traps",
        "the page doesn't name the servers that are bad from the start",
        "the page doesn't name the servers that are bad after the check",
      ])
  }

  @Test(arguments: [
    (
      "decode-user: The user: arrives: can't reach http://127.0.0.1:33127 (refused)",
      "SCENARIO: PART: can't reach http://127.0.0.1:PORT (refused)"
    ),
    (
      "decode-user: http://127.0.0.1:8080/users?a=1, http://127.0.0.2:1 within 60 s",
      "SCENARIO: http://127.0.0.1:PORT/…, http://127.0.0.2:PORT within 60 s"
    ),
    (
      "stopped at the time limit of 5 s; open requests: GET http://127.0.0.1:8080/a and 2 more",
      "stopped at the time limit of N s; …"
    ),
    (
      "stopped at the time limit of 5 s; no request is open",
      "stopped at the time limit of N s; …"
    ),
    ("Foundation/Some.swift:240: Fatal error", "Foundation/Some.swift:N: Fatal error"),
  ])
  func aLineHasNoPartThatDiffersBetweenRuns(_ line: String, _ expected: String) {
    #expect(
      stable(line, scenario: "decode-user", parts: ["The user: arrives"], timeLimit: 5)
        == expected)
  }

  @Test func theEndsOfRequestsAreReadFromTheTranscript() {
    var outcome = Outcome(
      server: "closes", group: .afterTheCheck, scenario: "decode-user", status: 1, errors: [],
      requestEnds: [], peakMemory: 0)
    outcome.read(
      stdout: """
        decode-user: Turn a response into a User.

        # The user arrives
           12ms  request 1   GET http://127.0.0.1:8080/users/ada
           15ms  request 1   200 OK
           15ms  request 1   14 bytes
           15ms  request 2   500 Internal Server Error
           15ms  request 1   finished
           15ms  console     request 1  failed: timedOut

        # The server fails
           11ms  request 1   failed: networkConnectionLost
           11ms  request 2   finished
           11ms  request 3   404 Not Found
           11ms  request 3   cancelled after 0 bytes

        """, stderr: "decode-user: The server fails: it's late\n", timeLimit: nil)
    #expect(outcome.requestEnds == ["200", "networkConnectionLost"])
    #expect(outcome.errors == ["SCENARIO: PART: it's late"])
  }
}
