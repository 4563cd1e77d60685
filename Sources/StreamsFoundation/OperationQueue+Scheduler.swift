import Dispatch
import Foundation
import Streams

/// Runs actions as operations of the queue.
///
/// Source of the rules: Foundation's conformance on Apple's systems, where a repeating action runs
/// only once, one interval after its date; so it does here.
extension OperationQueue: Scheduler {
  /// A moment of the calendar.
  public typealias SchedulerTimeType = DateSchedulerTime<OperationQueue>

  /// There is nothing to ask for.
  public struct SchedulerOptions: Sendable {
    private init() {}
  }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The present moment.
  public var now: SchedulerTimeType { .now }

  /// Runs the action as an operation of this queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // Handed over once, to the one thread that runs the operation.
    nonisolated(unsafe) let action = action
    add(BlockOperation { action() })
  }

  /// Runs the action as an operation that becomes ready at a moment; tolerance is ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if let clock = MainThreadTurns.clock {
      clock.schedule(date.nanosecondsOfWorld) { self.schedule(options: options, action) }
    } else {
      add(action, at: date)
    }
  }

  /// Runs the action once, one interval after the date.
  ///
  /// - Returns: Keeps the action from running, if it has not begun.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let date = date.advanced(by: interval)
    if let clock = MainThreadTurns.clock {
      // A repeat that never repeats: unlike single work it can be cancelled.
      return clock.scheduleRepeat(date.nanosecondsOfWorld, .max) {
        self.schedule(options: options, action)
      }
    }
    return AnyCancellable(add(action, at: date).cancel)
  }

  @discardableResult
  private func add(_ action: @escaping () -> Void, at date: SchedulerTimeType) -> Operation {
    // Handed over once, to the one thread that runs the operation.
    nonisolated(unsafe) let action = action
    let operation = BlockOperation { action() }
    DispatchQueue.global().asyncAfter(deadline: .now() + now.distance(to: date).timeInterval) {
      self.addOperation(operation)
    }
    return operation
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
