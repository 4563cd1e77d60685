import Dispatch
import Foundation
import Streams
import Synchronization

/// The way this module's schedulers work while a world takes turns with the main thread.
///
/// A world runs on its own thread, and lets the main thread run only while it waits itself. Only
/// one thing may run at a time, so every action that you schedule takes its turn on the main queue.
/// When its turn comes, the main thread sends the action to its own queue, and waits until it's
/// done. So every action runs on the right queue, one after another, in the order of scheduling. A
/// delayed action waits for the world's clock first.
///
/// Outside a world this has no effect.
package enum MainThreadTurns {
  /// The clock of a world, which counts nanoseconds from zero.
  package struct Clock: Sendable {
    let now: @Sendable () -> Int64
    let schedule: @Sendable (_ date: Int64, _ action: @escaping () -> Void) -> Void
    let scheduleRepeat:
      @Sendable (
        _ date: Int64, _ interval: Int64, _ action: @escaping () -> Void
      ) -> any Cancellable

    package init(
      now: @escaping @Sendable () -> Int64,
      schedule: @escaping @Sendable (_ date: Int64, _ action: @escaping () -> Void) -> Void,
      scheduleRepeat:
        @escaping @Sendable (
          _ date: Int64, _ interval: Int64, _ action: @escaping () -> Void
        ) -> any Cancellable
    ) {
      self.now = now
      self.schedule = schedule
      self.scheduleRepeat = scheduleRepeat
    }
  }

  private struct State {
    var clock: Clock?
    var queue: String?
    var onRefusal: (@Sendable (String) -> Void)?
    var patience = DispatchTimeInterval.never
    var onStandstill: @Sendable () -> Void = {}
  }

  // An atomic, because it's read for each scheduled action: a program without a world takes no
  // lock.
  private static let areTaken = Atomic<Bool>(false)
  private static let state = Locked(State())
  private static let mainQueueMark = DispatchSpecificKey<Bool>()

  // MARK: Called by a world

  /// Begins the turns. A process has one main thread, so at most one world at a time.
  ///
  /// - Parameters:
  ///   - patience: How long the main thread waits for an action. It waits this long twice.
  ///   - onStandstill: Called when an action takes longer, because it may be waiting for the main
  ///     thread.
  package static func begin(
    patience: DispatchTimeInterval, onStandstill: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.main.setSpecific(key: mainQueueMark, value: true)
    state.withLock { ($0.patience, $0.onStandstill) = (patience, onStandstill) }
    areTaken.store(true, ordering: .sequentiallyConsistent)
  }

  /// Ends the turns.
  package static func end() {
    areTaken.store(false, ordering: .sequentiallyConsistent)
    use(nil, onRefusal: nil)
  }

  /// Sets the clock that delayed work waits for, and the closure that reports work a world can't
  /// run.
  package static func use(_ clock: Clock?, onRefusal: (@Sendable (String) -> Void)?) {
    state.withLock { ($0.clock, $0.onRefusal) = (clock, onRefusal) }
  }

  /// The name of the queue that an action is running on, or `nil` if that's the main queue.
  package static var runningQueue: String? { state.withLock { $0.queue } }

  /// Makes the main thread wait for an action on another queue.
  package static func wait(for signal: DispatchSemaphore) {
    let (patience, onStandstill) = state.withLock { ($0.patience, $0.onStandstill) }
    if signal.wait(timeout: .now() + patience) == .success { return }
    // A debugger may have stopped all threads during that time, so wait once more.
    if signal.wait(timeout: .now() + patience) == .success { return }
    onStandstill()
    signal.wait()
  }

  // MARK: Called by schedulers

  /// Whether a world takes turns with the main thread.
  static var areOn: Bool { areTaken.load(ordering: .sequentiallyConsistent) }

  /// Whether a world takes turns, and the queue isn't the main queue itself.
  ///
  /// On Linux `DispatchQueue.main` is a new object each time, so the main queue carries a mark.
  static func areOn(for queue: DispatchQueue) -> Bool {
    areOn && queue.getSpecific(key: mainQueueMark) == nil
  }

  /// The world's clock; `nil` outside a world.
  static var clock: Clock? { areOn ? state.withLock { $0.clock } : nil }

  /// Runs a body on the main thread, after everything that was sent there before.
  ///
  /// - Parameters:
  ///   - queue: The name of the queue that the body sends an action to.
  ///   - body: Sends the action, and returns when it's done.
  static func send(to queue: String? = nil, _ body: @escaping () -> Void) {
    // Passed once, to the main thread.
    nonisolated(unsafe) let body = body
    DispatchQueue.main.async {
      state.withLock { $0.queue = queue }
      body()
      state.withLock { $0.queue = nil }
    }
  }

  /// Reports a request that a world can't fulfil.
  static func refuse(_ problem: String) {
    state.withLock { $0.onRefusal }?(problem)
  }
}
