import TestSupport
import Testing

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
      "many-orders", arguments: ["--part", "1", "--fault", "request 4 is refused"])
    #expect(result.status == 64)
    #expect(result.stdout == "")
    #expect(
      result.stderr.hasPrefix(
        #"many-orders: --fault can't be "request 4 is refused". Use one of these: "#
          + "request 1 is refused, request 1 times out, "))
  }

  // MARK: Ctrl-C

  @Test func ctrlCPrintsWhatWasFoundUntilThen() async throws {
    let result = try await runExecutable("many-orders", arguments: ["--explore", "--interrupts"])
    #expect(result.stderr == "")
    #expect(result.status == 130)
    expectSnapshot(result.stdout, id: "many-orders-interrupted", kind: .outcomes)
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
    for run in 1...8 {
      now += 140_000_000
      progress.note(outcomes: run / 3 + 1, runsLeft: 40 - run, isFinal: run > 5)
    }
    progress.clear()
    #expect(
      written == [
        "\r4 runs, 2 outcomes, 36 to go, and more\u{1B}[K",
        "\r5 runs, 2 outcomes, 35 to go, and more\u{1B}[K",
        "\r6 runs, 3 outcomes, about 5 s left\u{1B}[K",
        "\r7 runs, 3 outcomes, about 5 s left\u{1B}[K",
        "\r8 runs, 3 outcomes, about 5 s left\u{1B}[K", "\r\u{1B}[K",
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
