import StreamsTesting
import TestSupport
import Testing

/// Worlds can run tasks only if this compiler's executors can be replaced.
@Suite struct TaskExecutorTests {
  /// If this fails, all tests of tasks do. With a new compiler, see docs/unsafe-code.md.
  @Test func theExecutorsOfWorldsAreCalled() {
    let found = withWorld { world in
      let log = CallLog()
      Task { log.append("a task") }
      Task { @MainActor in log.append("one on the main actor") }
      Task {
        try? await Task.sleep(for: .seconds(900)); log.append("one that sleeps")
      }
      world.run()
      return log.lines
    }
    #expect(
      found == ["a task", "one on the main actor", "one that sleeps"],
      "this compiler doesn't ask the executors of worlds: see TaskExecutors.swift")
  }

  /// Twenty tasks with exact sleeps, an actor and a request, many times at once, and the same in
  /// each process.
  @Test func allRunsAreEqual() async {
    let transcripts = Locked<[String: Int]>([:])
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          await withWorld { world in
            world.network.stub(
              .get, "https://example.com/token", responses: .text("A", after: .milliseconds(100)))
            let store = TokenStore(world.session, sharesRefresh: true)
            let rows = await withTaskGroup(of: String.self) { group in
              for id in 0..<20 {
                group.addTask {
                  try? await world.swiftClock.sleep(for: .milliseconds(id % 3))
                  return await (try? store.load(id)) ?? "failed"
                }
              }
              return await group.reduce(into: [String]()) { $0.append($1) }
            }
            let record = (rows + [world.transcript]).joined(separator: "\n")
            transcripts.withLock { $0[record, default: 0] += 1 }
          }
        }
      }
    }
    #expect(transcripts.withLock { $0.values.map(\.self) } == [100])
    for record in transcripts.withLock({ $0.keys }) { expectSnapshot(of: record) }
  }
}
