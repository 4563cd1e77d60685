import Foundation
import Streams
import Testing
import VirtualWorld

/// Fails a test that waits forever.
///
/// While a test awaits something, its world runs tasks and moves time. If nothing in it can go on,
/// something outside may still bring what the test waits for, such as a thread. So the watch gives
/// it a few turns. Then it reports the case and cancels the test's task, which ends a loop over
/// `values` and most other waits. If the test goes on after that, it reports that too.
///
/// In a world whose tasks are outside, only the test moves time. There, the watch sees a wait by
/// three signs: the world has work that isn't done, the test has used neither the clock nor a
/// scheduler for many turns, and it hasn't ended. If the world has no work, the whole process has
/// to be idle for longer.
///
/// It counts its own turns instead of the time that has passed. Before each one it waits for the
/// same threads as the test, and for the main actor. So a busy machine and a debugger slow down
/// both.
package final class WaitWatch: Sendable {
  /// How long a test may wait.
  package struct Patience: Sendable {
    /// The turns of a test that waits while nothing in its world goes on, although time moves.
    let lonelyTurns: Int
    /// The turns of a test whose world has work, and moves no time.
    let turns: Int
    /// The turns of a test whose world has none.
    let idleTurns: Int
    /// Waits until the next turn.
    let pause: @Sendable () async throws -> Void
    /// The processors that an idle process uses at most, as a part of one.
    let idleLoad: Double

    package init(
      lonelyTurns: Int, turns: Int, idleTurns: Int, idleLoad: Double,
      pause: @escaping @Sendable () async throws -> Void
    ) {
      self.lonelyTurns = lonelyTurns
      self.turns = turns
      self.idleTurns = idleTurns
      self.pause = pause
      self.idleLoad = idleLoad
    }
  }

  /// The patience of worlds that are made in this task.
  @TaskLocal package static var patience = Patience(
    lonelyTurns: 5, turns: 20, idleTurns: 60, idleLoad: 0.1
  ) {
    try await Task.sleep(for: .seconds(1))
  }

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
  /// - Parameter onMain: Whether it's one on the main actor; `nil` if that isn't known.
  /// - Returns: The result of the test, and whether the test was failed and cancelled.
  static func run<Value, Failure: Error>(
    _ world: World, _ waits: World.Waits, onMain: Bool?, at location: SourceLocation,
    isolation: isolated (any Actor)? = #isolation,
    _ test: (World) async throws(Failure) -> Value
  ) async -> (result: Result<Value, Failure>, isReported: Bool) {
    await withoutActuallyEscaping(test) { test in
      // Keeps this closure on the caller's actor.
      _ = isolation
      // The caller waits, so only one thread at a time uses these.
      nonisolated(unsafe) let test = test
      nonisolated(unsafe) var result: Result<Value, Failure>?
      nonisolated(unsafe) var isReported = false
      // A reference to a task is valid only in a closure that gets it. So the test runs in one.
      @Sendable func watched(_ task: UnsafeCurrentTask?, isolation: isolated (any Actor)?) async {
        let watch = WaitWatch(world, task, at: location)
        await world.enter {
          do throws(Failure) {
            result = .success(try await test(world))
          } catch {
            result = .failure(error)
          }
        }
        isReported = watch.end()
      }
      if world.hasTasksInside {
        let isCutShort = await world.drive(waits, onMain: onMain) {
          await withUnsafeCurrentTask { await watched($0, isolation: nil) }
        }
        if isCutShort { isReported = true }
      } else {
        await withUnsafeCurrentTask { await watched($0, isolation: isolation) }
      }
      guard let result else { preconditionFailure("a test has returned without a result") }
      return (result, isReported)
    }
  }

  /// Begins to watch a task, which is about to run the test.
  private init(_ world: World, _ task: UnsafeCurrentTask?, at location: SourceLocation) {
    self.task = task
    // It isn't detached, because the report belongs to the current test.
    let watcher = World.startingOutside {
      Task { [weak self, weak world] in
        let patience = Self.patience
        var (last, lastIdling) = (world?.activity, world?.idling)
        var isInLoop = false
        var (lonelyTurns, turns, idleTurns) = (0, 0, 0)
        while lonelyTurns < patience.lonelyTurns, turns < patience.turns,
          idleTurns < patience.idleTurns
        {
          guard let load = await Self.takeTurn(patience.pause) else { return }
          guard let world else { return }
          world.look()
          let activity = world.activity
          let isStill = activity != nil && activity == last
          guard let idling = world.idling else {
            (lonelyTurns, turns, idleTurns, lastIdling) = (0, 0, 0, nil)
            continue
          }
          let isWaiting = lastIdling.map { idling.goesOn(since: $0) } ?? false
          isInLoop = isWaiting && idling.isInLoop
          lonelyTurns = isWaiting && (isStill || isInLoop) ? lonelyTurns + 1 : 0
          turns = isStill && world.standsStill ? turns + 1 : 0
          idleTurns = isStill && load <= patience.idleLoad ? idleTurns + 1 : 0
          (last, lastIdling) = (activity, idling)
          // That was reported already.
          if world.hasLetTasksGo { break }
        }
        if !(world?.hasLetTasksGo ?? false) {
          await self?.report(Self.problem(of: world, isInLoop: isInLoop), at: location)
        }
        for _ in 0..<max(patience.lonelyTurns, patience.turns) {
          if await Self.takeTurn(patience.pause) == nil { return }
        }
        self?.reportThatItGoesOn(at: location)
      }
    }
    state.withLock { $0.watcher = watcher }
  }

  /// Waits, and then for the same threads as the test.
  ///
  /// - Returns: The processors that this process has used meanwhile; `nil` if the test has ended.
  private static func takeTurn(_ pause: () async throws -> Void) async -> Double? {
    let before = (clock(), ContinuousClock.now)
    do { try await pause() } catch { return nil }
    await MainActor.run {}
    let used = Double(clock() - before.0) / Double(CLOCKS_PER_SEC)
    return used / ((ContinuousClock.now - before.1) / .seconds(1))
  }

  /// Why a test that waits can't go on.
  ///
  /// - Parameter isInLoop: Whether it waits in a loop that calls `Task.yield()`.
  static func problem(of world: World?, isInLoop: Bool = false) -> World.Problem {
    if let problem = world?.standstill(isInLoop: isInLoop) { return problem }
    let cure =
      world?.hasTasksInside ?? false
      ? "If a thread or a queue outside brings it, let it use queue.schedule, or call "
        + "world.attach(queue). A loop over values ends with a completion or with prefix(_:)"
      : "Send what it waits for before the wait, and end a loop over values with a completion or with "
        + "prefix(_:)"
    let place = isInLoop ? " in a loop with Task.yield()" : ""
    return World.Problem(
      message: "the test waits\(place), and nothing is left to do in its world: no task can go on, "
        + "no work is due, and no request is open. \(cure)")
  }

  private func reportThatItGoesOn(at location: SourceLocation) {
    if state.withLock({ $0.hasEnded }) { return }
    Self.reportAtOnce(
      "the test was cancelled, and it doesn't end: something in it ignores the cancellation, such as "
        + "a loop, or a continuation that's never resumed. Nothing can end it from outside, so stop the "
        + "tests",
      at: location)
  }

  private func report(_ problem: World.Problem, at location: SourceLocation) async {
    let isTooLate = state.withLock { state in
      if !state.hasEnded { state.hasReported = true }
      return state.hasEnded
    }
    if isTooLate { return }
    let place = problem.source.map {
      SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: 1)
    }
    let reason =
      World.canRunTasks
      ? "" : ". With this compiler, tasks run outside worlds: see docs/testing-async-code.md"
    Self.reportAtOnce(problem.message + reason, at: place ?? location)
    // Swift Testing cancels the task that cancels a test, too. So that's another one, because this
    // one goes on watching.
    await World.startingOutside { Task { cancelTest() } }.value
  }

  private func cancelTest() {
    state.withLock { state in
      if !state.hasEnded { task?.cancel() }
    }
  }

  /// Reports a problem, and makes sure that it's seen although the process may never end. In a
  /// pipe, the output of tests waits in a buffer.
  private static func reportAtOnce(_ message: String, at location: SourceLocation) {
    reportIssue(message, at: location)
    fflush(nil)
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
