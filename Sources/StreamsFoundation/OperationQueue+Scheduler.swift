import Dispatch
import Foundation
import Streams

/// Runs actions as operations of the queue.
///
/// Delayed work is added to the queue at once, as an operation that becomes ready at its moment. So
/// `waitUntilAllOperationsAreFinished()` waits for it, and `cancelAllOperations()` drops it and
/// ends repeats. While a repeat is active, there's always an operation to wait for. After each
/// change, Foundation on Linux looks at all operations that wait, so let hundreds wait in a queue,
/// not many thousands.
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
    if let backend = SchedulingScope.backend {
      return backend.send(QueuedAction(to: placeInWorld, action))
    }
    // Passed once, to the one thread that runs the operation.
    nonisolated(unsafe) let action = action
    addOperation(BlockOperation { action() })
  }

  /// Runs the action as an operation that becomes ready at a moment. Actions for the same moment
  /// may run in any order.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if let backend = SchedulingScope.backend {
      let place = placeInWorld
      backend.schedule(after: date.nanosecondsOfWorld, for: place) {
        backend.send(QueuedAction(to: place, action))
      }
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
    if let backend = SchedulingScope.backend {
      let place = placeInWorld
      return backend.schedule(
        after: date.nanosecondsOfWorld, interval: interval.timeInterval.nanoseconds, for: place
      ) {
        backend.send(QueuedAction(to: place, action))
      }
    }
    return DelayedOperation.add(to: self, at: date, every: interval, action)
  }

  private var placeInWorld: QueuedAction.Place {
    self === OperationQueue.main ? .mainOperations : .operations(self)
  }
}
