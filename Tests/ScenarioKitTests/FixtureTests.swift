import TestSupport
import Testing

/// Fixtures that need a main thread of their own run as programs.
@Suite(.serialized) struct FixtureTests {
  @Test func blocksRunInTheOrderTheyWereSent() throws {
    let result = try runExecutable("main-turns", arguments: ["2000"])
    #expect(result.stdout == "0 of 2000 rounds out of order\n")
    #expect(result.status == 0)
  }

  /// The reason for turns: if the main thread serves its queue all the time, the order is random.
  @Test func withoutTurnsTheOrderIsRandom() throws {
    let result = try runExecutable("main-turns", arguments: ["--pumping", "2000"])
    #expect(result.status == 0)
    #expect(result.stdout.hasSuffix(" of 2000 rounds out of order\n"))
    #expect(!result.stdout.hasPrefix("0 "))
  }

  @Test(arguments: ["--stuck-world", "--stuck-queue"])
  func waitingForTheMainThreadIsReported(place: String) throws {
    let result = try runExecutable("main-turns", arguments: [place])
    #expect(result.status == 1)
    #expect(
      result.stdout == """
        the scenario is stuck: some work takes very long, or waits for the main thread while the \
        main thread waits for it. Replace DispatchQueue.main.sync with async

        """)
  }

  @Test func allQueuesTakeTurnsAndShareOneClock() throws {
    let result = try runExecutable("every-queue")
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "every-queue", kind: .transcript)
  }

  @Test func aRunReportsEachMistake() throws {
    let result = try runExecutable("broken-scenario")
    #expect(result.status == 1)
    expectSnapshot(result.stdout, id: "broken-scenario", kind: .transcript)
    expectSnapshot(result.stderr, id: "broken-scenario", kind: .failure)
  }

  @Test func theTemplateOfAScenarioRuns() throws {
    let result = try runExecutable("new-scenario")
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "new-scenario", kind: .transcript)
  }

  /// `make release-check` runs it in a release build, where it can fail.
  @Test func theChecksOfLocksRun() throws {
    let result = try runExecutable("optimised-locks")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "optimised-locks", kind: .transcript)
  }

  @Test func onlyTheFixturesHaveSnapshots() {
    expectSnapshotFiles(of: [
      ("broken-scenario", [.transcript, .failure]), ("every-queue", [.transcript]),
      ("optimised-locks", [.transcript]),
      ("new-scenario", [.transcript]),
    ])
  }
}
