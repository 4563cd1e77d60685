import Dispatch
import Foundation
import Streams
import StreamsFoundation
import Synchronization
import VirtualWorld

// How the main thread and a world take turns
// ==========================================
//
// A block on the main queue must run on the main thread, and at the same moment in every run. If
// the main thread served its queue all the time, the block would run concurrently with the world's
// other work of that instant, in random order.
//
// So the world runs on a thread of its own, and the main thread sleeps until the world gives it a
// turn. Then it serves its queue and its run loop, and returns the turn. The world gives turns
// until the queue is empty.
//
// Blocks of the main queue run in the order they were sent. So does work scheduled on the main run
// loop and on other queues: while a world runs, our schedulers send it through the main queue. When
// its turn comes, the main thread sends it to its own queue, and waits until it's done.

/// The main thread, which runs only when a world gives it a turn.
package enum MainThread {
  /// Runs a body on a new thread, which gives the main thread turns.
  ///
  /// Call it on the main thread.
  ///
  /// - Parameters:
  ///   - patience: The longest time between two turns, on the wall clock. Settling must be able
  ///     to give up sooner, because it can report the cause.
  ///   - onStandstill: Called with one line if a turn takes longer to come. It must end the
  ///     program, because nothing else can.
  ///   - body: Runs on the world's thread.
  /// - Returns: The body's result.
  package static func alternate<Result: Sendable>(
    patience: DispatchTimeInterval = .seconds(10),
    onStandstill: @escaping @Sendable (String) -> Void = { fatalError($0) },
    _ body: @escaping (Turns) -> Result
  ) -> Result {
    precondition(
      Thread.isMainThread, "call run() on the main thread, because worlds take turns with it")
    let turns = Turns(patience: patience) {
      onStandstill(
        "the scenario is stuck: some work takes very long, or waits for the main thread while the "
          + "main thread waits for it. Replace DispatchQueue.main.sync with async")
    }
    let result = Locked<Result?>(nil)
    // The main thread sleeps while the body runs, so they never run at the same time.
    nonisolated(unsafe) let body = body
    let thread = Thread {
      turns.begin()
      let value = body(turns)
      result.withLock { $0 = value }
      turns.end()
    }
    thread.name = "world"
    thread.stackSize = 8 << 20
    thread.start()
    turns.serve()
    guard let value = result.withLock({ $0 }) else {
      preconditionFailure("the world ended without a result")
    }
    return value
  }

  /// The turns that one world's thread gives to the main thread.
  package final class Turns: QueuedActionRunner {
    private let worldThread = Atomic<UInt>(0)
    private let running = Locked<String?>(nil)
    private let patience: DispatchTimeInterval
    private let onStandstill: @Sendable () -> Void
    private let toMain = DispatchSemaphore(value: 0)
    private let toWorld = DispatchSemaphore(value: 0)
    private let hasEnded = Atomic<Bool>(false)
    private let needsMore = Atomic<Bool>(false)

    fileprivate init(patience: DispatchTimeInterval, onStandstill: @escaping @Sendable () -> Void) {
      self.patience = patience
      self.onStandstill = onStandstill
    }

    /// Gives the main thread a turn, and waits until it's over. Called by the world.
    ///
    /// - Returns: Whether blocks of the main queue ran. They may have sent more, so give another
    ///   turn.
    package func settle() -> Bool {
      toMain.signal()
      toWorld.wait()
      return needsMore.load(ordering: .relaxed)
    }

    // MARK: Work for queues

    /// Runs an action on the main thread, after everything that was sent there before. From there
    /// it's sent to its own queue.
    package func send(
      _ action: QueuedAction, entering enter: @escaping @Sendable (() -> Void) -> Void
    ) {
      // Passed once, to the main thread.
      nonisolated(unsafe) let action = action
      MainQueue.send {
        switch action.place {
        case .mainQueue, .mainOperations:
          enter { action.run() }
        case .mainRunLoop:
          // The main queue doesn't run other blocks while one of its blocks runs. So this runs just
          // the action: on the run loop, and in order with the blocks of the main queue.
          RunLoop.main.perform { enter { action.run() } }
          _ = RunLoop.main.run(mode: .default, before: .distantPast)
        case .queue, .operations:
          self.running.withLock { $0 = action.label }
          self.wait(for: action.send(entering: enter))
          self.running.withLock { $0 = nil }
        }
      }
    }

    /// Runs a part of a task here, or on the main thread after everything that was sent there.
    package func runPart(isMain: Bool, label: String?, _ part: @escaping @Sendable () -> Void) {
      guard isMain, !Thread.isMainThread else { return part() }
      let isDone = Atomic<Bool>(false)
      MainQueue.send {
        part()
        isDone.store(true, ordering: .relaxed)
      }
      while !isDone.load(ordering: .relaxed) { _ = settle() }
    }

    /// No actions wait here, because the main queue has them.
    package var hasWaitingActions: Bool { false }

    /// Does nothing: the main queue has the actions, and the program ends with its world.
    package func drop() {}

    package func place(isInside: () -> Bool) -> RunningPlace {
      if let label = running.withLock({ $0 }) { return .queue(label) }
      if worldThread.load(ordering: .relaxed) == UInt(pthread_self()) { return .world }
      return Thread.isMainThread ? .queue("main") : .outside
    }

    /// Makes the main thread wait, for its next turn or for an action on another queue.
    private func wait(for signal: DispatchSemaphore) {
      if signal.wait(timeout: .now() + patience) == .success { return }
      // A debugger may have stopped all threads during that time, so wait once more.
      if signal.wait(timeout: .now() + patience) == .success { return }
      onStandstill()
      signal.wait()
    }

    // MARK: The two threads

    /// Makes the calling thread the world's.
    fileprivate func begin() { worldThread.store(UInt(pthread_self()), ordering: .relaxed) }

    /// Gives the main thread its last turn.
    fileprivate func end() {
      hasEnded.store(true, ordering: .relaxed)
      toMain.signal()
    }

    /// Waits for turns and takes them, until the last one. Called on the main thread.
    fileprivate func serve() {
      while true {
        wait(for: toMain)
        if hasEnded.load(ordering: .relaxed) { return }
        needsMore.store(
          SchedulingScope.usingThread { MainQueue.serve() }, ordering: .relaxed)
        toWorld.signal()
      }
    }
  }
}
