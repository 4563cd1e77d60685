import Testing

@testable import server_trial

/// The judge finds outcomes that aren't good.
@Suite struct JudgeTests {
  private static let judge = Judge(
    traps: [
      DocumentedTrap(
        server: "traps", group: .afterTheCheck, reason: "No choice.")
    ],
    memory: 100 << 20, stalling: ["stalls"])

  private static func outcome(
    _ group: BadServer.Group = .afterTheCheck, server: String = "closes",
    scenario: String = "decode-user", _ change: (inout Outcome) -> Void = { _ in }
  ) -> Outcome {
    let isStart = group == .fromTheStart
    var outcome = Outcome(
      server: server, group: group, scenario: scenario, status: isStart ? 1 : 0,
      errors: isStart ? ["SCENARIO: can't"] : [],
      requestEnds: isStart ? [] : ["badServerResponse"], peakMemory: 40 << 20)
    change(&outcome)
    return outcome
  }

  private static let limitInAPart = "SCENARIO: PART: stopped at the time limit of N s; …"

  @Test func findsNothingInGoodOutcomes() {
    let good = [
      Self.outcome(), Self.outcome(.fromTheStart),
      Self.outcome(.fromTheStart, scenario: "todo-client"),
      Self.outcome { ($0.status, $0.errors) = (1, ["SCENARIO: PART: it's gone"]) },
      Self.outcome { $0.peakMemory = 100 << 20 },
      Self.outcome(.fromTheStart) {
        ($0.refusesServers, $0.status, $0.errors) = (true, 64, ["SCENARIO: can't use --server"])
      },
      Self.outcome(server: "traps") { ($0.status, $0.errors) = (-4, ["Fatal error"]) },
      Self.outcome(server: "stalls") { ($0.status, $0.errors) = (1, [Self.limitInAPart]) },
      Self.outcome(.fromTheStart, server: "stalls"),
      Self.outcome(server: "traps") {
        ($0.status, $0.errors) = (1, ["URLSession on Linux traps on it"])
      },
    ]
    #expect(Self.judge.problems(in: good) == [])
  }

  @Test(arguments: [
    (
      outcome {
        $0.status = -4; $0.errors = ["Fatal error"]
      }, "ended with signal 4"
    ),
    (
      outcome(.fromTheStart, server: "traps") {
        $0.status = -4; $0.errors = ["Fatal error"]
      },
      "ended with signal 4"
    ),
    (
      outcome {
        $0.status = 1
        $0.errors = ["URLSession on Linux traps on it"]
      },
      "trapped, and that isn't documented: URLSession on Linux traps on it"
    ),
    (
      outcome {
        $0.status = 64; $0.errors = ["usage"]
      }, "ended with status 64"
    ),
    (
      outcome {
        $0.status = 139; $0.errors = ["?"]
      }, "ended with status 139"
    ),
    (
      outcome {
        $0.refusesServers = true; $0.requestEnds = []
      }, "ended with status 0"
    ),
    (
      outcome {
        $0.refusesServers = true; $0.status = 1; $0.errors = ["?"]
      },
      "ended with status 1"
    ),
    (
      outcome(.fromTheStart) {
        $0.status = 0; $0.errors = []
      },
      "ended with status 0, but the check at the start should have failed"
    ),
    (
      outcome(.fromTheStart) { $0.requestEnds = ["500"] },
      "sent requests, but the check at the start should have failed"
    ),
    (
      outcome { $0.errors = ["a"] },
      #"lines on the standard error: 1 instead of 0, ["a"]"#
    ),
    (
      outcome { $0.status = 1 }, "lines on the standard error: 0 instead of 1, []"
    ),
    (
      outcome {
        $0.status = 1; $0.errors = ["a", "b", "c", "d"]
      },
      #"lines on the standard error: 4 instead of 1, ["a", "b", "c"]"#
    ),
    (
      outcome {
        $0.kill = .afterItsTimeLimit; $0.status = -9
      }, "didn't end by itself"
    ),
    (
      outcome {
        $0.kill = .forItsMemory; $0.status = -9; $0.peakMemory = 300 << 20
      },
      "was killed when it used 300 MiB"
    ),
    (
      outcome {
        $0.status = 1; $0.errors = ["stopped after 60 s"]
      },
      "took 60 s, though the server doesn't stall: stopped after 60 s"
    ),
    (
      outcome(server: "stalls") {
        $0.status = 1; $0.errors = ["SCENARIO: didn't respond"]
      },
      "didn't meet its time limit in a part: SCENARIO: didn't respond"
    ),
    (outcome { $0.peakMemory = 101 << 20 }, "used 101 MiB, but 100 MiB is the bound"),
  ])
  func findsABadOutcome(_ outcome: Outcome, _ problem: String) {
    #expect(Self.judge.problems(in: [outcome]) == ["\(outcome.title): \(problem)"])
  }

  @Test func aRunThatDidNotMeetItsTimeLimitIsRepeatedOnce() {
    let late = Self.outcome(server: "stalls") {
      ($0.status, $0.errors) = (1, ["SCENARIO: didn't respond"])
    }
    let good = Self.outcome(server: "stalls") {
      ($0.status, $0.errors) = (1, [Self.limitInAPart])
    }
    let killed = Self.outcome(server: "stalls") { $0.kill = .forItsMemory }
    let first = [good, late, Self.outcome(), late, killed, Self.outcome(.fromTheStart)]
    var repeated: [Int] = []
    let outcomes = Self.judge.outcomes(afterSecondChanceFor: first) { index in
      repeated.append(index)
      return index == 1 ? good : late
    }
    #expect(repeated == [1, 3])
    #expect(outcomes == [good, good, Self.outcome(), late, killed, Self.outcome(.fromTheStart)])
  }

  @Test func findsScenariosThatEndDifferentlyAtTheCheck() {
    let outcomes = [
      Self.outcome(.fromTheStart),
      Self.outcome(.fromTheStart, scenario: "todo-client") { $0.errors = ["SCENARIO: won't"] },
    ]
    #expect(
      Self.judge.problems(in: outcomes)
        == ["todo-client, closes, from the start: doesn't end like decode-user"])
  }

  @Test func findsADocumentedTrapThatNoLongerHappens() {
    #expect(
      Self.judge.problems(in: [Self.outcome(server: "traps")]) == [
        "traps, after the check: no scenario traps any more. "
          + "Remove it from documentedTraps"
      ])
  }
}
