import TestSupport
import Testing
import Timeline

import struct VirtualWorld.OrderBound
import struct VirtualWorld.Trials

@testable import ScenarioKit

/// What `--explore` and `--faults` print, together and with other options.
@Suite struct TrialTests {
  @Test func ordersAndFaultsCombine() async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--part", "1", "--explore", "--faults"])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "many-orders", kind: .faults)
  }

  /// It still has orders.
  @Test func aPartWithoutRequestsHasNoFaults() async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--part", "3", "--explore", "--faults"])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    #expect(
      result.stdout == """
        many-orders: Load two letters at one instant.

        # Two queues
        no request has a response, so nothing can go wrong with it
        2 choices, 3 runs with up to one departure, and 2 outcomes

        1. the usual order (2 runs)
           a
           b
           requests: none

        2. 0: the work for b before the work for a (1 run)
           $ swift run many-orders --part 3 --replay 0:1
         - a
           b
         + a
           requests: none

        """)
  }

  @Test func aPictureBeginsWhereTwoOutcomesPart() async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--part", "1", "--explore", "--svg"])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    #expect(result.stdout.contains("100ms: request 2 before request 1"))
    #expect(result.stdout.contains("200 OK"))
    #expect(!result.stdout.contains("https://example.com/a"))
  }

  @Test func ordersOfARunWithAFault() async throws {
    let result = try await runExecutable(
      "many-orders",
      arguments: ["--part", "2", "--explore", "--fault", "request 2 is refused"])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "many-orders", kind: .outcomes)
  }

  /// A printed command leads to what's printed below it.
  @Test func aFaultAndAScheduleRunTogether() async throws {
    let result = try await runExecutable(
      "many-orders",
      arguments: [
        "--part", "2", "--fault", "request 1 gets a 500", "--replay", "100ms:1",
      ])
    #expect(result.stderr == "")
    #expect(
      result.stdout == """
        many-orders: Load two letters at one instant.

        # Two letters again
          0ms  request 1  GET https://example.com/a
          0ms  request 2  GET https://example.com/b
        100ms  request 2  200 OK
        100ms  request 2  1 byte
        100ms  request 2  finished
        100ms  console    b
        100ms  request 1  500 Internal Server Error
        100ms  request 1  1 byte
        100ms  request 1  finished
        100ms  console    a

        """)
  }

  @Test func aFaultThatCannotHappenIsAnError() async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--part", "1", "--fault", "request 3 is refused"])
    #expect(result.status == 64)
    #expect(result.stdout == "")
    let kinds =
      "is refused, times out, gets a 401, 403, 404, 429, 500, 503, gets a page of HTML,"
    let rest = "meets a captive portal, gets an empty body, is twice as late, is 10 times as slow"
    #expect(
      result.stderr == """
        many-orders: --fault can't be "request 3 is refused". Use a request and what goes wrong with \
        it, one of these:
          request 1 \(kinds)
            \(rest)
          request 2 \(kinds)
            \(rest)

        """)
  }

  @Test func faultsThatLast() async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--part", "2", "--faults", "--lasting"])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "many-orders-lasting", kind: .faults)
  }

  @Test func pairsOfFaults() async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--part", "2", "--faults", "--pairs"])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "many-orders-pairs", kind: .faults)
  }

  /// What a table prints can be run.
  @Test(arguments: [
    ("from request 1 on, each request is refused", "?\n?"),
    (
      "from request 2 on, each request gets a page of HTML", "a\n<html>Something went wrong.</html>"
    ),
    ("request 1 is refused, and then request 2 meets a captive portal", "?\n?"),
    ("from request 1 on, each request is refused, and then request 2 gets a 401", "?\nb"),
  ])
  func faultsAreReadAsTheyArePrinted(faults: String, lines: String) async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--part", "2", "--fault", faults])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    let printed = result.stdout.split(separator: "\n").filter { $0.contains("  console  ") }
    #expect(printed.map { $0.drop { $0 != "c" }.dropFirst(11) }.joined(separator: "\n") == lines)
  }

  @Test func theSecondFaultHasToFollow() async throws {
    let result = try await runExecutable(
      "many-orders",
      arguments: [
        "--part", "1", "--fault", "request 2 is refused, and then request 1 is refused",
      ])
    #expect(result.status == 64)
    #expect(
      result.stderr == """
        many-orders: --fault can't be "request 2 is refused, and then request 1 is refused". \
        No request after "request 2 is refused" has a response

        """)
  }

  /// A part that depends on something outside its world can't be explored, and the first event that
  /// differs says why.
  @Test func aPartThatIsNotTheSameTwiceIsAProblem() {
    var trials = Trials<[String]>(orders: .init(trustsRecords: true))
    for run in 1...2 {
      let lines = ["same", "run \(run)"].enumerated().map { index, line in
        Timeline.Event(
          number: index + 1, time: .milliseconds(10), place: 0,
          lane: .init("output", role: .console), kind: .printed(line))
      }
      trials.note(
        World.Outcome(recording: .init(title: "Lines", events: lines), problems: [], isFinal: false)
          .trial)
    }
    #expect(trials.next() == nil)
    #expect(
      trials.lines(command: []) == [
        "the part couldn't be explored: two runs in the same order differ"
      ])
    #expect(
      trials.problems(of: "Lines") == [
        """
        Lines: event 2 differs in a second run: make the part independent of what's outside its \
        world, such as a variable of an earlier run, and send work to the main queue either with \
        async or with a scheduler
          first   10ms output: run 1
          second  10ms output: run 2
          Event 2 of “Lines”: output prints: run 1
          2  10ms  output prints: run 1
        """
      ])
  }

  // MARK: Ctrl-C

  @Test func ctrlCPrintsWhatWasFoundUntilThen() async throws {
    let result = try await runExecutable("many-orders", arguments: ["--explore", "--interrupts"])
    #expect(result.stderr == "")
    #expect(result.status == 130)
    expectSnapshot(result.stdout, id: "many-orders-interrupted", kind: .outcomes)
  }

  @Test func ctrlCEndsAPicture() async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--part", "1", "--explore", "--svg", "--interrupts-at-once"])
    #expect(result.stdout == "")
    #expect(
      result.stderr == """
        many-orders: there's one outcome so far: stopped by Ctrl-C after 1 run, and there are more \
        orders

        """)
    #expect(result.status == 130)
  }

  @Test func ctrlCEndsOrdersOfFaults() async throws {
    let result = try await runExecutable(
      "many-orders", arguments: ["--explore", "--faults", "--interrupts-at-once"])
    #expect(result.stderr == "")
    #expect(result.status == 130)
    #expect(
      result.stdout == """
        many-orders: Load two letters at one instant.

        # Two letters
        no fault was tried, in 1 run with up to one departure each: one outcome
        without a fault: stopped by Ctrl-C after 1 run, and there are more orders
        stopped by Ctrl-C before request 1 is refused

        without a fault
           a
           b
           requests:
             GET https://example.com/a
             GET https://example.com/b

        # Two letters again
        not tried, because of Ctrl-C

        # Two queues
        not tried, because of Ctrl-C

        """)
  }

  @Test func ctrlCEndsFaultsToo() async throws {
    let result = try await runExecutable("many-orders", arguments: ["--faults", "--interrupts"])
    #expect(result.stderr == "")
    #expect(result.status == 130)
    expectSnapshot(result.stdout, id: "many-orders-interrupted", kind: .faults)
  }

  // MARK: The progress

  @Test func progressIsOneLine() {
    var now: UInt64 = 5_000_000_000
    var written: [String] = []
    let progress = TrialProgress(write: { written.append($0) }, uptime: { now })
    progress.clear()
    for part in 1...2 {
      progress.begin("part \(part) of 2", isLast: part == 2)
      for run in 1...5 {
        now += 140_000_000
        progress.note(
          part == 1 ? "fault 9" : nil, outcomes: run / 3 + 1, runsLeft: 5 - run, isFinal: run > 2)
      }
    }
    progress.clear()
    #expect(
      written == [
        "\rpart 1 of 2, fault 9, 4 runs, 2 outcomes, 1 run to go, and more\u{1B}[K",
        "\rpart 1 of 2, fault 9, 5 runs, 2 outcomes, more to go\u{1B}[K",
        "\rpart 2 of 2, 6 runs, 1 outcome, 4 runs to go, and more\u{1B}[K",
        "\rpart 2 of 2, 7 runs, 1 outcome, 3 runs to go, and more\u{1B}[K",
        "\rpart 2 of 2, 8 runs, 2 outcomes, about 1 s left\u{1B}[K",
        "\rpart 2 of 2, 9 runs, 2 outcomes, about 1 s left\u{1B}[K",
        "\rpart 2 of 2, 10 runs, 2 outcomes, about 0 s left\u{1B}[K", "\r\u{1B}[K",
      ])
  }

  @Test func shortTrialsShowNoProgress() {
    var now: UInt64 = 0
    var written: [String] = []
    let progress = TrialProgress(write: { written.append($0) }, uptime: { now })
    for run in 1...4 {
      now += 120_000_000
      progress.note(outcomes: 1, runsLeft: 4 - run, isFinal: true)
    }
    progress.clear()
    #expect(written == [])
  }
}
