import Dispatch
import Foundation
import Streams
import Synchronization

/// What the schedulers of this module do while a world takes turns with the main thread.
///
/// Such a world runs on a thread of its own, and lets the main thread run only while it waits itself.
/// No two things may run at the same time, so every action that is given to these schedulers takes
/// its turn on the main queue. When its turn comes, the main thread sends it to its own queue, and
/// waits until it is done. So every action runs where it is meant to run, one after another, in the
/// order in which they were scheduled. An action for later first waits for the world's clock.
///
/// Outside a world nothing of this has an effect.
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

  // Read whenever something is scheduled, so a program without a world takes no lock for it.
  private static let areTaken = Atomic<Bool>(false)
  private static let state = Locked(State())
  private static let mainQueueMark = DispatchSpecificKey<Bool>()

  // MARK: What a world says

  /// Begins the turns; the process has one main thread, and so at most one world at a time.
  ///
  /// - Parameters:
  ///   - patience: How long the main thread waits for what others do in one go, twice.
  ///   - onStandstill: Called when that takes longer: it may be waiting for the main thread.
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

  /// Sets the clock that work waits for, and what to call about work that a world can't wait for.
  package static func use(_ clock: Clock?, onRefusal: (@Sendable (String) -> Void)?) {
    state.withLock { ($0.clock, $0.onRefusal) = (clock, onRefusal) }
  }

  /// The name of the queue that a block is running on, if it is another than the main queue.
  package static var runningQueue: String? { state.withLock { $0.queue } }

  /// Lets the main thread wait for what others do.
  package static func wait(for signal: DispatchSemaphore) {
    let (patience, onStandstill) = state.withLock { ($0.patience, $0.onStandstill) }
    if signal.wait(timeout: .now() + patience) == .success { return }
    // The time may have passed in a debugger, which stops all threads: once more then.
    if signal.wait(timeout: .now() + patience) == .success { return }
    onStandstill()
    signal.wait()
  }

  // MARK: What schedulers ask

  /// Whether a world takes turns with the main thread.
  static var areOn: Bool { areTaken.load(ordering: .sequentiallyConsistent) }

  /// Whether a world takes turns, and the queue isn't the main queue itself.
  ///
  /// On Linux `DispatchQueue.main` is another object each time, so the main queue carries a mark.
  static func areOn(for queue: DispatchQueue) -> Bool {
    areOn && queue.getSpecific(key: mainQueueMark) == nil
  }

  /// The world's clock, if there is a world.
  static var clock: Clock? { areOn ? state.withLock { $0.clock } : nil }

  /// Runs a body on the main thread, after all that was sent there before.
  ///
  /// - Parameters:
  ///   - queue: The name of the queue that the body sends an action to.
  ///   - body: Sends the action, and returns when it is done.
  static func send(to queue: String? = nil, _ body: @escaping () -> Void) {
    // Handed over once, to the main thread.
    nonisolated(unsafe) let body = body
    DispatchQueue.main.async {
      state.withLock { $0.queue = queue }
      body()
      state.withLock { $0.queue = nil }
    }
  }

  /// Reports that a world can't do what it was asked for.
  static func refuse(_ problem: String) {
    state.withLock { $0.onRefusal }?(problem)
  }
}
