import Dispatch
import Foundation
import Streams

/// Runs actions as operations of the queue.
///
/// Work for later is an operation of the queue at once, and becomes ready at its moment: so
/// `waitUntilAllOperationsAreFinished()` waits for it, and `cancelAllOperations()` drops it and ends
/// repeats. While a repeat goes on there is always an operation to wait for.
///
/// Source of the rules: Foundation's conformance on Apple's systems. Tolerance is ignored.
extension OperationQueue: Scheduler {
  /// There is nothing to ask for.
  public struct SchedulerOptions: Sendable {
    private init() {}
  }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The present moment.
  public var now: SchedulerTimeType { .present }

  /// Runs the action as an operation of this queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // Handed over once, to the one thread that runs the operation.
    nonisolated(unsafe) let action = action
    add(BlockOperation { action() })
  }

  /// Runs the action as an operation that becomes ready at a moment. Actions for the same moment may
  /// run in any order.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if let clock = MainThreadTurns.clock {
      clock.schedule(date.nanosecondsOfWorld) { self.schedule(options: options, action) }
    } else {
      DelayedOperation.add(to: self, at: date, action)
    }
  }

  /// Runs the action as an operation that becomes ready at a moment, and as another one after each
  /// interval. The next one begins after the former has ended.
  ///
  /// - Returns: Ends the repetition when it is cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    if let clock = MainThreadTurns.clock {
      return clock.scheduleRepeat(date.nanosecondsOfWorld, interval.timeInterval.nanoseconds) {
        self.schedule(options: options, action)
      }
    }
    return DelayedOperation.add(to: self, at: date, every: interval, action)
  }

  private func add(_ operation: Operation) {
    guard MainThreadTurns.areOn else { return addOperation(operation) }
    guard self !== OperationQueue.main else {
      // The main queue would take a second operation only when the first is done, behind blocks
      // that were sent to the main thread after it.
      return MainThreadTurns.send { operation.start() }
    }
    let isDone = DispatchSemaphore(value: 0)
    operation.completionBlock = { isDone.signal() }
    MainThreadTurns.send(to: label) {
      self.addOperation(operation)
      MainThreadTurns.wait(for: isDone)
    }
  }

  /// A name that is the same in every run; the one that Foundation makes up is an address.
  private var label: String {
    guard let name, !name.hasPrefix("NSOperationQueue 0x") else { return "operation queue" }
    return name
  }
}
