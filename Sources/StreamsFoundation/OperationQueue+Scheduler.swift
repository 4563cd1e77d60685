import Dispatch
import Foundation
import Streams

/// Runs actions as operations of the queue.
///
/// Delayed work is added to the queue at once, as an operation that becomes ready at its moment. So
/// `waitUntilAllOperationsAreFinished()` waits for it, and `cancelAllOperations()` drops it and
/// ends repeats. While a repeat is active, there's always an operation to wait for.
///
/// Source of the rules: Foundation's conformance on Apple's systems. Tolerance is ignored.
extension OperationQueue: Scheduler {
  /// The options of this scheduler: it has none.
  public struct SchedulerOptions: Sendable {
    private init() {}
  }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The present moment.
  public var now: SchedulerTimeType { .present }

  /// Runs the action as an operation of this queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // Passed once, to the one thread that runs the operation.
    nonisolated(unsafe) let action = action
    add(BlockOperation { action() })
  }

  /// Runs the action as an operation that becomes ready at a moment. Actions for the same moment
  /// may run in any order.
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

  /// Runs the action as an operation that becomes ready at a moment, and as a new one after each
  /// interval. Each operation starts after the previous one has ended.
  ///
  /// - Returns: Keep this: cancelling or releasing it ends the repeats.
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
      // The main queue would start a second operation only after the first is done, so it would run
      // after blocks that were sent to the main thread later.
      return MainThreadTurns.send { operation.start() }
    }
    let isDone = DispatchSemaphore(value: 0)
    operation.completionBlock = { isDone.signal() }
    MainThreadTurns.send(to: label) {
      self.addOperation(operation)
      MainThreadTurns.wait(for: isDone)
    }
  }

  /// A name that is the same in every run. Foundation's default name contains an address.
  private var label: String {
    guard let name, !name.hasPrefix("NSOperationQueue 0x") else { return "operation queue" }
    return name
  }
}
