import TestSupport
import Testing

/// What needs a main thread of its own is run as a program.
@Suite(.serialized) struct FixtureTests {
  @Test func blocksComeInTheOrderInWhichTheyWereSent() throws {
    let result = try runExecutable("main-turns", arguments: ["2000"])
    #expect(result.stdout == "0 of 2000 rounds out of order\n")
    #expect(result.status == 0)
  }

  /// Why there are turns: with a main thread that serves its queue all the time, order is luck.
  @Test func withoutTurnsTheOrderIsLuck() throws {
    let result = try runExecutable("main-turns", arguments: ["--pumping", "2000"])
    #expect(result.status == 0)
    #expect(result.stdout.hasSuffix(" of 2000 rounds out of order\n"))
    #expect(!result.stdout.hasPrefix("0 "))
  }

  @Test(arguments: ["--stuck-world", "--stuck-queue"])
  func whoWaitsForTheMainThreadIsTold(place: String) throws {
    let result = try runExecutable("main-turns", arguments: [place])
    #expect(result.status == 1)
    #expect(
      result.stdout == """
        nothing moves: something takes very long, or waits for the main thread, which waits for it; \
        replace DispatchQueue.main.sync by async

        """)
  }

  @Test func allQueuesTakeTurnsAndShareOneClock() throws {
    let result = try runExecutable("every-queue")
    #expect(result.stderr == "")
    #expect(result.status == 0)
    expectSnapshot(result.stdout, id: "every-queue", kind: .transcript)
  }

  @Test func aRunSaysWhatIsWrong() throws {
    let result = try runExecutable("broken-scenario")
    #expect(result.status == 1)
    expectSnapshot(result.stdout, id: "broken-scenario", kind: .transcript)
    expectSnapshot(result.stderr, id: "broken-scenario", kind: .failure)
  }

  @Test func snapshotsAreThoseOfTheFixtures() {
    expectSnapshotFiles(of: [
      ("broken-scenario", [.transcript, .failure]), ("every-queue", [.transcript]),
    ])
  }
}
