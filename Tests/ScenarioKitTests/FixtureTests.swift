import TestSupport
import Testing

/// Fixtures that need a main thread of their own run as programs.
@Suite(.serialized) struct FixtureTests {
  @Test func blocksRunInTheOrderTheyWereSent() async throws {
    let result = try await runExecutable("main-turns", arguments: ["2000"])
    #expect(result.stdout == "0 of 2000 rounds out of order\n")
    #expect(result.status == 0)
  }

  /// The reason for turns: if the main thread serves its queue all the time, the order is random.
  @Test func withoutTurnsTheOrderIsRandom() async throws {
    let result = try await runExecutable("main-turns", arguments: ["--pumping", "2000"])
    #expect(result.status == 0)
    #expect(result.stdout.hasSuffix(" of 2000 rounds out of order\n"))
    #expect(!result.stdout.hasPrefix("0 "))
  }

  @Test(arguments: ["--stuck-world", "--stuck-queue"])
  func waitingForTheMainThreadIsReported(place: String) async throws {
    let result = try await runExecutable("main-turns", arguments: [place])
    #expect(result.status == 1)
    #expect(
      result.stdout == """
        the scenario is stuck: some work takes very long, or waits for the main thread while the \
        main thread waits for it. Replace DispatchQueue.main.sync with async

        """)
  }

  @Test func allQueuesTakeTurnsAndShareOneClock() async throws {
    let result = try await runExecutable("every-queue")
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "every-queue", kind: .transcript)
  }

  @Test func tasksTakeTurnsToo() async throws {
    let result = try await runExecutable("every-task")
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "every-task", kind: .transcript)
  }

  /// The usual order is that of a search without departures, so the search doesn't complain.
  @Test func partsOfTasksAreChoices() async throws {
    let result = try await runExecutable("every-task", arguments: ["--explore"])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "every-task", kind: .outcomes)
  }

  /// What a task prints counts as an outcome, also if it follows from no event.
  @Test func whatTasksPrintIsAnOutcome() async throws {
    let result = try await runExecutable("every-task", arguments: ["--sweep"])
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "every-task", kind: .sweep)
  }

  @Test func aRunReportsEachMistake() async throws {
    let result = try await runExecutable("broken-scenario")
    #expect(result.status == 1)
    expectSnapshot(result.stdout, id: "broken-scenario", kind: .transcript)
    expectSnapshot(result.stderr, id: "broken-scenario", kind: .failure)
  }

  @Test func theTemplateOfAScenarioRuns() async throws {
    let result = try await runExecutable("new-scenario")
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "new-scenario", kind: .transcript)
  }

  /// `make release-check` runs it in a release build, where it can fail.
  @Test func theChecksOfLocksRun() async throws {
    let result = try await runExecutable("optimised-locks")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "optimised-locks", kind: .transcript)
  }

  @Test func onlyTheFixturesHaveSnapshots() {
    expectSnapshotFiles(of: [
      ("broken-scenario", [.transcript, .failure]), ("every-queue", [.transcript]),
      ("every-task", [.transcript, .outcomes, .sweep]),
      ("many-orders", [.faults, .outcomes]), ("many-orders-interrupted", [.faults, .outcomes]),
      ("many-orders-lasting", [.faults]), ("many-orders-pairs", [.faults]),
      ("optimised-locks", [.transcript]),
      ("new-scenario", [.transcript]),
    ])
  }
}
