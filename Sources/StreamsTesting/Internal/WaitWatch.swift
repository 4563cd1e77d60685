import Streams
import Testing
import VirtualWorld

/// Fails a test that waits for something that its world only does when time moves.
///
/// Only the test moves time, so such a test would wait forever. The watch sees that by three signs:
/// the world has work that isn't done, the test has used neither the clock nor a scheduler for a
/// while, and it hasn't ended. Then it reports the work and cancels the test's task, which ends the
/// wait in a loop over `values` and in most other places.
///
/// It counts its own turns instead of the time that has passed. Before each one it waits for the
/// same threads as the test, and for the main actor. So a busy machine and a debugger slow down
/// both.
final class WaitWatch: Sendable {
  /// How long a test may wait.
  struct Patience: Sendable {
    let turns: Int
    let pause: Duration
  }

  /// The patience of worlds that are made in this task.
  @TaskLocal static var patience = Patience(turns: 20, pause: .seconds(1))

  private struct State {
    var hasEnded = false
    var hasReported = false
    var watcher: Task<Void, Never>?
  }

  private let state = Locked(State())
  /// Used only before `end()`, and under the lock. So the closure that got it is still running.
  /// Cancelling is one of the things that another task may do with it.
  nonisolated(unsafe) private let task: UnsafeCurrentTask?

  /// Runs a test, and watches it meanwhile.
  ///
  /// - Returns: The result of the test, and whether the test was failed and cancelled.
  static func run<Result>(
    _ world: World, at location: SourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ test: () async throws -> Result
  ) async rethrows -> (result: Result, isReported: Bool) {
    try await withoutActuallyEscaping(test) { test in
      // Keeps this closure on the caller's actor.
      _ = isolation
      // The caller waits, so only one thread at a time uses these.
      nonisolated(unsafe) let test = test
      nonisolated(unsafe) var result: Result?
      // A reference to a task is valid only until this closure returns. So the test runs in it.
      let isReported = try await withUnsafeCurrentTask { task in
        let watch = WaitWatch(world, task, at: location)
        defer { watch.end() }
        result = try await test()
        return watch.end()
      }
      guard let result else { preconditionFailure("a test has returned without a result") }
      return (result, isReported)
    }
  }

  /// Begins to watch a task, which is about to run the test.
  private init(_ world: World, _ task: UnsafeCurrentTask?, at location: SourceLocation) {
    self.task = task
    // It isn't detached, because the report belongs to the current test.
    let watcher = Task { [weak self, weak world] in
      let patience = Self.patience
      var last = world?.activity
      var turns = 0
      while turns < patience.turns {
        do { try await Task.sleep(for: patience.pause) } catch { return }
        await MainActor.run {}
        guard let world else { return }
        let activity = world.activity
        turns = activity != nil && activity == last && world.standsStill ? turns + 1 : 0
        last = activity
      }
      if let problem = world?.standstill { self?.report(problem, at: location) }
    }
    state.withLock { $0.watcher = watcher }
  }

  private func report(_ problem: World.Problem, at location: SourceLocation) {
    let isTooLate = state.withLock { state in
      if !state.hasEnded { state.hasReported = true }
      return state.hasEnded
    }
    if isTooLate { return }
    let place = problem.source.map {
      SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: 1)
    }
    reportIssue(problem.message, at: place ?? location)
    state.withLock { state in
      if !state.hasEnded { task?.cancel() }
    }
  }

  /// Stops watching, when the test returns or throws.
  ///
  /// - Returns: Whether the test was failed and cancelled.
  @discardableResult
  private func end() -> Bool {
    let (watcher, hasReported) = state.withLock { state in
      defer { state.watcher = nil }
      state.hasEnded = true
      return (state.watcher, state.hasReported)
    }
    watcher?.cancel()
    return hasReported
  }
}
