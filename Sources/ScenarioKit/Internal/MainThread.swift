import Dispatch
import Foundation
import StreamsFoundation
import Synchronization

// How the main thread and a world take turns
// ==========================================
//
// A block that is sent to the main queue has to run on the main thread, and at a moment that is the
// same in every run. If the main thread served its queue all the time, such a block would run
// beside the rest of what the world does at that instant, and their order would be luck. So the
// world runs on a thread of its own, and the main thread sleeps until the world hands it the turn;
// then it serves its queue and its run loop, and hands the turn back. The world gives turns until
// the queue is found empty.
//
// Blocks of the main queue run in the order in which they were sent. So does what is scheduled on
// the main run loop and on other queues: while there are turns, our schedulers send it by way of
// the main queue (see `MainThreadTurns`).

/// The main thread, as one that runs only when it has the turn.
package enum MainThread {
  /// Runs a body on a thread of its own, which hands the turn to the main thread now and then.
  ///
  /// - Parameters:
  ///   - patience: How long the world may take for what it does between two turns, by the wall
  ///     clock; more than settling may take, which knows better what is wrong.
  ///   - onStandstill: Is told when it takes longer; to end the program, since nothing else can.
  ///   - body: Runs on the world's thread.
  /// - Returns: What the body returns.
  package static func alternate<Result: Sendable>(
    patience: DispatchTimeInterval = .seconds(10),
    onStandstill: @escaping @Sendable (String) -> Void = { fatalError($0) },
    _ body: @escaping (Turns) -> Result
  ) -> Result {
    precondition(Thread.isMainThread, "worlds take turns with the main thread: call from there")
    let turns = Turns()
    MainThreadTurns.begin(patience: patience) {
      onStandstill(
        "nothing moves: something takes very long, or waits for the main thread, which waits for "
          + "it; replace DispatchQueue.main.sync by async")
    }
    defer { MainThreadTurns.end() }
    let result = Locked<Result?>(nil)
    // The main thread sleeps while the body runs: they never run at the same time.
    nonisolated(unsafe) let body = body
    let thread = Thread {
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
  package final class Turns: Sendable {
    private let toMain = DispatchSemaphore(value: 0)
    private let toWorld = DispatchSemaphore(value: 0)
    private let hasEnded = Atomic<Bool>(false)
    private let needsMore = Atomic<Bool>(false)

    /// Gives the main thread a turn; called by the world.
    ///
    /// - Returns: Whether another one may be needed: the main queue held blocks, which may have
    ///   sent more.
    package func take() -> Bool {
      toMain.signal()
      toWorld.wait()
      return needsMore.load(ordering: .relaxed)
    }

    /// Gives the main thread its last turn.
    fileprivate func end() {
      hasEnded.store(true, ordering: .relaxed)
      toMain.signal()
    }

    /// Sleeps until there is a turn, takes it, and so on; on the main thread.
    fileprivate func serve() {
      while true {
        MainThreadTurns.wait(for: toMain)
        if hasEnded.load(ordering: .relaxed) { return }
        needsMore.store(serveOnce(), ordering: .relaxed)
        toWorld.signal()
      }
    }

    /// Serves the main queue and the main run loop.
    ///
    /// - Returns: Whether the queue held something. Blocks of the loop cannot be seen, unless they
    ///   come by way of the queue; what is there runs in any case, and so does what that adds.
    private func serveOnce() -> Bool {
      let held = MainQueue.holdsBlocks
      for _ in 0..<2 { _ = RunLoop.main.run(mode: .default, before: .distantPast) }
      return held || MainQueue.holdsBlocks
    }
  }
}
