import Foundation
import Streams
import StreamsFoundation
import VirtualTime

extension World {
  /// Whether a world runs the tasks that start in it.
  public enum Tasks: Hashable, Sendable {
    /// The world runs them, one part at a time, when time moves and while the test awaits.
    ///
    /// It's the same as ``outside`` if the tests were made by a compiler that the executors of
    /// worlds weren't tested with. The page on testing has a list.
    case inside

    /// They run at the same time as the test, as in production. What they do in the world is marked
    /// as coming from outside, and fails the test. A test needs this if it blocks its thread until
    /// a task is done.
    case outside
  }

  /// What happens while an asynchronous test awaits something.
  public enum Waits: Hashable, Sendable {
    /// Time moves to what's due next, until the test goes on.
    case moveTime

    /// Tasks run, but time moves only in calls such as ``World/run(limit:)``.
    case moveNoTime
  }

  /// A clock of Swift that shows and follows this world's time, for code that takes
  /// `any Clock<Duration>`.
  ///
  /// ```swift
  /// let poller = Poller(clock: world.swiftClock)
  /// ```
  ///
  /// A sleep ends exactly when it should, or at once when its task is cancelled.
  public var swiftClock: WorldClock { WorldClock(self) }

  /// Whether worlds can run tasks in a program that was made by this compiler.
  package static var canRunTasks: Bool { TaskExecutors.areReplaceable }

  /// Whether this world runs tasks.
  package var hasTasksInside: Bool { backend.tasks.areInside }

  /// Whether a part of a task runs at the moment.
  package var runsTask: Bool { backend.tasks.isRunning }

  /// Runs an asynchronous test as a task of this world, and moves time while it waits.
  ///
  /// - Parameters:
  ///   - waits: Whether time moves.
  ///   - onMain: Whether the test is one on the main actor; `nil` if that isn't known.
  ///   - test: The test.
  /// - Returns: Whether it was cut short by tasks or work that never end. They were reported.
  package func drive(
    _ waits: Waits, onMain: Bool?, _ test: @escaping @Sendable () async -> Void
  ) async -> Bool {
    let tasks = backend.tasks
    waiting.withLock { $0.movesTime = waits == .moveTime }
    return await withTaskGroup(of: Void.self) { group in
      let isDone = Locked(false)
      let arrivals = Arrivals()
      tasks.onArrival = { arrivals.note() }
      defer { tasks.onArrival = nil }
      ThreadMark.startingTasks(in: backend) {
        tasks.startTest(onMain: onMain) {
          group.addTask {
            await test()
            isDone.withLock { $0 = true }
            arrivals.note()
          }
        }
      }
      while true {
        let failures = clock.failureCount
        let isOnMain = tasks.testIsOnMain
        moveTime(waits, onMain: isOnMain) { [self] in
          // While the test runs the body of another world, time would move at random.
          !isDone.withLock { $0 } && tasks.testIsOnMain == isOnMain
            && waiting.withLock { $0.innerOfTest == 0 }
        }
        if isDone.withLock({ $0 }) { return false }
        if tasks.testIsOnMain != isOnMain { continue }
        if clock.failureCount > failures {
          // The tasks go on outside, where they may notice the cancellation. If they don't, the
          // output of tests stays in a buffer.
          fflush(nil)
          tasks.letGo()
          group.cancelAll()
          return true
        }
        // Something outside may still bring what the test waits for.
        let loop = tasks.loop
        waiting.withLock { $0.idling.begin(loop) }
        if loop == nil {
          await arrivals.next()
        } else {
          await Self.startingOutside { Task { try? await Task.sleep(for: .milliseconds(1)) } }.value
        }
        waiting.withLock { $0.idling.end() }
        tasks.unpark(isLastResort: true)
      }
    }
  }

  /// Runs a body that makes a world and drives it. Its task isn't a part of that world, nor of one
  /// around it meanwhile.
  package static func driving<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async -> Result
  ) async -> Result {
    guard let outer = TaskOwners.worldOfCurrentTask ?? World.here else {
      return await TaskOwners.leavingOut(body)
    }
    let isByTest = outer.backend.tasks.current?.isTest ?? false
    outer.waiting.withLock { $0.countInner(isByTest, 1) }
    let result = await TaskOwners.leavingOut {
      // Keeps this closure on the caller's actor.
      _ = isolation
      // The world around it goes on with its next part, and doesn't wait for the end of this one.
      if outer.hasTasksInside { await Task.yield() }
      return await body()
    }
    // From here on, it's a part of that world again.
    if outer.hasTasksInside { await Task.yield() }
    outer.waiting.withLock { $0.countInner(isByTest, -1) }
    return result
  }

  /// - Parameter onMain: Whether actions run on the main queue, as in a synchronous test on the
  ///   main actor.
  private func moveTime(
    _ waits: Waits, onMain: Bool, while condition: @escaping @Sendable () -> Bool
  ) {
    let move: @Sendable () -> Void = { [self] in
      enter {
        switch waits {
        case .moveTime: clock.run(while: condition)
        case .moveNoTime: clock.settle()
        }
      }
    }
    if onMain, !MainQueueMark.isHere { LentMainQueue.sync(move) } else { move() }
  }

  /// How the test waits for something that nothing in its world will bring; `nil` if one of its
  /// tasks runs another world, which watches itself.
  package var idling: Idling? { waiting.withLock { $0.inner > 0 ? nil : $0.idling } }

  /// Whether the world has stopped to run tasks.
  package var hasLetTasksGo: Bool { backend.tasks.hasEnded }

  /// How a test waits for something that nothing in its world will bring.
  package struct Idling: Sendable {
    private var isNow = false
    /// The number of the present wait, or of the last one.
    private var wait = 0
    /// The number of the loop with `Task.yield()` that it is; `nil` if the test awaits something.
    private var loop: Int?
    /// How often it has begun. In a loop, the test goes on again and again.
    private var turns = 0

    /// Whether the test waits in a loop that calls `Task.yield()`.
    package var isInLoop: Bool { loop != nil }

    /// - Parameter loop: The number of the loop. All turns of one loop are one wait.
    mutating func begin(_ loop: Int?) {
      if loop == nil || loop != self.loop { wait += 1 }
      (isNow, self.loop) = (true, loop)
      turns += 1
    }

    mutating func end() { isNow = false }

    /// Whether it's the same wait as before, and goes on.
    package func goesOn(since earlier: Self) -> Bool {
      wait == earlier.wait && (isNow || turns > earlier.turns)
    }
  }

  /// What a world knows of its test's waits.
  struct Waiting {
    var idling = Idling()
    /// Whether time moves while it waits.
    var movesTime = true
    /// How many worlds its tasks run, and how many of them the test itself runs.
    private(set) var (inner, innerOfTest) = (0, 0)

    mutating func countInner(_ isByTest: Bool, _ change: Int) {
      inner += change
      if isByTest { innerOfTest += change }
    }
  }

  /// Wakes a test's driver. Unlike an `AsyncStream`, it goes on waiting in a task that's cancelled.
  private final class Arrivals: Sendable {
    private struct State {
      var isNoted = false
      var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    /// Says that there's something to do.
    func note() {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        state.isNoted = state.waiter == nil
        return state.waiter
      }
      waiter?.resume()
    }

    /// Returns when something was noted since the last call.
    func next() async {
      await withCheckedContinuation { continuation in
        let isNoted = state.withLock { state in
          defer { state.isNoted = false }
          if !state.isNoted { state.waiter = continuation }
          return state.isNoted
        }
        if isNoted { continuation.resume() }
      }
    }
  }

  /// Lets the world look for something to do, in case that another thread has brought it.
  package func look() {
    let mayGoOn =
      waiting.withLock { $0.movesTime }
      ? standsStill : backend.hasWaitingActions || !network.isQuiet
    if mayGoOn { backend.tasks.signal() }
  }

  /// Runs a body on a thread that only this world uses, so that the tasks which the body starts
  /// follow in their order. A program with one world does this.
  package func usingThread<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ThreadMark.with(backend, body)
  }

  /// One line for each place with tasks that still sleep.
  ///
  /// - Parameter advice: What to do about them.
  package func reportsOfSleeps(advice: String) -> [String] {
    Problem.list(backend.tasks.sleeps.all, advice: advice).map(\.message)
  }

  /// Starts a task that belongs to no world.
  package static func startingOutside<Result>(_ start: () -> Result) -> Result {
    ThreadMark.startingTasks(in: nil, start)
  }
}
