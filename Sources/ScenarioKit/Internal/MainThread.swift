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
// then it serves its queue and its run loop until both are empty, and hands the turn back.
//
// Blocks of the main queue run in the order in which they were sent. So do blocks of the main run
// loop among them: `RunLoop+Scheduler` sends each by way of the main queue while there are turns.

/// The main thread, as one that runs only when it has the turn.
package enum MainThread {
  /// Runs a body on a thread of its own, which hands the turn to the main thread now and then.
  ///
  /// - Parameter body: Runs on the world's thread.
  /// - Returns: What the body returns.
  package static func alternate<Result: Sendable>(_ body: @escaping (Turns) -> Result) -> Result {
    precondition(Thread.isMainThread, "worlds take turns with the main thread: call from there")
    let turns = Turns()
    MainThreadTurns.observe(turns.observer)
    defer { MainThreadTurns.observe(nil) }
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
    private let sends = Atomic<Int>(0)
    private let delayed = Locked<(@Sendable (String) -> Void)?>(nil)

    fileprivate var observer: MainThreadTurns.Observer {
      MainThreadTurns.Observer(
        didSend: { self.sends.add(1, ordering: .relaxed) },
        didDelay: { name in self.delayed.withLock { $0 }?(name) })
    }

    /// Says what to do when a scheduler is told to wait for the wall clock.
    func onDelay(_ action: @escaping @Sendable (String) -> Void) {
      delayed.withLock { $0 = action }
    }

    /// Gives the main thread a turn; called by the world.
    ///
    /// - Parameter count: Counts what was recorded, to notice blocks that were sent to the main
    ///   queue past our schedulers.
    /// - Returns: Whether the main thread had something to do, as far as can be told.
    package func take(watching count: () -> Int) -> Bool {
      let before = (sends.exchange(0, ordering: .relaxed), count())
      toMain.signal()
      toWorld.wait()
      return before.0 > 0 || sends.load(ordering: .relaxed) > 0 || count() > before.1
    }

    /// Gives the main thread its last turn.
    fileprivate func end() {
      hasEnded.store(true, ordering: .relaxed)
      toMain.signal()
    }

    /// Sleeps until there is a turn, takes it, and so on; on the main thread.
    fileprivate func serve() {
      while true {
        toMain.wait()
        if hasEnded.load(ordering: .relaxed) { return }
        // A block may send another one to the main queue: the second round runs that.
        for _ in 0..<2 { drain() }
        toWorld.signal()
      }
    }

    /// Serves the main queue and the main run loop up to what they hold now.
    private func drain() {
      let sentinel = Sentinel()
      RunLoop.main.perform { sentinel.loopIsThrough.store(true, ordering: .relaxed) }
      DispatchQueue.main.async { sentinel.queueIsThrough.store(true, ordering: .relaxed) }
      while !sentinel.isThrough { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
  }

  /// Stands last in both the run loop and the queue, and says when they have come to it.
  private final class Sentinel: Sendable {
    let loopIsThrough = Atomic<Bool>(false)
    let queueIsThrough = Atomic<Bool>(false)

    var isThrough: Bool {
      loopIsThrough.load(ordering: .relaxed) && queueIsThrough.load(ordering: .relaxed)
    }
  }
}
