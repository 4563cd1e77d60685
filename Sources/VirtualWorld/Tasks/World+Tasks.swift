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
  ///   - test: The test.
  /// - Returns: Whether it was cut short by tasks or work that never end. They were reported.
  package func drive(
    _ waits: Waits, _ test: @escaping @Sendable () async -> Void
  ) async -> Bool {
    let tasks = backend.tasks
    waiting.withLock { $0.movesTime = waits == .moveTime }
    return await withTaskGroup(of: Void.self) { group in
      let isDone = Locked(false)
      let (arrivals, arrival) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      tasks.onArrival = { arrival.yield() }
      defer { tasks.onArrival = nil }
      ThreadMark.startingTasks(in: backend) {
        tasks.startTest {
          group.addTask {
            await test()
            isDone.withLock { $0 = true }
            arrival.yield()
          }
        }
      }
      var arrived = arrivals.makeAsyncIterator()
      while true {
        let failures = clock.failureCount
        let isOnMain = tasks.testIsOnMain
        moveTime(waits, onMain: isOnMain) {
          !isDone.withLock { $0 } && tasks.testIsOnMain == isOnMain
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
        let parking = tasks.parking
        waiting.withLock { $0.beginIdling(parking) }
        if parking != nil {
          try? await Task.sleep(for: .milliseconds(1))
          tasks.unpark()
        } else {
          _ = await arrived.next()
          waiting.withLock { $0.endIdling() }
        }
      }
    }
  }

  /// Runs a body that makes a world and drives it. Its task isn't a part of that world, nor of one
  /// around it meanwhile.
  package static func driving<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async -> Result
  ) async -> Result {
    let outer = World.here
    outer?.waiting.withLock { $0.inner += 1 }
    let result = await TaskOwners.leavingOut(body)
    outer?.waiting.withLock { $0.inner -= 1 }
    // From here on, it's a part of the world around it.
    if outer?.hasTasksInside ?? false { await Task.yield() }
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
    if onMain, !MainQueueMark.isHere { DispatchQueue.main.sync(execute: move) } else { move() }
  }

  /// The number of the present wait, if the test waits for something that nothing in its world will
  /// bring; otherwise `nil`.
  package var waitForOutside: Int? {
    waiting.withLock { $0.isIdle && $0.inner == 0 ? $0.waits : nil }
  }

  /// Whether the test waits in a loop that calls `Task.yield()`.
  package var yieldsInLoop: Bool { waiting.withLock { $0.loop != nil } }

  /// Whether the world has stopped to run tasks.
  package var hasLetTasksGo: Bool { backend.tasks.hasEnded }

  /// How a test waits.
  struct Waiting {
    /// Whether nothing in its world goes on.
    private(set) var isIdle = false
    /// How often it has waited so.
    private(set) var waits = 0
    /// The number of the loop in which it yields; `nil` if it awaits something.
    private(set) var loop: Int?
    /// Whether time moves while it waits.
    var movesTime = true
    /// How many worlds the test has made and waits for.
    var inner = 0

    /// - Parameter loop: The number of the loop in which it yields. The turns of one loop are one
    ///   wait.
    mutating func beginIdling(_ loop: Int?) {
      if !isIdle || loop == nil || loop != self.loop { waits += 1 }
      (isIdle, self.loop) = (true, loop)
    }

    mutating func endIdling() { isIdle = false }
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
